// Mounts the imperative viewport in React and gives it the scene; draws only what lies over the picture: the tags, the
// split handle and the busy mark.

import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { failView, inspectAgain, pointAt, takeView } from '../actions';
import { listenToPixels, sendPixelMessage } from '../bridge';
import { runCommand } from '../commands';
import { explainedPixel, movePin, pinExplanation } from '../explainActions';
import { useWords } from '../i18n/useWords';
import { MaskLayer } from '../mask/MaskLayer';
import { filterName } from '../panels/filterWords';
import { pageStore, seenCompare, seenStack, stackOf, usePage } from '../store';
import { formatNumber } from '../ui/numberText';
import { useTheme } from '../ui/theme';
import { setCurrentViewport } from './current';
import { followScene } from './followScene';
import { listenToPointer } from './pointerInput';
import { SignedLegend } from './SignedLegend';
import { SplitHandle } from './SplitHandle';
import { useScreenSpace } from './screenSpace';
import { moveByKey } from './sightKeys';
import { Viewport } from './viewport';
import './viewportPane.css';

/** CSS pixels that an arrow key moves the picture; with Shift, ten times fewer. */
const keyPan = 64;

/** Where an arrow key moves the pinned pixel on the screen; null for other keys. */
function pinStep(key: string): { readonly x: number; readonly y: number } | null {
  switch (key) {
    case 'ArrowLeft':
      return { x: -1, y: 0 };
    case 'ArrowRight':
      return { x: 1, y: 0 };
    case 'ArrowUp':
      return { x: 0, y: -1 };
    case 'ArrowDown':
      return { x: 0, y: 1 };
    default:
      return null;
  }
}

export function ViewportPane() {
  const { t } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const viewport = useRef<Viewport | null>(null);
  const image = usePage((state) => state.image);
  const theme = useTheme();
  const screen = useScreenSpace();

  useEffect(() => {
    if (canvas.current === null) return;
    const made = new Viewport(
      canvas.current,
      {
        send: sendPixelMessage,
        status: takeView,
        done: ({ backend, milliseconds }) => pageStore.setState({ lastRender: { backend, milliseconds } }),
        failed: failView,
        moved: (place) => pageStore.setState({ place }),
      },
      screen,
    );
    viewport.current = made;
    setCurrentViewport(made);
    const stopScene = followScene((scene) => made.setScene(scene));
    const stopPixels = listenToPixels((message) => made.receive(message));
    const stopPointer = listenToPointer(canvas.current, made, { point: pointAt, pin: pinExplanation });
    const stopInspecting = pageStore.subscribe((state, before) => {
      // A new stack means new values under the pointer.
      if (seenStack(state) !== seenStack(before)) inspectAgain();
    });
    const stopFrame = pageStore.subscribe((state) =>
      made.frame(explainedPixel(state) ?? state.pointer, state.pin !== null),
    );
    return () => {
      stopScene();
      stopPixels();
      stopPointer();
      stopInspecting();
      stopFrame();
      setCurrentViewport(null);
      viewport.current = null;
      made.dispose();
    };
  }, [screen]);

  const imageId = image?.id ?? null;
  // What had the focus may have gone with the empty canvas: the picture's keys work at once.
  useEffect(() => {
    if (imageId !== null && document.activeElement === document.body) canvas.current?.focus();
  }, [imageId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the style sheet answers
  useEffect(() => {
    if (canvas.current === null) return;
    const style = getComputedStyle(canvas.current);
    viewport.current?.setColours({
      checkerLight: style.getPropertyValue('--checker-light').trim(),
      checkerDark: style.getPropertyValue('--checker-dark').trim(),
      grid: 'rgb(128 128 128 / 45%)',
    });
  }, [theme, screen]);

  const onKeyDown = (event: KeyboardEvent<HTMLCanvasElement>) => {
    const sight = viewport.current?.sight;
    if (event.ctrlKey || event.metaKey || event.altKey || sight === undefined) return;
    const pinned = pageStore.getState().pin !== null;
    const step = pinStep(event.key);
    if (pinned && event.key === 'Escape') pinExplanation(null);
    else if (pinned && step !== null) {
      const pixels = event.shiftKey ? 10 : 1;
      movePin(step.x * pixels, step.y * pixels);
    } else {
      const pan = event.shiftKey ? keyPan / 8 : keyPan;
      if (!moveByKey(sight, event, { across: pan, down: pan })) return;
    }
    event.preventDefault();
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it pans and zooms by keys of its own */}
      <canvas
        key={screen}
        ref={canvas}
        className="viewport-canvas"
        role="application"
        aria-label={image === null ? t('status.noPicture') : t('view.picture', { name: image.name })}
        tabIndex={image === null ? -1 : 0}
        data-testid="viewport"
        onKeyDown={onKeyDown}
      />
      {image !== null && <Overlay />}
      {image !== null && <MaskLayer />}
    </>
  );
}

function Overlay() {
  const { t } = useWords();
  const compare = usePage(seenCompare);
  const split = usePage((state) => state.split);
  const direction = usePage((state) => state.splitDirection);
  const gain = usePage((state) => state.differenceGain);
  const solo = usePage((state) => stackOf(state).find(({ id }) => id === state.soloId));
  const view = usePage((state) => state.view);
  const look = usePage((state) => state.look);
  const plain = usePage((state) => !seenStack(state).some((filter) => filter.enabled));
  const state = view?.failed ? 'failed' : view?.state === 'exact' ? 'exact' : view?.stopped ? 'stopped' : 'draft';
  const resultWords = {
    exact: t('view.resultExact'),
    draft: t('view.resultDraft'),
    failed: t('view.resultFailed'),
    stopped: t('view.resultStopped'),
  }[state];
  return (
    <>
      {(compare === 'split' || compare === 'original') && (
        <span className="view-tag view-tag-left">{t('view.original')}</span>
      )}
      {compare === 'difference' && (
        <span className="view-tag view-tag-left view-tag-live" data-testid="difference-tag">
          {t('view.difference', { gain })}
          <button
            type="button"
            className="view-step"
            aria-label={t('command.differenceLess')}
            onClick={() => runCommand('view.differenceLess')}
          >
            −
          </button>
          <button
            type="button"
            className="view-step"
            aria-label={t('command.differenceMore')}
            onClick={() => runCommand('view.differenceMore')}
          >
            +
          </button>
        </span>
      )}
      {solo !== undefined && (
        <button
          type="button"
          className="view-tag view-tag-solo"
          onClick={() => runCommand('filter.solo')}
          data-testid="solo-tag"
        >
          {t('stack.solo', { filter: filterName(solo, t) })}
          <X size={12} aria-hidden="true" />
        </button>
      )}
      {compare !== 'original' && (
        <span
          className="view-tag view-tag-right"
          role="status"
          data-testid="result-tag"
          data-quality={state}
          data-busy={view?.busy ?? false}
        >
          {resultWords}
          {look !== null && ` · ${t('rank.looking', { factor: formatNumber(look.factor, 6) })}`}
          {view?.busy === true && (
            <progress className="view-progress" aria-label={t('view.rendering')} max={1} value={view.share} />
          )}
          {state === 'stopped' && (
            <button type="button" className="view-resume" onClick={() => runCommand('view.resume')}>
              {t('command.resume')}
            </button>
          )}
        </span>
      )}
      <SignedLegend />
      {compare === 'split' && !plain && (
        <SplitHandle
          label={t('view.split')}
          value={split}
          direction={direction}
          onChange={(next) => pageStore.setState({ split: next })}
        />
      )}
    </>
  );
}
