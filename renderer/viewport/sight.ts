// Where one looks: the camera on the picture that is shown, how a person moves it, and where one looked at other pictures.
// Points come in CSS pixels of the canvas; view state only, never part of a document.

import type { Size } from '../../core/geometry';
import type { CanvasSize } from './canvasSize';
import type { CanvasPlace } from './canvasTool';
import {
  addTurns,
  type Camera,
  fitZoom,
  holdPicture,
  limitZoom,
  type Point,
  panBy,
  screenToPicture,
  turnedSize,
  zoomAbout,
  zoomStep,
} from './geometry';

export type ZoomMode = 'fit' | 'free';

/** CSS pixels left free around a picture at Fit. */
const fitMargin = 16;

interface View {
  readonly camera: Camera;
  readonly zoomMode: ZoomMode;
}

const nowhere: View = { camera: { centre: { x: 0, y: 0 }, zoom: 1, turns: 0 }, zoomMode: 'fit' };

export class Sight {
  private imageId: number | null = null;
  private picture: Size | null = null;
  private view: View = nowhere;
  private readonly views = new Map<number, View>();

  constructor(
    private readonly room: Pick<CanvasSize, 'size' | 'ratio'>,
    private readonly changed: () => void,
  ) {}

  get camera(): Camera {
    return this.view.camera;
  }

  get zoomMode(): ZoomMode {
    return this.view.zoomMode;
  }

  get place(): CanvasPlace {
    return { camera: this.camera, viewport: this.room.size, ratio: this.room.ratio };
  }

  /** Looks at a picture: where one looked at it before, or at all of it. */
  show(imageId: number | null, picture: Size | null): void {
    if (this.imageId !== null) this.views.set(this.imageId, this.view);
    this.imageId = imageId;
    this.picture = picture;
    if (imageId === null || picture === null) return;
    const centre = { x: picture.width / 2, y: picture.height / 2 };
    this.view = this.views.get(imageId) ?? { camera: { centre, zoom: 1, turns: 0 }, zoomMode: 'fit' };
    this.hold();
  }

  /** Keeps the picture in view after the room for it, or it, has changed; called before drawing. */
  hold(): void {
    if (this.picture === null) return;
    const fit = this.fit();
    const zoom = this.zoomMode === 'fit' ? fit : limitZoom(this.camera.zoom, fit);
    this.view = { ...this.view, camera: holdPicture({ ...this.camera, zoom }, this.room.size, this.picture) };
  }

  zoomToFit(): void {
    this.view = { ...this.view, zoomMode: 'fit' };
    this.changed();
  }

  /** Zooms to `zoom` (device pixels a picture pixel) about a point, or the middle. */
  zoomTo(zoom: number, about?: Point): void {
    if (this.picture === null) return;
    const { size } = this.room;
    const pointer = about === undefined ? { x: size.width / 2, y: size.height / 2 } : this.toDevice(about);
    this.move(zoomAbout(this.camera, size, pointer, limitZoom(zoom, this.fit())));
  }

  zoomBy(factor: number, about?: Point): void {
    this.zoomTo(this.camera.zoom * factor, about);
  }

  zoomStep(direction: 1 | -1): void {
    this.zoomTo(zoomStep(this.camera.zoom, direction));
  }

  /** Fit where it is not, 100 % about the point where it is. */
  toggleFit(about: Point): void {
    if (this.zoomMode === 'fit') this.zoomTo(1, about);
    else this.zoomToFit();
  }

  /** Moves the picture by CSS pixels of the screen. */
  panBy(dx: number, dy: number): void {
    const { ratio } = this.room;
    if (dx !== 0 || dy !== 0) this.moveWithin(panBy(this.camera, dx * ratio, dy * ratio));
  }

  /** Looks at a position of the picture, at the same zoom. */
  lookAt(centre: Point): void {
    this.moveWithin({ ...this.camera, centre });
  }

  /** Moves the picture just so far that one of its pixels is in view. */
  bringIntoView({ x, y }: Point): void {
    const { width, height } = turnedSize(this.room.size, this.camera.turns);
    const near = (at: number, centre: number, length: number) => {
      const half = Math.max(0, length / 2 / this.camera.zoom - 1);
      return Math.min(at + 0.5 + half, Math.max(at + 0.5 - half, centre));
    };
    const { centre } = this.camera;
    this.moveWithin({ ...this.camera, centre: { x: near(x, centre.x, width), y: near(y, centre.y, height) } });
  }

  /** Turns the picture on the screen by quarter turns, clockwise. */
  turn(quarters: number): void {
    this.view = { ...this.view, camera: { ...this.camera, turns: addTurns(this.camera.turns, quarters) } };
    this.hold();
    this.changed();
  }

  /** The position in the picture, in its pixels; it may lie outside. */
  toPicture(point: Point): Point {
    return screenToPicture(this.camera, this.room.size, this.toDevice(point));
  }

  /** The picture's pixel, or null outside. */
  pixelAt(point: Point): Point | null {
    if (this.picture === null) return null;
    const at = this.toPicture(point);
    const x = Math.floor(at.x);
    const y = Math.floor(at.y);
    return x >= 0 && y >= 0 && x < this.picture.width && y < this.picture.height ? { x, y } : null;
  }

  /** The pixel in the middle of the view. */
  middlePixel(): Point | null {
    const { size, ratio } = this.room;
    return this.pixelAt({ x: size.width / 2 / ratio, y: size.height / 2 / ratio });
  }

  /** A step of whole picture pixels to the right and down on the screen, as it lies in the picture. */
  alongScreen(dx: number, dy: number): Point {
    const { x, y } = panBy({ ...this.camera, centre: { x: 0, y: 0 }, zoom: 1 }, -dx, -dy).centre;
    return { x: Math.round(x), y: Math.round(y) };
  }

  private toDevice(point: Point): Point {
    return { x: point.x * this.room.ratio, y: point.y * this.room.ratio };
  }

  private fit(): number {
    if (this.picture === null) return 1;
    return fitZoom(turnedSize(this.picture, this.camera.turns), this.room.size, fitMargin * this.room.ratio);
  }

  private moveWithin(camera: Camera): void {
    if (this.picture === null) return;
    const moved = holdPicture(camera, this.room.size, this.picture);
    const { centre } = this.camera;
    if (moved.centre.x !== centre.x || moved.centre.y !== centre.y) this.move(moved);
  }

  private move(camera: Camera): void {
    this.view = { camera, zoomMode: 'free' };
    this.changed();
  }
}
