// A slider moved as fast as a person can: by a held arrow key.

import type { Locator } from 'playwright';

/** 200 changes in 2 s, to and fro, in one gesture: 10 ms apart is the pace of the person, not a wait for the program. */
export async function holdArrows(slider: Locator): Promise<void> {
  await slider.focus();
  await slider.evaluate(async (element) => {
    for (let change = 0; change < 200; change++) {
      const key = change % 40 < 21 ? 'ArrowRight' : 'ArrowLeft';
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    element.dispatchEvent(new KeyboardEvent('keyup', { key: 'ArrowRight', bubbles: true }));
  });
}
