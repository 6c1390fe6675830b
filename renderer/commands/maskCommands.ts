// What is done with the mask of the selected filter, and with the brush.

import { maskShapeKinds } from '../../core/mask';
import {
  brushStep,
  canPasteMask,
  chooseTool,
  copyMask,
  hasMask,
  pasteMask,
  removeMask,
  scaleBrush,
  toggleInverted,
  toggleLuminance,
  toggleOverlay,
} from '../mask/maskActions';
import { maskDesk } from '../mask/maskDesk';
import { selectedFilter } from '../store';
import { type Command, command, hasFilter, hasPicture } from './record';

export const maskCommands: readonly Command[] = [
  ...maskShapeKinds.map((kind) =>
    command(`mask.${kind}`, `maskCommand.${kind}`, () => chooseTool(kind), {
      enabled: hasFilter,
      checked: () => maskDesk.getState().tool === kind,
    }),
  ),
  command('mask.luminance', 'maskCommand.luminance', toggleLuminance, { enabled: hasFilter }),
  command('mask.invert', 'maskCommand.invert', toggleInverted, {
    enabled: hasMask,
    checked: (state) => selectedFilter(state)?.mask?.inverted === true,
  }),
  command('mask.overlay', 'maskCommand.overlay', toggleOverlay, {
    shortcuts: ['Alt+Shift+M'],
    enabled: hasMask,
    checked: () => maskDesk.getState().overlay,
  }),
  command('mask.copy', 'maskCommand.copy', copyMask, { enabled: hasMask }),
  command('mask.paste', 'maskCommand.paste', pasteMask, { enabled: canPasteMask }),
  command('mask.remove', 'maskCommand.remove', removeMask, { enabled: hasMask }),
  // While the brush is in hand, [ and ] do the same (mask/MaskLayer.tsx).
  command('mask.brushSmaller', 'maskCommand.brushSmaller', () => scaleBrush(1 / brushStep), { enabled: hasPicture }),
  command('mask.brushLarger', 'maskCommand.brushLarger', () => scaleBrush(brushStep), { enabled: hasPicture }),
];
