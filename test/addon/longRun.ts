// A run that would take far longer than any test may: whoever sees it end has seen it cancelled.

import type { BackendName, Engine, EngineImage } from '../../main/engine';
import { boxPass, fillWithNoise, wholeOf } from './examples';

/** 1024² pixels × 511² cells is 3·10¹¹ multiply-adds: many minutes on the reference backend, many seconds on cpu. */
export const longPasses = [boxPass(511)];
const side = 1024;

export const longPicture = (engine: Engine): Promise<EngineImage> =>
  engine.createImage(fillWithNoise(new Uint8Array(side * side)), { width: side, height: side }, 1, false);

export const runLong = (
  engine: Engine,
  image: EngineImage,
  signal?: AbortSignal,
  backend: BackendName = 'reference',
): Promise<void> => engine.run(backend, longPasses, image, wholeOf(image), new Uint8Array(side * side), signal);
