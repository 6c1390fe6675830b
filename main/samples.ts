// The sample photos that come with the program, by the name the page asks for.

export interface Sample {
  readonly name: string;
  readonly title: string;
  /** File in the samples folder. */
  readonly file: string;
}

export const samples: readonly Sample[] = [
  { name: 'kitten', title: 'Kitten among daisies', file: 'kitten.jpg' },
  { name: 'canyon', title: 'Sandstone canyon', file: 'canyon.jpg' },
  { name: 'motherboard', title: 'Circuit board', file: 'motherboard.jpg' },
];
