// Where the selected filter works: buttons that add shapes to its mask, the shapes with their numbers, brightness, feather.

import { Brush, Circle, ClipboardPaste, Copy, Eye, EyeOff, Square, Sun, Trash2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Switch, ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import type { Filter } from '../../core/document';
import {
  type LuminanceRange,
  type Mask,
  type MaskShape,
  type MaskShapeKind,
  maskCombinations,
  maskShapeKinds,
} from '../../core/mask';
import {
  brushLimits,
  changeShape,
  combineShape,
  featherLimits,
  type ShapeField,
  setShapeField,
  shapeField,
  shapeFields,
  shapeLimits,
} from '../../core/maskEdits';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { editor, usePage } from '../store';
import { Button, IconButton } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { ParameterSlider } from '../ui/ParameterSlider';
import { Segment } from '../ui/Segment';
import { canPasteMask, editMask, putInMiddle, removeShapeAt } from './maskActions';
import { editedShape, maskDesk, useMaskDesk } from './maskDesk';
import './maskSection.css';

/** A square or a disc that fades. */
function FadeIcon({ round }: { readonly round: boolean }) {
  return <span className={round ? 'mask-icon-radial' : 'mask-icon-linear'} />;
}

const shapeIcons: Readonly<Record<MaskShapeKind, ReactNode>> = {
  rectangle: <Square size={14} aria-hidden="true" />,
  ellipse: <Circle size={14} aria-hidden="true" />,
  linear: <FadeIcon round={false} />,
  radial: <FadeIcon round />,
  brush: <Brush size={14} aria-hidden="true" />,
};

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
        unit="px"
        testId="mask-brush-size"
        onChange={(size) => set({ size })}
        onGesture={() => undefined}
      />
      <Percent
        label={t('mask.hardness')}
        value={brush.hardness}
        standard={0.5}
        testId="mask-brush-hardness"
        onChange={(hardness) => set({ hardness })}
      />
      <Percent
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

interface PercentProps {
  readonly label: string;
  /** 0…1. */
  readonly value: number;
  readonly standard: number;
  readonly minimum?: number;
  readonly testId: string;
  readonly onChange: (value: number) => void;
  readonly onGesture?: (phase: 'begin' | 'end') => void;
}

/** A share, shown in percent. */
function Percent({ label, value, standard, minimum = 0, testId, onChange, onGesture = () => undefined }: PercentProps) {
  return (
    <ParameterSlider
      label={label}
      value={Math.round(value * 1000) / 10}
      standard={standard * 100}
      scale={{ minimum: minimum * 100, maximum: 100, step: 1, scale: 'linear', whole: false }}
      unit="%"
      testId={testId}
      onChange={(percent) => onChange(Math.round(percent * 10) / 1000)}
      onGesture={onGesture}
    />
  );
}

function MaskFields({ filter, mask }: { readonly filter: Filter; readonly mask: Mask }) {
  const { t } = useWords();
  const edited = useMaskDesk((desk) => editedShape(desk, filter));
  return (
    <>
      <ol className="mask-shapes" aria-label={t('mask.shapes')}>
        {mask.shapes.map((shape, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a shape has no name but its place
          <ShapeRow key={index} filter={filter} shape={shape} index={index} isEdited={edited === index} />
        ))}
      </ol>
      {mask.luminance !== undefined && <LuminanceFields range={mask.luminance} />}
      <ParameterSlider
        label={t('mask.feather')}
        value={mask.feather}
        standard={0}
        scale={{ ...featherLimits, step: 0.5, scale: 'linear', whole: false }}
        unit="px"
        testId="mask-feather"
        onChange={(feather) => editMask((now) => ({ ...now, feather }))}
        onGesture={editor.gesture}
      />
      <Switch
        className="mask-switch"
        isSelected={mask.inverted}
        onChange={() => runCommand('mask.invert')}
        data-testid="mask-invert"
      >
        <span className="mask-switch-mark" aria-hidden="true" />
        {t('mask.inverted')}
      </Switch>
    </>
  );
}

function LuminanceFields({ range }: { readonly range: LuminanceRange }) {
  const { t } = useWords();
  const set = (change: Partial<LuminanceRange>) =>
    editMask((mask) => {
      const next = { ...range, ...change };
      // The end that is moved pushes the other.
      const low = change.high === undefined ? next.low : Math.min(next.low, next.high);
      const high = change.low === undefined ? next.high : Math.max(next.low, next.high);
      return { ...mask, luminance: { ...next, low, high } };
    });
  const field = (key: keyof LuminanceRange, standard: number) => (
    <Percent
      label={t(`mask.${key}`)}
      value={range[key]}
      standard={standard}
      testId={`mask-luminance-${key}`}
      onChange={(value) => set({ [key]: value })}
      onGesture={editor.gesture}
    />
  );
  return (
    <section className="mask-shape" aria-label={t('mask.luminance')}>
      <div className="mask-shape-row">
        <span className="mask-shape-name">
          <Sun size={14} aria-hidden="true" /> {t('mask.luminance')}
        </span>
        <IconButton
          label={t('mask.removeShape', { shape: t('mask.luminance') })}
          onPress={() => editMask(({ luminance: _range, ...mask }) => mask)}
        >
          <Trash2 size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {field('low', 0.5)}
      {field('high', 1)}
      {field('softness', 0.1)}
    </section>
  );
}

interface ShapeRowProps {
  readonly filter: Filter;
  readonly shape: MaskShape;
  readonly index: number;
  readonly isEdited: boolean;
}

const combinationSigns = { add: '+', subtract: '−', intersect: '∩' } as const;

function ShapeRow({ filter, shape, index, isEdited }: ShapeRowProps) {
  const { t } = useWords();
  const name = `${t(`mask.kind.${shape.kind}`)} ${index + 1}`;
  const select = () => maskDesk.setState({ shape: isEdited ? null : { filterId: filter.id, index } });
  return (
    <li className={isEdited ? 'mask-shape mask-shape-edited' : 'mask-shape'} data-testid="mask-shape">
      <div className="mask-shape-row">
        <button type="button" className="mask-shape-name" aria-expanded={isEdited} onClick={select}>
          {shapeIcons[shape.kind]} {name}
        </button>
        <Segment
          label={t('mask.combine', { shape: name })}
          value={shape.combine}
          items={maskCombinations.map((combine) => ({
            value: combine,
            label: t(`mask.combination.${combine}`),
            icon: combinationSigns[combine],
          }))}
          onChoose={(combine) => editMask((mask) => combineShape(mask, index, combine))}
        />
        <IconButton label={t('mask.removeShape', { shape: name })} onPress={() => removeShapeAt(index)}>
          <Trash2 size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {isEdited && shape.kind === 'brush' && (
        <p className="mask-strokes quiet">{t('mask.strokes', { count: shape.strokes.length })}</p>
      )}
      {isEdited && shapeFields(shape).length > 0 && (
        <div className="mask-fields">
          {shapeFields(shape).map((field) => (
            <ShapeNumber key={field} shape={shape} index={index} field={field} />
          ))}
        </div>
      )}
    </li>
  );
}

function ShapeNumber({
  shape,
  index,
  field,
}: {
  readonly shape: MaskShape;
  readonly index: number;
  readonly field: ShapeField;
}) {
  const { t } = useWords();
  const isShare = field === 'inner';
  const factor = isShare ? 100 : 1;
  const value = shapeField(shape, field) * factor;
  const { minimum, maximum } = shapeLimits[field];
  const set = (next: number) =>
    editMask((mask) => changeShape(mask, index, (one) => setShapeField(one, field, next / factor)));
  return (
    <span className="mask-field">
      <span className="row-label">{t(`mask.field.${field}`)}</span>
      <NumberField
        label={t(`mask.field.${field}`)}
        value={value}
        minimum={minimum * factor}
        maximum={maximum * factor}
        unit={isShare ? '%' : field === 'angle' ? '°' : 'px'}
        testId={`mask-field-${field}`}
        onCommit={set}
        onStep={(count, fine) => set(value + count * (fine ? 0.1 : 1))}
      />
    </span>
  );
}
