// How the plan runs one filter of the stack, asked of main, which plans for the engine that runs.

import { useEffect, useState } from 'react';
import type { PassExplanation } from '../../core/ipc';
import { call } from '../bridge';
import { stackOf, usePage } from '../store';
import { workingStack } from '../viewport/subject';

/** Null while it is asked, for a filter that is off, and where the stack cannot run. */
export function usePlannedPath(filterId: string): PassExplanation | null {
  const image = usePage((state) => state.image);
  const stack = usePage(stackOf);
  const [planned, setPlanned] = useState<PassExplanation | null>(null);
  useEffect(() => {
    if (image === null) return;
    let current = true;
    void call('plan:explain', { imageId: image.id, stack: [...workingStack(stack)] }).then((result) => {
      if (current)
        setPlanned(result.ok ? (result.value.passes.find((pass) => pass.filterId === filterId) ?? null) : null);
    });
    return () => {
      current = false;
    };
  }, [image, stack, filterId]);
  return planned;
}
