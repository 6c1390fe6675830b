// Where the selected filter works: the tools that add shapes to its mask, what is done with the mask, the brush, and its parts.

import { ClipboardPaste, Copy, Eye, EyeOff, Sun, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { Filter } from '../../core/document';
import { maskShapeKinds } from '../../core/mask';
import { brushLimits } from '../../core/maskEdits';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Button, IconButton } from '../ui/Button';
import { ParameterSlider } from '../ui/ParameterSlider';
import { PercentSlider } from '../ui/PercentSlider';
import { MaskFields } from './MaskFields';
import { canPasteMask, putInMiddle } from './maskActions';
import { maskDesk, useMaskDesk } from './maskDesk';
import { shapeIcons } from './shapeIcons';
import './maskSection.css';

/** Drawn anew only where the mask changed. */
export const MaskSection = memo(
  Section,
  ({ filter: before }, { filter: after }) => before.id === after.id && before.mask === after.mask,
);

function Section({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const tool = useMaskDesk((desk) => desk.tool);
  const overlay = useMaskDesk((desk) => desk.overlay);
  useMaskDesk((desk) => desk.copied);
  const canPaste = usePage(canPasteMask);
  const { mask } = filter;
  return (
    <section className="mask-section" aria-labelledby="mask-title" data-testid="mask-section">
      <header className="mask-header">
        <h3 id="mask-title" className="mask-title">
          {t('mask.title')}
        </h3>
        <div className="mask-tools" role="toolbar" aria-label={t('mask.add')}>
          {maskShapeKinds.map((kind) => (
            <TooltipTrigger key={kind} delay={600} closeDelay={0}>
              <ToggleButton
                className="icon-button mask-tool"
                aria-label={t(`maskCommand.${kind}`)}
                isSelected={tool === kind}
                onChange={() => runCommand(`mask.${kind}`)}
                data-testid={`mask-tool-${kind}`}
              >
                {shapeIcons[kind]}
              </ToggleButton>
              <Tooltip className="tooltip" offset={6}>
                {t(`maskCommand.${kind}`)}
              </Tooltip>
            </TooltipTrigger>
          ))}
          <IconButton
            label={t('maskCommand.luminance')}
            isDisabled={mask?.luminance !== undefined}
            onPress={() => runCommand('mask.luminance')}
            testId="mask-tool-luminance"
          >
            <Sun size={14} aria-hidden="true" />
          </IconButton>
          {mask === undefined && canPaste && (
            <IconButton label={t('maskCommand.paste')} onPress={() => runCommand('mask.paste')}>
              <ClipboardPaste size={14} aria-hidden="true" />
            </IconButton>
          )}
          {mask !== undefined && (
            <>
              <IconButton label={t('maskCommand.copy')} onPress={() => runCommand('mask.copy')}>
                <Copy size={14} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={t('maskCommand.overlay')}
                onPress={() => runCommand('mask.overlay')}
                testId="mask-overlay"
              >
                {overlay ? <Eye size={14} aria-hidden="true" /> : <EyeOff size={14} aria-hidden="true" />}
              </IconButton>
              <IconButton
                label={t('maskCommand.remove')}
                onPress={() => runCommand('mask.remove')}
                testId="mask-remove"
              >
                <Trash2 size={14} aria-hidden="true" />
              </IconButton>
            </>
          )}
        </div>
      </header>
      {tool !== null && (
        <p className="mask-hint quiet" role="status">
          {t(tool === 'brush' ? 'mask.paintHint' : 'mask.drawHint')}{' '}
          <Button onPress={putInMiddle} testId="mask-middle">
            {t('mask.middle')}
          </Button>
        </p>
      )}
      {tool === 'brush' && <BrushFields />}
      {mask !== undefined && <MaskFields filter={filter} mask={mask} />}
    </section>
  );
}

function BrushFields() {
  const { t } = useWords();
  const brush = useMaskDesk((desk) => desk.brush);
  const set = (change: Partial<typeof brush>) => maskDesk.setState({ brush: { ...brush, ...change } });
  return (
    <>
      <ParameterSlider
        label={t('mask.size')}
        value={brush.size}
        standard={100}
        scale={{ ...brushLimits.size, step: 1, scale: 'log', whole: true }}
        unit={t('unit.pixels')}
        testId="mask-brush-size"
        onChange={(size) => set({ size })}
        onGesture={() => undefined}
      />
      <PercentSlider
        label={t('mask.hardness')}
        value={brush.hardness}
        standard={0.5}
        testId="mask-brush-hardness"
        onChange={(hardness) => set({ hardness })}
      />
      <PercentSlider
        label={t('mask.flow')}
        value={brush.flow}
        standard={1}
        minimum={brushLimits.flow.minimum}
        testId="mask-brush-flow"
        onChange={(flow) => set({ flow })}
      />
    </>
  );
}
