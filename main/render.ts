// From a stack to pixels: plan, measure what a rescale needs, choose a backend, run. The one place that preview, export,
// pixel inspection and the command line share, so that all of them show the same bytes.

import { chooseBackend } from '../core/backends';
import type { CostTables } from '../core/costs';
import type { Stack } from '../core/document';
import { planDraft } from '../core/draft';
import { ConvolveError } from '../core/errors';
import type { Size } from '../core/geometry';
import type { BackendChoice, PassExplanation } from '../core/ipc';
import type { Pass, Samples } from '../core/pass';
import { type Plan, type PlanOptions, passesToMeasure, planStack, withMeasured } from '../core/plan';
import { shippedCosts } from '../core/shippedCosts';
import type { BackendName, Engine, EngineImage, RunRequest } from './engine';

/** What a stack is prepared for: an open picture, or the one of a command line. */
export interface RenderSource {
  readonly image: EngineImage;
  /** The picture at a coarser level; level 0 is `image`. */
  atLevel(level: number): Promise<EngineImage>;
}

/** A stack ready to run: its passes with measured ranges, over the image that they read. */
export interface PreparedStack {
  readonly passes: readonly Pass[];
  readonly image: EngineImage;
  /** Where the result's pixel (0, 0) lies in the passes' output: (0, 0) but for drafts of `valid` filters. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Size of the result, in pixels of the image's level. */
  readonly size: Size;
  readonly backend: BackendName;
  readonly explanations: readonly PassExplanation[];
}

interface Kept {
  readonly key: string;
  readonly prepared: PreparedStack;
}

/** Prepared stacks that are kept for each image: the newest, the original, and a few that undo comes back to. */
const maximumKept = 6;

export class Renderer {
  /** Backends that failed while running: not chosen again until the program starts anew. */
  private readonly failed = new Set<BackendName>();
  private readonly kept = new WeakMap<EngineImage, readonly Kept[]>();

  /** `costs`: by which every plan is made as long as the renderer lives, so that preview and export take the same paths. */
  constructor(
    private readonly engine: Engine,
    private readonly choice: () => BackendChoice,
    private readonly costs: CostTables = shippedCosts,
  ) {}

  /** The backend that runs next: the one chosen where it works, else the CPU. */
  backend(): BackendName {
    const working = this.engine.backends().filter(({ name }) => !this.failed.has(name));
    return chooseBackend(this.choice(), working);
  }

  /** The plan of a stack as it would run now; nothing is measured. */
  explain(source: RenderSource, stack: Stack): { readonly backend: BackendName; readonly plan: Plan } {
    const backend = this.backend();
    return { backend, plan: planStack(stack, source.image, {}, this.costs[backend]) };
  }

  /** The stack over the whole picture, exactly. */
  async prepare(
    source: RenderSource,
    stack: Stack,
    signal?: AbortSignal,
    options: PlanOptions = {},
  ): Promise<PreparedStack> {
    const backend = this.backend();
    return this.keep(['exact', backend, options, stack], source.image, async () => {
      const plan = planStack(stack, source.image, options, this.costs[backend]);
      const { passes } = await this.measured(plan, source.image, backend, signal);
      const { explanations, resultSize } = plan;
      return { passes, image: source.image, origin: { x: 0, y: 0 }, size: resultSize, backend, explanations };
    });
  }

  /** The stack as a draft over the picture at `level`. */
  async prepareDraft(source: RenderSource, stack: Stack, level: number, signal?: AbortSignal): Promise<PreparedStack> {
    const backend = this.backend();
    const image = await source.atLevel(level);
    return this.keep(['draft', level, backend, stack], image, async () => {
      const costs = this.costs[backend];
      const exact = planStack(stack, source.image, {}, costs);
      const draft = planDraft(stack, exact, level, image, costs);
      const { passes } = await this.measured(draft, image, backend, signal);
      // Rounding of the origin must not push the result's last row out of the passes' output.
      const origin = {
        x: Math.min(draft.origin.x, image.width - draft.resultSize.width),
        y: Math.min(draft.origin.y, image.height - draft.resultSize.height),
      };
      const { explanations } = exact;
      return { passes, image, origin, size: draft.resultSize, backend, explanations };
    });
  }

  /**
   * Fills `destination` with a region of the result. Answers which backend did: where the prepared one fails as a device,
   * the CPU does the same work and later stacks are prepared for it.
   */
  async run(
    prepared: PreparedStack,
    request: RunRequest,
    destination: Samples,
    signal?: AbortSignal,
  ): Promise<BackendName> {
    const { passes, image, origin } = prepared;
    const region = { ...request.region, x: request.region.x + origin.x, y: request.region.y + origin.y };
    return this.onWorkingBackend(prepared.backend, async (backend) => {
      await this.engine.run(backend, passes, image, { region, level: request.level }, destination, signal);
      return backend;
    });
  }

  private async onWorkingBackend<T>(backend: BackendName, work: (backend: BackendName) => Promise<T>): Promise<T> {
    const first = this.failed.has(backend) ? 'cpu' : backend;
    try {
      return await work(first);
    } catch (thrown) {
      const code = thrown instanceof ConvolveError ? thrown.failure.code : null;
      if (first === 'cpu' || (code !== 'deviceFailed' && code !== 'backendUnavailable')) throw thrown;
      this.failed.add(first);
      return work('cpu');
    }
  }

  /** Fills in the range of every rescale pass, in order: each measurement runs the passes before it as they will be. */
  private async measured<P extends Pick<Plan, 'passes' | 'needsMeasure'>>(
    plan: P,
    image: EngineImage,
    backend: BackendName,
    signal: AbortSignal | undefined,
  ): Promise<P> {
    let done = plan;
    for (const index of plan.needsMeasure) {
      const passes = passesToMeasure(done, index);
      const extremes = await this.onWorkingBackend(backend, (working) =>
        this.engine.measure(working, passes, image, signal),
      );
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

  /** Planning large kernels and measuring whole pictures are slow, and a view that moves asks for the same stack again. */
  private async keep(what: unknown, image: EngineImage, make: () => Promise<PreparedStack>): Promise<PreparedStack> {
    const key = JSON.stringify(what);
    const found = this.kept.get(image)?.find((kept) => kept.key === key);
    const prepared = found?.prepared ?? (await make());
    const others = (this.kept.get(image) ?? []).filter((kept) => kept.key !== key);
    this.kept.set(image, [{ key, prepared }, ...others].slice(0, maximumKept));
    return prepared;
  }
}
