// The scene of the page's state, followed beside React: main is asked for the picture of a change before the panels are drawn.

import { chooseBackend } from '../../core/backends';
import { maskDesk } from '../mask/maskDesk';
import { maskSubject } from '../mask/maskSubject';
import { type PageState, pageStore, seenCompare, seenStack, seesSigned, selectedFilter } from '../store';
import { listenToSystemTheme, themeOf } from '../ui/theme';
import { signedColours } from './pixelViews';
import type { Scene } from './scene';
import { originalSubject, resultSubject, signedSubject } from './subject';

/** The engine as far as tiles depend on it. */
function engineOf({ application }: PageState): string {
  if (application === null) return 'auto';
  // Also what runs for it: when a device fails, every tile comes anew from what works.
  const choice = application.settings.backend;
  return `${choice}:${chooseBackend(choice, application.backends)}`;
}

/** All that a scene is made of. */
function ingredientsOf(state: PageState) {
  const { image, look, split, splitDirection, differenceGain, clipping } = state;
  const isSigned = seesSigned(state);
  return {
    ...{ image, split, splitDirection, differenceGain, clipping, isSigned },
    stack: look?.stack ?? seenStack(state),
    engine: engineOf(state),
    compare: seenCompare(state),
    masked: maskDesk.getState().overlay ? selectedFilter(state) : null,
    theme: isSigned ? themeOf(state) : null,
  };
}
type Ingredients = ReturnType<typeof ingredientsOf>;

function sceneOf({ image, stack, engine, isSigned, masked, theme, ...seen }: Ingredients): Scene | null {
  if (image === null) return null;
  return {
    ...seen,
    imageId: image.id,
    size: image,
    alpha: image.alpha,
    original: originalSubject(image),
    result: isSigned ? signedSubject(image, stack, engine) : resultSubject(image, stack, engine),
    signed: theme === null ? null : signedColours(theme),
    mask: maskSubject(image, masked),
  };
}

/** Shows the scene as it is, and again whenever it changes; answers how to stop. */
export function followScene(show: (scene: Scene | null) => void): () => void {
  let last: Ingredients | null = null;
  const follow = () => {
    const next = ingredientsOf(pageStore.getState());
    const names = Object.keys(next) as (keyof Ingredients)[];
    if (last !== null && names.every((name) => Object.is(last?.[name], next[name]))) return;
    last = next;
    show(sceneOf(next));
  };
  follow();
  const stops = [pageStore.subscribe(follow), maskDesk.subscribe(follow), listenToSystemTheme(follow)];
  return () => {
    for (const stop of stops) stop();
  };
}
