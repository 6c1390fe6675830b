// Rectangles and sizes in pixels, and the levels of the picture pyramid.

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Left, top, width and height in pixels of the level it belongs to. */
export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

/** Size of a picture at a level: level L has one pixel for each block of 2^L by 2^L, the last block cut at the edge. */
export function sizeAtLevel(size: Size, level: number): Size {
  const block = 2 ** level;
  return { width: Math.ceil(size.width / block), height: Math.ceil(size.height / block) };
}

/** The part of `a` that lies in `b`; width and height are 0 where they do not meet. */
export function intersect(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x),
    height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y),
  };
}
