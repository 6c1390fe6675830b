// Export: the format and its quality, then progress; Esc or Cancel stops it and leaves no file behind.

import { useState } from 'react';
import { Switch } from 'react-aria-components';
import { type ExportFormat, type ExportOptions, exportFormats, standardExport } from '../../core/exportOptions';
import { cancelExport, exportPicture } from '../actions';
import { useWords } from '../i18n/useWords';
import { stackOf, usePage } from '../store';
import { Button } from '../ui/Button';
import { ParameterSlider } from '../ui/ParameterSlider';
import { Segment } from '../ui/Segment';
import { resultSubject } from '../viewport/subject';
import { closeDialog, DialogShell } from './DialogShell';

/** The formats by the names that everybody writes the same. */
const formatNames: Readonly<Record<ExportFormat, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  tiff: 'TIFF',
  avif: 'AVIF',
  pfm: 'PFM',
};
const standardQuality = 90;
/** What the person chose last, for the next export in this window. */
let remembered: ExportOptions = standardExport;

export function ExportDialog() {
  const { t } = useWords();
  const [options, setOptions] = useState(remembered);
  const image = usePage((state) => state.image);
  const stack = usePage(stackOf);
  const exporting = usePage((state) => state.exporting);
  if (image === null) return null;
  const { width, height } = resultSubject(image, stack).size;
  const change = (next: Partial<ExportOptions>) => {
    remembered = { ...options, ...next };
    setOptions(remembered);
  };
  const lossy = options.format === 'jpeg' || (options.format === 'webp' && !options.lossless);
  const dismiss = () => (exporting === null ? closeDialog() : cancelExport());
  return (
    <DialogShell title={t('export.title')} testId="export-dialog" onDismiss={dismiss}>
      <p className="dialog-dim">{t('export.size', { width, height })}</p>
      <Segment<ExportFormat>
        label={t('export.format')}
        wide
        value={options.format}
        items={exportFormats.map((format) => ({
          value: format,
          label: formatNames[format],
          testId: `export-${format}`,
        }))}
        isDisabled={exporting !== null}
        onChoose={(format) => change({ format })}
      />
      <p className="dialog-dim" data-testid="export-note">
        {t(`export.${options.format}`)}
      </p>
      {options.format === 'webp' && (
        <div className="field-row">
          <span className="row-label" />
          <Switch
            className="check"
            isSelected={options.lossless}
            isDisabled={exporting !== null}
            onChange={(lossless) => change({ lossless })}
            data-testid="export-lossless"
          >
            <span className="check-mark" />
            {t('export.lossless')}
          </Switch>
        </div>
      )}
      {lossy && (
        <ParameterSlider
          label={t('export.quality')}
          value={options.quality}
          standard={standardQuality}
          scale={{ minimum: 1, maximum: 100, step: 1, scale: 'linear', whole: true }}
          unit=""
          isDisabled={exporting !== null}
          testId="export-quality"
          onChange={(quality) => change({ quality })}
          onGesture={() => {}}
        />
      )}
      {exporting === null ? (
        <div className="dialog-actions">
          <Button onPress={closeDialog}>{t('export.cancel')}</Button>
          <Button look="primary" onPress={() => void exportPicture(options)} testId="export-go">
            {t('export.go')}
          </Button>
        </div>
      ) : (
        <div className="dialog-progress">
          <p role="status">{t('export.running', { percent: Math.round(exporting.share * 100) })}</p>
          <progress aria-label={t('export.progress')} max={1} value={exporting.share} data-testid="export-progress" />
          <p className="dialog-dim">{t('export.escape')}</p>
          <div className="dialog-actions">
            <Button onPress={cancelExport} testId="export-cancel">
              {t('export.cancel')}
            </Button>
          </div>
        </div>
      )}
    </DialogShell>
  );
}
