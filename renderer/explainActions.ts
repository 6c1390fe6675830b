// The explain card's questions: which pixel it explains (under the pointer while Alt is held, or the one that is pinned) and
// what main says of it. One question at a time, the newest next.

import type { Stack } from '../core/document';
import type { Failure } from '../core/errors';
import type { PixelExplanation } from '../core/explain';
import { pointAt } from './actions';
import { call } from './bridge';
import { type PageState, pageStore, seenStack, selectedFilter } from './store';
import { currentViewport } from './viewport/current';
import type { Point } from './viewport/geometry';
import { workingStack } from './viewport/subject';

/** What a pixel was asked about, and the answer. */
export interface Explained {
  readonly imageId: number;
  readonly stack: Stack;
  readonly filterId: string;
  readonly x: number;
  readonly y: number;
  /** Null where the filter makes no such pixel. */
  readonly found: PixelExplanation | null;
  readonly failure: Failure | null;
}

/** The pixel that the card explains; null while there is no card. */
export function explainedPixel({ image, pointer, pin, explainHeld }: PageState): Point | null {
  if (image === null) return null;
  return (explainHeld ? pointer : null) ?? pin;
}

/** Whether the picture is seen through the selected filter. */
export function explainsFilter(state: PageState): boolean {
  const id = selectedFilter(state)?.id;
  return workingStack(seenStack(state)).some((filter) => filter.id === id);
}

/** Pins the card to a pixel, or takes it away. */
export function pinExplanation(pixel: Point | null): void {
  pageStore.setState({ pin: pixel });
}

/** Pins the pixel under the pointer or, without one, in the middle of the view; where one is pinned, lets it go. */
export function togglePin(): void {
  const { pin, pointer, explainHeld } = pageStore.getState();
  if (pin !== null && !explainHeld) pinExplanation(null);
  else pinExplanation(pointer ?? currentViewport()?.sight.middlePixel() ?? null);
}

/** Moves the pinned pixel by picture pixels of the screen's directions, and keeps it in view. */
export function movePin(dx: number, dy: number): void {
  const { pin, image } = pageStore.getState();
  const sight = currentViewport()?.sight;
  if (pin === null || image === null || sight === undefined) return;
  const step = sight.alongScreen(dx, dy);
  const x = Math.min(image.width - 1, Math.max(0, pin.x + step.x));
  const y = Math.min(image.height - 1, Math.max(0, pin.y + step.y));
  sight.bringIntoView({ x, y });
  pageStore.setState({ pin: { x, y } });
  pointAt({ x, y });
}

let asking = false;

/** Asks main where what is shown is not what is known. */
export async function explainAgain(): Promise<void> {
  if (asking) return;
  const asked = pageStore.getState();
  const { image } = asked;
  const pixel = explainedPixel(asked);
  const filterId = selectedFilter(asked)?.id;
  if (image === null || pixel === null || filterId === undefined || !explainsFilter(asked)) return;
  const stack = seenStack(asked);
  const question = { imageId: image.id, filterId, x: pixel.x, y: pixel.y };
  if (isAnswer(asked.explained, question, stack)) return;
  asking = true;
  const result = await call('pixel:explain', { ...question, stack: [...workingStack(stack)] });
  asking = false;
  const answer = result.ok ? { found: result.value, failure: null } : { found: null, failure: result.failure };
  pageStore.setState({ explained: { ...question, stack, ...answer } });
  void explainAgain();
}

function isAnswer(
  known: Explained | null,
  question: Omit<Explained, 'stack' | 'found' | 'failure'>,
  stack: Stack,
): boolean {
  return (
    known !== null &&
    known.stack === stack &&
    known.imageId === question.imageId &&
    known.filterId === question.filterId &&
    known.x === question.x &&
    known.y === question.y
  );
}
