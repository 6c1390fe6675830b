// Words in English for ways of seeing: the turned view, the explain card, the histogram, the navigator and values.

export const seeingEnglish = {
  seeing: {
    turnRight: 'Turn the view right',
    turnLeft: 'Turn the view left',
  },
};
