// The mix of the selected filter as a person changes it by menu, palette or key. Each is one edit.

import { setMix } from '../core/edits';
import { type BlendMode, type Mix, plainMix } from '../core/mix';
import { editor } from './editor';
import { onSelected } from './filterActions';
import { type PageState, selectedFilter } from './store';

/** Steps of opacity that have a command of their own, in percent. */
export const opacityPercents = [25, 50, 75, 100] as const;

const change = (mix: Partial<Mix>) => onSelected((id) => void editor.edit((stack) => setMix(stack, id, mix)));

export const blendAction = (blend: BlendMode): (() => void) => change({ blend });
export const opacityAction = (percent: number): (() => void) => change({ opacity: percent / 100 });

/** The mix of the selected filter; the usual one where none is selected. */
export const selectedMix = (state: PageState): Mix => selectedFilter(state)?.mix ?? plainMix;
