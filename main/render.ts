// From a stack to pixels: plan, measure what a rescale needs, choose a backend, run. The one place that preview, export,
// pixel inspection and the command line share, so that all of them show the same bytes.

import { chooseBackend } from '../core/backends';
import type { CostTables, PictureKind } from '../core/costs';
import type { Stack } from '../core/document';
import { ConvolveError, type ErrorCode, failureOf } from '../core/errors';
import { intersect, type Rectangle, type Size } from '../core/geometry';
import type { BackendChoice, BackendStatus, PassExplanation } from '../core/ipc';
import type { Pass, Samples } from '../core/pass';
import { predictPasses } from '../core/passTime';
import type { Plan, PlanOptions } from '../core/plan';
import { type PlanStep, resultOrigin } from '../core/planParts';
import { shippedCosts } from '../core/shippedCosts';
import { contentKey } from './contentKey';
import type { BackendName, Engine, EngineImage, RunRequest } from './engine';
import { isCheapInParts, type MaskPlace } from './masks';
import { type Place, PlanImages, type RenderSource } from './planImages';
import { isQuickToPlan, type PlanJob, type PlanStack, planHere } from './planning';
import { RestingBackends } from './resting';
import { keepingBackend, startOf, type UpstreamResults } from './upstreamResults';

/** A stack ready to run: its passes with measured ranges, over the image that they read. */
export interface PreparedStack {
  readonly passes: readonly Pass[];
  /** The picture, or what the last step made of it. */
  readonly image: EngineImage;
  readonly steps: readonly PlanStep[];
  /** Where the result's pixel (0, 0) lies in the picture; `valid` filters move it. */
  readonly start: { readonly x: number; readonly y: number };
  /** Where the result's pixel (0, 0) lies in the passes' output: (0, 0) but for drafts of `valid` filters. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Size of the result, in pixels of the image's level. */
  readonly size: Size;
  readonly backend: BackendName;
  readonly explanations: readonly PassExplanation[];
  /** Where runs start from what views keep; absent where they run all passes. */
  readonly upstream?: UpstreamResults;
}

/**
 * What is remembered of a stack. Its image is the one that the steps start from, and its passes name the images that they mix
 * with: those are large, and kept apart.
 */
type KeptStack = PreparedStack;

interface Kept {
  readonly key: string;
  readonly prepared: KeptStack;
}

/** What the time of runs is predicted from. */
interface Expected extends Pick<PreparedStack, 'backend' | 'image' | 'passes'> {
  readonly upstream?: UpstreamResults | undefined;
}

/** Prepared stacks that are kept for each image: the newest, the original, and a few that undo comes back to. */
const maximumKept = 6;

/** What a device's work can end with that the CPU may do all the same. */
const deviceFailures: readonly ErrorCode[] = ['deviceFailed', 'backendUnavailable', 'outOfMemory'];

const kindOf = ({ width, height, channels, sampleType, alpha }: EngineImage): PictureKind => ({
  width,
  height,
  channels,
  sampleType,
  alpha,
});

function unplanned(): never {
  throw new ConvolveError({ code: 'internal', subject: 'plan', actual: 'no draft' });
}

const exactPlace = (source: RenderSource, stack: Stack, backend: BackendName, options: PlanOptions): Place => ({
  ...{ source, image: source.image, key: ['exact', backend, options], stack, backend },
});

/** A failure of the device, which rests from now on. */
class DeviceGaveUp extends ConvolveError {}

export class Renderer {
  private readonly resting: RestingBackends;
  private readonly images: PlanImages;
  private readonly kept = new WeakMap<EngineImage, readonly Kept[]>();
  /** Runs under way, and when the last one ended. */
  private running = 0;
  private lastEnd = performance.now();

  /** `costs`: by which every plan is made as long as the renderer lives, so that preview and export take the same paths. */
  constructor(
    private readonly engine: Engine,
    private readonly choice: () => BackendChoice,
    private readonly costs: CostTables = shippedCosts,
    /** Told whenever a backend failed or works again; `now` is its clock in milliseconds. */
    changed: (backends: readonly BackendStatus[]) => void = () => undefined,
    now: () => number = () => performance.now(),
    private readonly plan: PlanStack = planHere,
  ) {
    this.resting = new RestingBackends(() => changed(this.backends()), now);
    this.images = new PlanImages(engine, costs, (backend, work) => this.watched(backend, work));
  }

  /** The backends, each with its failure where it failed and has not worked since. */
  backends(): readonly BackendStatus[] {
    return this.engine.backends().map((status) => {
      const failure = this.resting.failureOf(status.name);
      return failure === null ? status : { ...status, failure };
    });
  }

  /** The backend that runs next: the one chosen where it works or may be tried again, else the CPU. */
  backend(): BackendName {
    const working = this.engine.backends().filter(({ name }) => !this.resting.isResting(name));
    return chooseBackend(this.choice(), working);
  }

