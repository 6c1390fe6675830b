// Above the grid: the tool, the symmetry lock and the view; under them, for tools that paint, the brush.

import {
  Brush as BrushIcon,
  CircleDot,
  Crosshair,
  Eraser,
  FlipHorizontal2,
  FlipVertical2,
  Grid2x2,
  Grid3x3,
  Hash,
  Slash,
  Square,
  TextCursorInput,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Kernel } from '../../core/kernel';
import { maximumBrushSize } from '../../core/kernelPainting';
import { hasSymmetry, type Symmetry, symmetries, symmetrise } from '../../core/kernelSymmetry';
import { useWords } from '../i18n/useWords';
import { changeKernel } from '../kernelActions';
import { NumberField } from '../ui/NumberField';
import { Segment } from '../ui/Segment';
import { fitsAsNumbers, maximumNumbersSize } from './gridGeometry';
import { type GridTool, type GridView, gridToolNames, gridTools, setBrush, useGridTools } from './gridTools';
import './gridToolbar.css';

const icon = { size: 14, 'aria-hidden': true } as const;
const toolIcons: Readonly<Record<GridTool, ReactNode>> = {
  type: <TextCursorInput {...icon} />,
  paint: <BrushIcon {...icon} />,
  line: <Slash {...icon} />,
  erase: <Eraser {...icon} />,
  anchor: <Crosshair {...icon} />,
};
const symmetryIcons: Readonly<Record<Symmetry, ReactNode>> = {
  leftRight: <FlipVertical2 {...icon} />,
  upDown: <FlipHorizontal2 {...icon} />,
  fourFold: <Grid2x2 {...icon} />,
  radial: <CircleDot {...icon} />,
};

/** Locks a symmetry; the kernel takes it on at once, as one edit. */
function lockSymmetry(symmetry: Symmetry | null): void {
  gridTools.setState({ symmetry });
  if (symmetry !== null)
    changeKernel((kernel) => (hasSymmetry(kernel, symmetry) ? kernel : symmetrise(kernel, symmetry)));
}

/** Drawn anew only for another size: a stroke must not wait for its buttons. */
export const GridToolbar = memo(function GridToolbar({ width, height }: Pick<Kernel, 'width' | 'height'>) {
  const { t } = useWords();
  const tool = useGridTools((tools) => tools.tool);
  const symmetry = useGridTools((tools) => tools.symmetry);
  const view = useGridTools((tools) => tools.view);
  const choosesView = !fitsAsNumbers(width, height) && Math.max(width, height) <= maximumNumbersSize;
  return (
    <>
      <div className="grid-toolbar">
        <Segment<GridTool>
          label={t('grid.tools')}
          value={tool}
          items={gridToolNames.map((value) => ({
            value,
            label: t(`grid.${value}`),
            icon: toolIcons[value],
            testId: `grid-tool-${value}`,
          }))}
          onChoose={(chosen) => gridTools.setState({ tool: chosen })}
        />
        <Segment<Symmetry | 'none'>
          label={t('grid.symmetry')}
          value={symmetry ?? 'none'}
          items={[
            { value: 'none', label: t('grid.symmetryNone'), icon: <Square {...icon} />, testId: 'grid-symmetry-none' },
            ...symmetries.map((value) => ({
              value,
              label: t(`grid.${value}`),
              icon: symmetryIcons[value],
              testId: `grid-symmetry-${value}`,
            })),
          ]}
          onChoose={(chosen) => lockSymmetry(chosen === 'none' ? null : chosen)}
        />
        {choosesView && (
          <Segment<GridView>
            label={t('grid.view')}
            value={view}
            items={[
              { value: 'whole', label: t('grid.whole'), icon: <Grid3x3 {...icon} />, testId: 'grid-view-whole' },
              { value: 'numbers', label: t('grid.numbers'), icon: <Hash {...icon} />, testId: 'grid-view-numbers' },
            ]}
            onChoose={(chosen) => gridTools.setState({ view: chosen })}
          />
        )}
      </div>
      {tool !== 'anchor' && <BrushFields erasing={tool === 'erase'} />}
    </>
  );
});

/** The brush: what it writes, how far, how wide and how softly. The eraser has only a width and a rim. */
function BrushFields({ erasing }: { readonly erasing: boolean }) {
  const { t } = useWords();
  const { value, strength, size, falloff } = useGridTools((tools) => tools.brush);
  const percent = (share: number) => Math.round(share * 100);
  return (
    <div className="brush-fields">
      {!erasing && (
        <>
          <Field label={t('grid.value')} hint={t('grid.valueHint')}>
            <NumberField
              label={t('grid.value')}
              value={value}
              minimum={-1e12}
              maximum={1e12}
              testId="brush-value"
              onCommit={(next) => setBrush({ value: next })}
              onStep={(count, fine) => setBrush({ value: Number((value + count * (fine ? 0.1 : 1)).toFixed(9)) })}
            />
          </Field>
          <Field label={t('grid.strength')} hint={t('grid.strengthHint')}>
            <NumberField
              label={t('grid.strength')}
              value={percent(strength)}
              minimum={0}
              maximum={100}
              unit="%"
              testId="brush-strength"
              onCommit={(next) => setBrush({ strength: next / 100 })}
              onStep={(count, fine) => setBrush({ strength: stepShare(strength, count, fine) })}
            />
          </Field>
        </>
      )}
      <Field label={t('grid.size')} hint={t('grid.sizeHint')}>
        <NumberField
          label={t('grid.size')}
          value={size}
          minimum={1}
          maximum={maximumBrushSize}
          whole
          testId="brush-size"
          onCommit={(next) => setBrush({ size: oddSize(next) })}
          onStep={(count) => setBrush({ size: oddSize(size + 2 * count) })}
        />
      </Field>
      <Field label={t('grid.falloff')} hint={t('grid.falloffHint')}>
        <NumberField
          label={t('grid.falloff')}
          value={percent(falloff)}
          minimum={0}
          maximum={100}
          unit="%"
          testId="brush-falloff"
          onCommit={(next) => setBrush({ falloff: next / 100 })}
          onStep={(count, fine) => setBrush({ falloff: stepShare(falloff, count, fine) })}
        />
      </Field>
    </div>
  );
}

function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <span className="brush-field" title={hint}>
      <span className="brush-field-name">{label}</span>
      {children}
    </span>
  );
}

function stepShare(share: number, count: number, fine: boolean): number {
  return Math.min(1, Math.max(0, Math.round(share * 100 + count * (fine ? 1 : 10)) / 100));
}

/** A brush has a middle cell. */
function oddSize(size: number): number {
  return Math.min(maximumBrushSize, Math.max(1, 2 * Math.floor(size / 2) + 1));
}
