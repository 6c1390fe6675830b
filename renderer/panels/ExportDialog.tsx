// Export: the format and how it is written, a preview of the file, then progress; Esc or Cancel stops it and leaves no file
// behind.

import { useState } from 'react';
import { exportLosses } from '../../core/exportLosses';
import {
  type ExportFormat,
  type ExportOptions,
  exportFormats,
  formatNames,
  standardExport,
} from '../../core/exportOptions';
import { cancelExport, exportPicture } from '../actions';
import { useWords } from '../i18n/useWords';
import { stackOf, usePage } from '../store';
import { Button } from '../ui/Button';
import { Segment } from '../ui/Segment';
import { resultSubject } from '../viewport/subject';
import { closeDialog, DialogShell } from './DialogShell';
import { ExportPreview } from './ExportPreview';
import { ExportSettings } from './ExportSettings';
import { Losses } from './Losses';
import './exportDialog.css';

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
  const busy = exporting !== null;
  const dismiss = () => (busy ? cancelExport() : closeDialog());
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
        isDisabled={busy}
        onChoose={(format) => change({ format })}
      />
      <p className="dialog-dim" data-testid="export-note">
        {t(`export.${options.format}`)}
      </p>
      <Losses losses={exportLosses(image, options)} />
      <div className="dialog-scroll export-settings">
        <ExportSettings options={options} format={options.format} isDisabled={busy} onChange={change} />
        <ExportPreview options={options} isDisabled={busy} />
      </div>
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
