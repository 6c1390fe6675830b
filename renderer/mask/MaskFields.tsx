// What a mask is made of: its shapes with their numbers, its range of brightness, its feather, and whether it is inverted.

import { Sun, Trash2 } from 'lucide-react';
import { Switch } from 'react-aria-components';
import type { Filter } from '../../core/document';
import { type LuminanceRange, type Mask, type MaskShape, maskCombinations } from '../../core/mask';
import {
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
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { IconButton } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { ParameterSlider } from '../ui/ParameterSlider';
import { PercentSlider } from '../ui/PercentSlider';
import { Segment } from '../ui/Segment';
import { editMask, removeShapeAt } from './maskActions';
import { editedShape, maskDesk, useMaskDesk } from './maskDesk';
import { shapeIcons } from './shapeIcons';

export function MaskFields({ filter, mask }: { readonly filter: Filter; readonly mask: Mask }) {
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
        unit={t('unit.pixels')}
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
    <PercentSlider
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
        unit={isShare ? '%' : t(field === 'angle' ? 'unit.degrees' : 'unit.pixels')}
        testId={`mask-field-${field}`}
        onCommit={set}
        onStep={(count, fine) => set(value + count * (fine ? 0.1 : 1))}
      />
    </span>
  );
}
