// A run that would take far longer than any test may: whoever sees it end has seen it cancelled.

import type { Engine, EngineImage } from '../../main/engine';
import { boxPass, fillWithNoise, wholeOf } from './examples';

/** 1024² pixels × 255² cells is 7·10¹⁰ multiply-adds: minutes on the reference backend. */
export const longPasses = [boxPass(255)];
const side = 1024;

export const longPicture = (engine: Engine): Promise<EngineImage> =>
  engine.createImage(fillWithNoise(new Uint8Array(side * side)), { width: side, height: side }, 1, false);

export const runLong = (engine: Engine, image: EngineImage, signal?: AbortSignal): Promise<void> =>
  engine.run('reference', longPasses, image, wholeOf(image), new Uint8Array(side * side), signal);
