// The images that a plan needs before its passes run: what its steps leave of the picture, the masks that its filters mix by,
// and the ranges that are measured on them. Each is made once where the source does not keep it.

import type { CostTables } from '../core/costs';
import type { Filter, Stack } from '../core/document';
import { ConvolveError } from '../core/errors';
import { wholeMask } from '../core/mask';
import type { ImageHandle, PassMix, PlannedMask, PlannedPicture } from '../core/mix';
import type { Pass } from '../core/pass';
import { type Plan, passesToMeasure, withMeasured } from '../core/plan';
import type { PlanStep } from '../core/planParts';
import { contentKey } from './contentKey';
import type { DerivedImages } from './derivedImages';
import type { BackendName, Engine, EngineImage } from './engine';
import { LastMasks, type MaskPlace, makeMask, maskKey, requireSize } from './masks';
import { startOf, type UpstreamResults } from './upstreamResults';

/** What a stack is prepared for: an open picture, or the one of a command line. */
export interface RenderSource {
  readonly image: EngineImage;
  /** The picture at a coarser level; level 0 is `image`. */
  atLevel(level: number): Promise<EngineImage>;
  /** Where the images are kept that steps of plans make of the picture. */
  readonly derived: DerivedImages;
  /** Where views keep what the filters before the changed one make of it; absent where nobody looks. */
  readonly upstream?: UpstreamResults | undefined;
}

/** Where the steps of a plan run. `key`: what their images depend on beside the stack. */
export interface Place {
  readonly source: RenderSource;
  readonly image: EngineImage;
  readonly key: readonly unknown[];
  readonly stack: Stack;
  readonly backend: BackendName;
}

/** The enabled filters that steps, of which there is at least one, come from. */
const filtersOf = ({ stack }: Place, steps: readonly PlanStep[]): Stack =>
  stack.filter(({ enabled }) => enabled).slice(0, steps.at(-1)?.filters);

/** Under which the image is kept that steps make. */
const stepKey = (place: Place, steps: readonly PlanStep[]): string =>
  contentKey([...place.key, steps.length, filtersOf(place, steps)]);

/** Runs work on a backend, and remembers how it ended. */
type Watched = <T>(backend: BackendName, work: () => Promise<T>) => Promise<T>;

export class PlanImages {
  private readonly lastMasks = new LastMasks();

  constructor(
    private readonly engine: Engine,
    private readonly costs: CostTables,
    private readonly watched: Watched,
  ) {}

  /** Whether all images that the steps make, and the passes mix with, are kept. */
  has(place: Place, steps: readonly PlanStep[], passes: readonly Pass[]): boolean {
    const { source, backend, stack } = place;
    const has = (named: PlannedMask | PlannedPicture | ImageHandle | undefined): boolean => {
      if (named?.kind === undefined) return true;
      if (named.kind === 'picture')
        return named.steps === 0 || source.derived.has(stepKey(place, steps.slice(0, named.steps)));
      const mask = stack.find(({ id }) => id === named.filterId)?.mask ?? wholeMask(source.image);
      return source.derived.has(maskKey(mask, named, backend));
    };
    return (
      has({ kind: 'picture', steps: steps.length }) &&
      passes.every(({ mix }) => has(mix?.mask) && has(mix?.input?.image))
    );
  }

  /** The passes with the engine's images for those that their mixes name. `steps`: of the whole plan. */
  async within(
    place: Place,
    steps: readonly PlanStep[],
    passes: readonly Pass[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Pass[]> {
    const find = async (named: PlannedMask | PlannedPicture | ImageHandle): Promise<ImageHandle> => {
      if (named.kind === undefined) return named;
      if (named.kind === 'picture') return this.after(place, steps.slice(0, named.steps), signal);
      const filter = place.stack.find(({ id }) => id === named.filterId);
      return this.mask(place.source, place.backend, filter, named, signal);
    };
    const complete = async ({ mask, input, ...mix }: PassMix): Promise<PassMix> => ({
      ...mix,
      ...(mask === undefined ? {} : { mask: await find(mask) }),
      ...(input === undefined ? {} : { input: { ...input, image: await find(input.image) } }),
    });
    return Promise.all(
      passes.map(async (pass) => (pass.mix === undefined ? pass : { ...pass, mix: await complete(pass.mix) })),
    );
  }

  /** The image that the passes after these steps read; made, each step once, where the source does not keep it. */
  async after(place: Place, steps: readonly PlanStep[], signal: AbortSignal | undefined): Promise<EngineImage> {
    const step = steps.at(-1);
    if (!step) return place.image;
    const make = async (making: AbortSignal) => {
      const before = steps.slice(0, -1);
      const image = await this.after(place, before, making);
      const measured = await this.measured(place, before, step, making);
      const passes = await this.within(place, before, measured.passes, making);
      const { backend } = place;
      const { edges } = step;
      return this.watched(backend, () =>
        edges === null
          ? this.engine.apply(backend, passes, image, 'f32', making)
          : this.engine.findEdges(backend, passes, image, edges, making),
      );
    };
    return place.source.derived.get(stepKey(place, steps), make, signal);
  }

  /** A filter's mask as an image, all of it where it has none: made once where the source does not keep it. */
  async mask(
    source: RenderSource,
    backend: BackendName,
    filter: Filter | undefined,
    place: MaskPlace,
    signal: AbortSignal | undefined,
  ): Promise<EngineImage> {
    const mask = filter?.mask ?? wholeMask(source.image);
    requireSize(mask, source.image, filter?.label ?? filter?.kind ?? '');
    const costs = this.costs[backend];
    const make = (making: AbortSignal) => {
      const before = this.lastMasks.next(source.derived, mask, place, backend);
      return this.watched(backend, () =>
        makeMask(this.engine, source, mask, place, { backend, costs }, making, before),
      );
    };
    return source.derived.get(maskKey(mask, place, backend), make, signal);
  }

  /**
   * Fills in the range of every rescale pass after the steps, in order: each measurement runs the passes before it as they
   * will be.
   */
  async measured<P extends Pick<Plan, 'passes' | 'needsMeasure'>>(
    place: Place,
    steps: readonly PlanStep[],
    plan: P,
    signal: AbortSignal | undefined,
  ): Promise<P> {
    const { backend } = place;
    let done = plan;
    for (const index of plan.needsMeasure) {
      const image = await this.after(place, steps, signal);
      const complete = await this.within(place, steps, passesToMeasure(done, index), signal);
      const { from, passes } = startOf(place.source.upstream, backend, image, complete);
      const extremes = await this.watched(backend, () => this.engine.measure(backend, passes, from, signal));
      if (!Number.isFinite(extremes.minimum) || !Number.isFinite(extremes.maximum))
        throw new ConvolveError({
          code: 'invalidPlan',
          subject: 'rescale',
          actual: 'the result holds infinite values',
        });
      done = withMeasured(done, index, extremes);
    }
    return done;
  }
}