  /**
   * Does the work, and where a device fails in it, all of it again with what works then: every prepare and run in `work` is
   * then the CPU's, so that no result comes from two backends. `attempt` counts from 0.
   */
  async steadily<T>(work: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await work(attempt);
      } catch (thrown) {
        if (!(thrown instanceof DeviceGaveUp)) throw thrown;
      }
  }

  /** Milliseconds since anything was computed; 0 while something is. */
  idleFor(): number {
    return this.running > 0 ? 0 : performance.now() - this.lastEnd;
  }

  /** The plan of a stack as it would run now; nothing is measured. */
  async explain(source: RenderSource, stack: Stack): Promise<{ readonly backend: BackendName; readonly plan: Plan }> {
    const backend = this.backend();
    const planned = await this.plan(this.jobOf(source.image, stack, backend));
    return { backend, plan: planned.exact };
  }

  /** Only what threads can be told of a picture. */
  private jobOf(
    image: EngineImage,
    stack: Stack,
    backend: BackendName,
    options: PlanOptions = {},
    draft: { readonly level: number; readonly image: EngineImage } | null = null,
  ): PlanJob {
    return {
      stack,
      picture: kindOf(image),
      options,
      costs: this.costs[backend],
      draft: draft && { level: draft.level, picture: kindOf(draft.image) },
    };
  }

  /** The stack over the whole picture, exactly. */
  async prepare(
    source: RenderSource,
    stack: Stack,
    signal?: AbortSignal,
    options: PlanOptions = {},
  ): Promise<PreparedStack> {
    return this.prepareExact({ ...source, upstream: undefined }, stack, signal, options);
  }

  /** The same for a view, which is looked at while it changes: its runs start from what the source keeps for that. */
  async prepareView(source: RenderSource, stack: Stack, signal?: AbortSignal): Promise<PreparedStack> {
    return this.shown(source, await this.prepareExact(source, stack, signal, {}));
  }

  private async prepareExact(
    source: RenderSource,
    stack: Stack,
    signal: AbortSignal | undefined,
    options: PlanOptions,
  ): Promise<PreparedStack> {
    const backend = this.backend();
    const { image } = source;
    const place = exactPlace(source, stack, backend, options);
    const kept = await this.keep([...place.key, stack], image, async () => {
      const { exact: plan } = await this.plan(this.jobOf(image, stack, backend, options), signal);
      const { passes } = await this.images.measured(place, plan.steps, plan, signal);
      const { steps, explanations, resultSize: size } = plan;
      return { steps, passes, image, start: resultOrigin(plan), origin: { x: 0, y: 0 }, size, backend, explanations };
    });
    return this.withSteps(place, kept, signal);
  }

  /** The stack as a draft over the picture at `level`, for a view. */
  async prepareDraft(source: RenderSource, stack: Stack, level: number, signal?: AbortSignal): Promise<PreparedStack> {
    const backend = this.backend();
    const image = await source.atLevel(level);
    const place: Place = { source, image, key: ['draft', level, backend], stack, backend };
    const kept = await this.keep([...place.key, stack], image, async () => {
      const planned = await this.plan(this.jobOf(source.image, stack, backend, {}, { level, image }), signal);
      const { exact } = planned;
      const draft = planned.draft ?? unplanned();
      const { passes } = await this.images.measured(place, draft.steps, draft, signal);
      // Rounding of the origin must not push the result's last row out of the passes' output.
      const origin = {
        x: Math.min(draft.origin.x, image.width - draft.resultSize.width),
        y: Math.min(draft.origin.y, image.height - draft.resultSize.height),
      };
      const { explanations } = exact;
      const { steps, resultSize: size } = draft;
      return { steps, passes, image, start: resultOrigin(exact), origin, size, backend, explanations };
    });
    return this.shown(source, await this.withSteps(place, kept, signal));
  }

  /** Predicted nanoseconds for a pixel of the picture, as runs of the stack start now. */
  expect({ backend, image, passes, upstream }: Expected): number {
    const left = startOf(upstream, backend, image, passes).passes;
    return (predictPasses(left, kindOf(image), this.costs[backend]) * 1e6) / (image.width * image.height);
  }

  /**
   * The same of a stack that may not be prepared yet, for a view; null where something that may take long comes first: a plan
   * of large kernels, extremes to measure, images of the whole picture.
   */
  async expectView(source: RenderSource, stack: Stack): Promise<number | null> {
    const { image, upstream } = source;
    const backend = this.backend();
    const place = exactPlace(source, stack, backend, {});
    const wanted = contentKey([...place.key, stack]);
    const known = this.kept.get(image)?.find(({ key }) => key === wanted)?.prepared;
    if (known === undefined && !isQuickToPlan(stack)) return null;
    const { steps, passes, needsMeasure } = known
      ? { ...known, needsMeasure: [] }
      : (await this.plan(this.jobOf(image, stack, backend))).exact;
    if (needsMeasure.length > 0 || !this.images.has(place, steps, passes)) return null;
    return this.expect({ backend, image, passes, upstream });
  }

  /** Where the last filter of a stack works, over the whole picture; at a coarser level as a draft. */
  async prepareMask(source: RenderSource, stack: Stack, level: number, signal?: AbortSignal): Promise<PreparedStack> {
    const { width, height } = await source.atLevel(level);
    return this.preparedMask(source, stack, { x: 0, y: 0, width, height, level }, { width, height }, 0, signal);
  }

  /** The same, exactly, for runs at `level` over `part` alone, in pixels of that level, where it need not be made whole. */
  async prepareMaskPart(
    source: RenderSource,
    stack: Stack,
    part: Rectangle,
    level: number,
    signal?: AbortSignal,
  ): Promise<PreparedStack> {
    const { image } = source;
    const mask = stack.at(-1)?.mask;
    if (mask === undefined || !isCheapInParts(mask)) return this.prepareMask(source, stack, 0, signal);
    const block = 2 ** level;
    const scaled = { x: part.x * block, y: part.y * block, width: part.width * block, height: part.height * block };
    const seen = intersect(scaled, { x: 0, y: 0, width: image.width, height: image.height });
    return this.preparedMask(source, stack, { ...seen, level: 0 }, image, level, signal);
  }

  /** The mask at a place of a picture of `size`, for runs at `level`. */
  private async preparedMask(
    source: RenderSource,
    stack: Stack,
    place: MaskPlace,
    { width, height }: Size,
    level: number,
    signal: AbortSignal | undefined,
  ): Promise<PreparedStack> {
    const backend = this.backend();
    const image = await this.images.mask(source, backend, stack.at(-1), place, signal);
    const origin = { x: -place.x / 2 ** level, y: -place.y / 2 ** level };
    return {
      ...{ steps: [], passes: [], explanations: [], image, backend, origin },
      ...{ start: { x: 0, y: 0 }, size: { width, height } },
    };
  }

  /**
   * Fills `destination` with a region of the result, on the prepared backend. Where that fails as a device, it rests, and
   * the error makes `steadily` do its work again.
   */
  async run(prepared: PreparedStack, request: RunRequest, destination: Samples, signal?: AbortSignal): Promise<void> {
    const { origin, backend } = prepared;
    const failure = this.resting.isResting(backend) ? this.resting.failureOf(backend) : null;
    if (failure !== null) throw new DeviceGaveUp(failure);
    const region = { ...request.region, x: request.region.x + origin.x, y: request.region.y + origin.y };
    const atOrigin = { region, level: request.level };
    const { from, passes } = startOf(prepared.upstream, backend, prepared.image, prepared.passes);
    await this.watched(backend, () => this.engine.run(backend, passes, from, atOrigin, destination, signal));
  }

  /** What a view shows from now on, started from what is kept. */
  private shown({ upstream }: RenderSource, prepared: PreparedStack): PreparedStack {
    if (upstream === undefined || prepared.backend !== keepingBackend) return prepared;
    upstream.show(prepared.image, prepared.passes);
    return { ...prepared, upstream };
  }

  /** Remembers how the work on a device ended. */
  private async watched<T>(backend: BackendName, work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      const result = await work();
      this.resting.worked(backend);
      return result;
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (backend !== 'cuda' || !deviceFailures.includes(failure.code)) throw thrown;
      this.resting.failed(backend, failure);
      throw new DeviceGaveUp(failure, thrown);
    } finally {
      this.running -= 1;
      this.lastEnd = performance.now();
    }
  }

  /** The stack over the image that its steps make, with the images that it mixes with. */
  private async withSteps(place: Place, kept: KeptStack, signal: AbortSignal | undefined): Promise<PreparedStack> {
    if (kept.steps.length === 0 && kept.passes.every(({ mix }) => mix === undefined)) return kept;
    const image = await this.images.after(place, kept.steps, signal);
    return { ...kept, image, passes: await this.images.within(place, kept.steps, kept.passes, signal) };
  }

  /** Planning large kernels and measuring whole pictures are slow, and a view that moves asks for the same stack again. */
  private async keep(what: unknown, image: EngineImage, make: () => Promise<KeptStack>): Promise<KeptStack> {
    const key = contentKey(what);
    const found = this.kept.get(image)?.find((kept) => kept.key === key);
    const prepared = found?.prepared ?? (await make());
    const others = (this.kept.get(image) ?? []).filter((kept) => kept.key !== key);
    this.kept.set(image, [{ key, prepared }, ...others].slice(0, maximumKept));
    return prepared;
  }
}
