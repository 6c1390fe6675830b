// The navigator: the whole picture, small, with a frame around the part in view, which is dragged or moved by keys.

import { X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Size } from '../../core/geometry';
import type { Thumbnail } from '../../core/ipc';
import { call } from '../bridge';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { isSettled, seenStack, usePage } from '../store';
import { IconButton } from '../ui/Button';
import { currentViewport } from '../viewport/current';
import {
  type Camera,
  fitZoom,
  pictureBox,
  type QuarterTurns,
  screenBox,
  screenToPicture,
  turnedSize,
} from '../viewport/geometry';
import { moveByKey } from '../viewport/sightKeys';
import { workingStack } from '../viewport/subject';
import { spread } from '../viewport/tileBitmap';
import './navigator.css';

/** CSS pixels of the longer side, and of the thumbnail that is asked for. */
const edge = 168;
const askedEdge = 336;
/** Share of the view that an arrow key moves; with Shift, finer. */
const keyShare = 0.1;

interface Place {
  readonly size: Size;
  readonly camera: Camera;
}

/** Where the whole picture lies in the navigator. */
function placeOf(picture: Size, turns: QuarterTurns): Place {
  const turned = turnedSize(picture, turns);
  const scale = edge / Math.max(turned.width, turned.height);
  const size = {
    width: Math.max(24, Math.round(turned.width * scale)),
    height: Math.max(24, Math.round(turned.height * scale)),
  };
  const centre = { x: picture.width / 2, y: picture.height / 2 };
  return { size, camera: { centre, zoom: fitZoom(turned, size, 0), turns } };
}

export function Navigator() {
  const shown = usePage((state) => state.navigator && state.image !== null);
  return shown ? <Panel /> : null;
}

/** The newest small picture of what is shown, asked for whenever the picture on the screen has become exact. */
function useThumbnail(): Thumbnail | null {
  const imageId = usePage((state) => state.image?.id ?? null);
  const stack = usePage(seenStack);
  const isExact = usePage(isSettled);
  const [made, setMade] = useState<{ readonly imageId: number; readonly thumbnail: Thumbnail } | null>(null);
  useEffect(() => {
    if (imageId === null || !isExact) return;
    let wanted = true;
    void call('image:thumbnail', { imageId, stack: [...workingStack(stack)], edge: askedEdge }).then((answer) => {
      // What cannot be computed is said on the picture; the small one before it stays.
      if (wanted && answer.ok) setMade({ imageId, thumbnail: answer.value });
    });
    return () => {
      wanted = false;
    };
  }, [imageId, stack, isExact]);
  return made !== null && made.imageId === imageId ? made.thumbnail : null;
}

function Panel() {
  const { t } = useWords();
  const picture = usePage((state) => state.image);
  const place = usePage((state) => state.place);
  const thumbnail = useThumbnail();
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragging = useRef(false);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || thumbnail === null) return;
    const image = new ImageData(thumbnail.width, thumbnail.height);
    spread(thumbnail.pixels, 0, thumbnail.channels, image.data, 0, thumbnail.width * thumbnail.height);
    context.putImageData(image, 0, 0);
  }, [thumbnail]);

  if (picture === null || place === null) return null;
  const { size, camera } = placeOf(picture, place.camera.turns);
  const seen = pictureBox(place.camera, place.viewport, { x: 0, y: 0, ...place.viewport });
  const left = Math.max(0, seen.x);
  const top = Math.max(0, seen.y);
  const right = Math.min(picture.width, seen.x + seen.width);
  const bottom = Math.min(picture.height, seen.y + seen.height);
  const frame = screenBox(camera, size, { x: left, y: top, width: right - left, height: bottom - top });

  const look = (event: PointerEvent<HTMLDivElement>) => {
    const room = event.currentTarget.getBoundingClientRect();
    const at = { x: event.clientX - room.left, y: event.clientY - room.top };
    currentViewport()?.sight.lookAt(screenToPicture(camera, size, at));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const sight = currentViewport()?.sight;
    const share = event.shiftKey ? keyShare / 10 : keyShare;
    const { viewport, ratio } = place;
    const step = { across: (viewport.width / ratio) * share, down: (viewport.height / ratio) * share };
    if (sight !== undefined && moveByKey(sight, event, step)) event.preventDefault();
  };
  const turned = `rotate(${place.camera.turns * 90}deg)`;
  const upright = turnedSize(size, place.camera.turns);
  const label = t('navigator.label', {
    ...{ x: Math.floor(left), right: Math.ceil(right), y: Math.floor(top), bottom: Math.ceil(bottom) },
  });
  return (
    <section className="navigator" aria-label={t('navigator.title')} data-testid="navigator">
      <header className="navigator-header">
        <h2>{t('navigator.title')}</h2>
        <IconButton label={t('navigator.close')} onPress={() => runCommand('view.navigator')}>
          <X size={12} aria-hidden="true" />
        </IconButton>
      </header>
      <div
        className="navigator-picture"
        style={size}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the view
        tabIndex={0}
        aria-label={label}
        data-testid="navigator-picture"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          dragging.current = true;
          look(event);
        }}
        onPointerMove={(event) => {
          if (dragging.current) look(event);
        }}
        onPointerUp={() => {
          dragging.current = false;
        }}
        onPointerCancel={() => {
          dragging.current = false;
        }}
      >
        <canvas
          ref={canvas}
          width={thumbnail?.width ?? 1}
          height={thumbnail?.height ?? 1}
          style={{ ...upright, transform: `translate(-50%, -50%) ${turned}` }}
        />
        <span
          className="navigator-frame"
          style={{ left: frame.x, top: frame.y, width: frame.width, height: frame.height }}
          data-testid="navigator-frame"
        />
      </div>
    </section>
  );
}
