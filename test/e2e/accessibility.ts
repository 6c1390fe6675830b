// axe-core in the page of the running app: what it finds wrong within one part, as lines to read.

import axe from 'axe-core';
import type { Page } from 'playwright';

/** What a run of axe answers, as far as it is read here. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** One line for each violation of WCAG 2 A and AA and of good practice within `selector`. */
export async function accessibilityViolations(page: Page, selector: string): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(selector)})`);
  return results.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}
