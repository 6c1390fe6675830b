// What a document looks like to the viewport: one subject for the opened picture and one for the result of its stack, each
// with a source key under which tiles are pure and can be kept.

import type { Filter, ImageInfo, Stack } from '../../core/document';
import { type FilterForm, filterForm, isWholePicture, repeatOf } from '../../core/filterForm';
import type { Rectangle, Size } from '../../core/geometry';
import { createKernel } from '../../core/kernel';
import { maskChange } from '../../core/maskChange';
import type { Point } from './geometry';
import type { Subject } from './layerFeed';

/** The filters that work: those switched on, in order. */
export function workingStack(stack: Stack): Stack {
  return stack.filter((filter) => filter.enabled);
}

/** The subject of the picture itself. */
export function originalSubject(image: ImageInfo): Subject {
  return {
    source: `${image.id}`,
    imageId: image.id,
    stack: [],
    size: { width: image.width, height: image.height },
    origin: { x: 0, y: 0 },
  };
}

/**
 * The subject of the picture through a stack; the picture's own subject where no filter is switched on. `engine` is the
 * one that was chosen: another engine's tiles may differ by a rounding, and who changes it wants to see it work.
 */
export function resultSubject(image: ImageInfo, stack: Stack, engine = 'auto'): Subject {
  const working = workingStack(stack);
  if (working.length === 0) return originalSubject(image);
  let size: Size = { width: image.width, height: image.height };
  let origin: Point = { x: 0, y: 0 };
  for (const filter of working) {
    if (filter.size !== 'valid') continue;
    const window = windowOf(filter);
    if (window === null) continue;
    // At least 1 pixel: a window larger than the picture is main's to refuse, with words.
    const times = repeatOf(filter);
    size = {
      width: Math.max(1, size.width - times * (window.width - 1)),
      height: Math.max(1, size.height - times * (window.height - 1)),
    };
    origin = { x: origin.x + times * window.anchorX, y: origin.y + times * window.anchorY };
  }
  return {
    source: `${image.id}:${engine}:${shortKey(stackKey(working))}`,
    imageId: image.id,
    stack: working,
    size,
    origin,
    engine,
  };
}

/**
 * Where two results of a picture by one engine may differ, in pixels of the result: where strokes alone tell the masks of their
 * last filter apart. Null where more may.
 */
export function resultChange(before: Subject, after: Subject): Rectangle | null {
  const [was, is] = [before.stack.at(-1), after.stack.at(-1)];
  if (before.imageId !== after.imageId || before.engine !== after.engine) return null;
  if (was?.mask === undefined || is?.mask === undefined || before.stack.length !== after.stack.length) return null;
  const change = maskChange(was.mask, is.mask);
  const others = ({ stack }: Subject) =>
    stackKey([...stack.slice(0, -1), { ...stack.at(-1), mask: undefined } as Filter]);
  if (change === null || others(before) !== others(after)) return null;
  return { ...change, x: change.x - after.origin.x, y: change.y - after.origin.y };
}

/** Passes every value on, and at the end puts zero into the middle of the range: ½ + v/2. */
const signedStep: Filter = {
  ...{ id: 'signed', enabled: true, kind: 'custom', name: '', kernel: createKernel(1, 1, [1]) },
  ...{ border: { kind: 'replicate' }, size: 'same', alpha: 'colourOnly', light: 'encoded', range: 'signed' },
};

/** Whether a result has values below zero that its range keeps: those of floats, and of filters that put zero at middle grey. */
export function canBeSigned(image: Pick<ImageInfo, 'sampleType'>, stack: Stack): boolean {
  const last = workingStack(stack).at(-1);
  if (last === undefined) return image.sampleType === 'f32' || image.sampleType === 'f64';
  return !isWholePicture(last) && (last.range === 'float' || (last.range === 'signed' && last.mix === undefined));
}

/** The subject of the result's signed values: its pixels are ½ + v/2 of full scale, as numbers. */
export function signedSubject(image: ImageInfo, stack: Stack, engine = 'auto'): Subject {
  const working = workingStack(stack);
  const last = working.at(-1);
  const open: Stack = last === undefined ? [] : [...working.slice(0, -1), { ...last, range: 'float' }];
  const subject = resultSubject(image, [...open, signedStep], engine);
  return { ...subject, source: `${subject.source}:signed`, numbers: true };
}

/** Most keys that are remembered; a forgotten one costs its tiles. */
const rememberedKeys = 256;
const shortKeys = new Map<string, string>();
let lastKey = 0;

/** A short name of a key, the same for the same: keys of large kernels are long, and tiles compare them often. */
function shortKey(key: string): string {
  const known = shortKeys.get(key) ?? String(++lastKey);
  shortKeys.delete(key);
  shortKeys.set(key, known);
  if (shortKeys.size > rememberedKeys) shortKeys.delete(shortKeys.keys().next().value ?? '');
  return known;
}

/** Weights beyond which a kernel is told by the snapshot that holds them: as text they would hold up every frame of a stroke. */
const mostWritten = 1024;
const snapshots = new WeakMap<readonly number[], number>();
let lastSnapshot = 0;

function snapshotOf(weights: readonly number[]): number {
  const known = snapshots.get(weights) ?? ++lastSnapshot;
  snapshots.set(weights, known);
  return known;
}

/**
 * A text that is equal for two stacks only when their pixels are: identities, names and where weights come from do not count. Of
 * large kernels the snapshot counts, which undo brings back.
 */
export function stackKey(stack: Stack): string {
  return JSON.stringify(stack.map(pixelFields));
}

function pixelFields(filter: Filter): object {
  const { id: _id, enabled: _enabled, label: _label, ...fields } = filter;
  if (fields.kind !== 'custom') return fields;
  const { name: _name, formula: _formula, ...unnamed } = fields;
  const { kernel } = unnamed;
  if (kernel.weights.length <= mostWritten) return unnamed;
  return { ...unnamed, kernel: { ...kernel, weights: `snapshot ${snapshotOf(kernel.weights)}` } };
}

interface Window extends Size {
  readonly anchorX: number;
  readonly anchorY: number;
}

/** Size and anchor of a filter's kernel in correlation orientation; null for a kernel that cannot run. */
function windowOf(filter: Filter): Window | null {
  let form: FilterForm;
  try {
    form = filterForm(filter);
  } catch {
    return null;
  }
  if (form.kind === 'diffusion') return { width: 3, height: 3, anchorX: 1, anchorY: 1 };
  return form.kind === 'linear' ? form.weights.weights : form.x;
}
