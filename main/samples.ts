// The sample photos that come with the program, by the name the page asks for. Their titles are words of the page, and their
// thumbnails lie in renderer/samples.

export interface Sample {
  readonly name: string;
  /** File in the samples folder. */
  readonly file: string;
}

export const samples: readonly Sample[] = [
  { name: 'kitten', file: 'kitten.jpg' },
  { name: 'canyon', file: 'canyon.jpg' },
  { name: 'motherboard', file: 'motherboard.jpg' },
];
