// How pictures are written: what a format has to say, depth, colours, metadata and size. For the export and the batch.

import { Switch } from 'react-aria-components';
import {
  chromaModes,
  type ExportFormat,
  type ExportOptions,
  exportDepths,
  exportProfiles,
  maximumResizedEdge,
  metadataChoices,
  receiptPlaces,
  standardExport,
  tiffCompressions,
} from '../../core/exportOptions';
import { useWords } from '../i18n/useWords';
import { Choice } from '../ui/Choice';
import { NumberField } from '../ui/NumberField';
import { ParameterSlider } from '../ui/ParameterSlider';

const chromaKeys = { auto: 'export.chromaAuto', '4:4:4': 'export.chromaFull', '4:2:0': 'export.chromaHalf' } as const;
const compressionKeys = {
  deflate: 'export.compressionDeflate',
  lzw: 'export.compressionLzw',
  none: 'export.compressionNone',
} as const;
const depthKeys = {
  same: 'export.depthSame',
  u8: 'export.depth8',
  u16: 'export.depth16',
  f32: 'export.depthFloat',
} as const;
const profileKeys = {
  keep: 'export.profileKeep',
  srgb: 'export.profileSrgb',
  displayP3: 'export.profileDisplayP3',
} as const;
const metadataKeys = { keep: 'export.metadataKeep', remove: 'export.metadataRemove' } as const;
const receiptKeys = {
  none: 'export.receiptNone',
  beside: 'export.receiptBeside',
  inside: 'export.receiptInside',
} as const;
/** The longest side that is offered at first. */
const usualSide = 1920;

interface ExportSettingsProps {
  readonly options: ExportOptions;
  /** null: each picture's own format, of which every setting may count. */
  readonly format: ExportFormat | null;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<ExportOptions>) => void;
}

export function ExportSettings({ options, format, isDisabled, onChange }: ExportSettingsProps) {
  const { t } = useWords();
  const any = format === null;
  const canBeLossless = any || format === 'webp' || format === 'avif';
  const lossless = options.lossless && canBeLossless && !any;
  const lossy = any || format === 'jpeg' || (canBeLossless && !lossless);
  const hasChroma = any || format === 'jpeg' || (format === 'avif' && !lossless);
  const hasDepth = any || format === 'png' || format === 'tiff';
  const depths = exportDepths.filter((depth) => depth !== 'f32' || format !== 'png');
  const check = (key: 'lossless' | 'progressive' | 'dither', label: string) => (
    <div className="field-row">
      <span className="row-label" />
      <Switch
        className="check"
        isSelected={options[key]}
        isDisabled={isDisabled}
        onChange={(chosen) => onChange({ [key]: chosen })}
        data-testid={`export-${key}`}
      >
        <span className="check-mark" />
        {label}
      </Switch>
    </div>
  );
  return (
    <>
      {canBeLossless && check('lossless', t('export.lossless'))}
      {lossy && (
        <ParameterSlider
          label={t('export.quality')}
          value={options.quality}
          standard={standardExport.quality}
          scale={{ minimum: 1, maximum: 100, step: 1, scale: 'linear', whole: true }}
          unit=""
          isDisabled={isDisabled}
          testId="export-quality"
          onChange={(quality) => onChange({ quality })}
          onGesture={() => {}}
        />
      )}
      {hasChroma && (
        <Choice
          label={t('export.chroma')}
          value={options.chroma}
          options={chromaModes.map((value) => ({ value, label: t(chromaKeys[value]) }))}
          isDisabled={isDisabled}
          testId="export-chroma"
          onChoose={(chroma) => onChange({ chroma })}
        />
      )}
      {(any || format === 'jpeg') && check('progressive', t('export.progressive'))}
      {(any || format === 'tiff') && (
        <Choice
          label={t('export.compression')}
          value={options.compression}
          options={tiffCompressions.map((value) => ({ value, label: t(compressionKeys[value]) }))}
          isDisabled={isDisabled}
          testId="export-compression"
          onChoose={(compression) => onChange({ compression })}
        />
      )}
      {hasDepth && (
        <Choice
          label={t('export.depth')}
          value={options.depth}
          options={depths.map((value) => ({ value, label: t(depthKeys[value]) }))}
          isDisabled={isDisabled}
          testId="export-depth"
          onChoose={(depth) => onChange({ depth })}
        />
      )}
      {format !== 'pfm' && check('dither', t('export.dither'))}
      <Choice
        label={t('export.profile')}
        value={options.profile}
        options={exportProfiles.map((value) => ({ value, label: t(profileKeys[value]) }))}
        isDisabled={isDisabled}
        testId="export-profile"
        onChoose={(profile) => onChange({ profile })}
      />
      {format !== 'pfm' && (
        <Choice
          label={t('export.metadata')}
          value={options.metadata}
          options={metadataChoices.map((value) => ({ value, label: t(metadataKeys[value]) }))}
          isDisabled={isDisabled}
          testId="export-metadata"
          onChoose={(metadata) => onChange({ metadata })}
        />
      )}
      <Choice
        label={t('export.receipt')}
        value={options.receipt}
        options={receiptPlaces
          .filter((place) => place !== 'inside' || format !== 'pfm')
          .map((value) => ({ value, label: t(receiptKeys[value]) }))}
        isDisabled={isDisabled}
        testId="export-receipt"
        onChoose={(receipt) => onChange({ receipt })}
      />
      <Size options={options} isDisabled={isDisabled} onChange={onChange} />
    </>
  );
}

/** The full size, or a box with four equal sides that the picture is made to fit. */
function Size({ options, isDisabled, onChange }: Omit<ExportSettingsProps, 'format'>) {
  const { t } = useWords();
  const side = options.resize?.width ?? null;
  const resizeTo = (length: number) => onChange({ resize: { width: length, height: length } });
  return (
    <div className="export-size">
      <Choice
        label={t('export.resize')}
        value={side === null ? 'off' : 'on'}
        options={[
          { value: 'off', label: t('export.resizeOff') },
          { value: 'on', label: t('export.resizeOn') },
        ]}
        isDisabled={isDisabled}
        testId="export-resize"
        onChoose={(chosen) => (chosen === 'on' ? resizeTo(usualSide) : onChange({ resize: null }))}
      />
      {side !== null && (
        <NumberField
          label={t('export.longestSide')}
          value={side}
          minimum={1}
          maximum={maximumResizedEdge}
          whole
          unit="px"
          isDisabled={isDisabled}
          testId="export-side"
          onCommit={resizeTo}
        />
      )}
    </div>
  );
}
