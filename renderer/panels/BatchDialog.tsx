// The batch: which pictures, where to, how they are named and written; then progress with pause and cancel, and what failed.

import { useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import {
  type BatchEnd,
  type BatchFormat,
  type BatchProgress,
  batchFormats,
  conflictRules,
  linesOf,
} from '../../core/batch';
import { errorText } from '../../core/errorText';
import { lossText, possibleLosses } from '../../core/exportLosses';
import { type ExportOptions, formatNames, standardExport } from '../../core/exportOptions';
import { warningText } from '../../core/warningText';
import {
  cancelBatch,
  chooseBatchFiles,
  chooseBatchFolder,
  chooseBatchTarget,
  pauseBatch,
  startBatch,
} from '../batchActions';
import { type Translate, useWords } from '../i18n/useWords';
import { stackOf, usePage } from '../store';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { workingStack } from '../viewport/subject';
import { closeDialog, DialogShell } from './DialogShell';
import { ExportSettings } from './ExportSettings';
import { Losses } from './Losses';
import './exportDialog.css';

const conflictKeys = {
  skip: 'batch.conflictSkip',
  rename: 'batch.conflictRename',
  overwrite: 'batch.conflictOverwrite',
} as const;

interface BatchSettings {
  readonly options: ExportOptions;
  readonly format: BatchFormat;
  readonly pattern: string;
  readonly conflict: (typeof conflictRules)[number];
}

/** What the person chose last, for the next batch in this window. */
let remembered: BatchSettings = { options: standardExport, format: 'same', pattern: '{name}', conflict: 'skip' };

/** Seconds as people say them. */
function durationText(seconds: number, t: Translate): string {
  const whole = Math.round(seconds);
  if (whole < 60) return t('batch.seconds', { count: whole });
  if (whole < 3600) return t('batch.minutes', { minutes: Math.floor(whole / 60), seconds: whole % 60 });
  return t('batch.hours', { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60) });
}

function progressText(progress: BatchProgress, paused: boolean, t: Translate): string {
  const { total, done, skipped, failed, rate, secondsLeft } = progress;
  const parts = [t('batch.count', { done: done + skipped + failed, total })];
  if (failed > 0) parts.push(t('batch.failed', { count: failed }));
  if (paused) parts.push(t('batch.paused'));
  else if (rate > 0) parts.push(t('batch.rate', { rate: rate >= 10 ? rate.toFixed(0) : rate.toFixed(1) }));
  if (!paused && secondsLeft !== null && secondsLeft > 0)
    parts.push(t('batch.left', { time: durationText(secondsLeft, t) }));
  return parts.join(' · ');
}

function endText(end: BatchEnd, t: Translate): string {
  const { done, skipped, failed, total, milliseconds, stopped, left } = end;
  const time = durationText(milliseconds / 1000, t);
  if (stopped) return t('batch.stopped', { count: done + skipped + failed, total });
  const result =
    failed === 0 ? t('batch.doneAll', { count: done, time }) : t('batch.doneSome', { count: done, failed, time });
  const others = skipped - left.taken;
  const parts = [
    result,
    ...(others > 0 ? [t('batch.skipped', { count: others })] : []),
    ...(left.taken > 0 ? [t('batch.taken', { count: left.taken })] : []),
    ...(left.changed > 0 ? [t('batch.changed', { count: left.changed })] : []),
  ];
  return parts.join(' ');
}

export function BatchDialog() {
  const { t } = useWords();
  const [settings, setSettings] = useState(remembered);
  const batch = usePage((state) => state.batch);
  const filters = usePage((state) => workingStack(stackOf(state)).length);
  const change = (next: Partial<BatchSettings>) => {
    remembered = { ...settings, ...next };
    setSettings(remembered);
  };
  const { chosen, folder, running, end } = batch;
  const start = (scope: 'start' | 'resume' | 'retry') => void startBatch({ ...settings, scope });
  return (
    <DialogShell title={t('batch.title')} testId="batch-dialog" width="wide">
      <p className="dialog-dim">{t('batch.filters', { count: filters })}</p>
      <div className="dialog-scroll export-settings">
        <div className="batch-choice">
          <span className="row-label">{t('batch.pictures')}</span>
          <span className="batch-chosen" data-testid="batch-pictures">
            {chosen === null ? t('batch.noPictures') : t('batch.chosen', { ...chosen })}
          </span>
          <Button onPress={() => void chooseBatchFiles()} isDisabled={running !== null} testId="batch-files">
            {t('batch.chooseFiles')}
          </Button>
          <Button onPress={() => void chooseBatchFolder()} isDisabled={running !== null} testId="batch-folder">
            {t('batch.chooseFolder')}
          </Button>
        </div>
        <div className="batch-choice">
          <span className="row-label">{t('batch.target')}</span>
          <span className="batch-chosen" data-testid="batch-target-name">
            {folder ?? t('batch.noTarget')}
          </span>
          <Button onPress={() => void chooseBatchTarget()} isDisabled={running !== null} testId="batch-target">
            {t('batch.chooseTarget')}
          </Button>
        </div>
        <TextField
          className="batch-choice"
          value={settings.pattern}
          isDisabled={running !== null}
          onChange={(pattern) => change({ pattern })}
        >
          <Label className="row-label">{t('batch.name')}</Label>
          <Input className="batch-name" spellCheck="false" data-testid="batch-name" />
        </TextField>
        <p className="dialog-dim">
          {t('batch.nameHelp')} {t('batch.links')}
        </p>
        <Choice
          label={t('batch.conflict')}
          value={settings.conflict}
          options={conflictRules.map((value) => ({ value, label: t(conflictKeys[value]) }))}
          isDisabled={running !== null}
          testId="batch-conflict"
          onChoose={(conflict) => change({ conflict })}
        />
        <Choice
          label={t('export.format')}
          value={settings.format}
          options={batchFormats.map((value) => ({
            value,
            label: value === 'same' ? t('batch.same') : formatNames[value],
          }))}
          isDisabled={running !== null}
          testId="batch-format"
          onChoose={(format) => change({ format })}
        />
        {settings.format !== 'same' && (
          <Losses losses={possibleLosses({ ...settings.options, format: settings.format })} />
        )}
        <ExportSettings
          options={settings.options}
          format={settings.format === 'same' ? null : settings.format}
          isDisabled={running !== null}
          onChange={(next) => change({ options: { ...settings.options, ...next } })}
        />
      </div>
      {end !== null && <BatchResult end={end} />}
      {running === null ? (
        <div className="dialog-actions">
          <Button onPress={closeDialog}>{t('batch.close')}</Button>
          {end?.stopped && (
            <Button onPress={() => start('resume')} testId="batch-resume">
              {t('batch.resume')}
            </Button>
          )}
          {end !== null && end.failed > 0 && !end.stopped && (
            <Button onPress={() => start('retry')} testId="batch-retry">
              {t('batch.retry')}
            </Button>
          )}
          <Button
            look="primary"
            isDisabled={chosen === null || chosen.count === 0 || folder === null}
            onPress={() => start('start')}
            testId="batch-start"
          >
            {t('batch.start')}
          </Button>
        </div>
      ) : (
        <Running progress={running.progress} paused={running.paused} />
      )}
    </DialogShell>
  );
}

function Running({ progress, paused }: { progress: BatchProgress | null; paused: boolean }) {
  const { t } = useWords();
  const worked = progress === null ? 0 : progress.done + progress.skipped + progress.failed;
  return (
    <div className="dialog-progress">
      <p role="status" data-testid="batch-status">
        {progress === null ? t('export.previewing') : progressText(progress, paused, t)}
      </p>
      <progress
        aria-label={t('batch.progress')}
        max={progress?.total ?? 1}
        value={worked}
        data-testid="batch-progress"
      />
      <div className="dialog-actions">
        <Button onPress={() => pauseBatch(!paused)} testId="batch-pause">
          {paused ? t('batch.goOn') : t('batch.pause')}
        </Button>
        <Button onPress={cancelBatch} testId="batch-cancel">
          {t('batch.cancel')}
        </Button>
      </div>
    </div>
  );
}

function BatchResult({ end }: { end: BatchEnd }) {
  const { t, language } = useWords();
  const known = linesOf(
    [
      ...end.warnings.map(({ name, warning }) => ({ name, text: warningText(warning, language) })),
      ...end.losses.map(({ name, loss }) => ({ name, text: lossText(loss, language) })),
    ],
    language,
  );
  return (
    <div role="status" data-testid="batch-end">
      <p>{endText(end, t)}</p>
      {end.failures.length > 0 && (
        <ul className="batch-failures" aria-label={t('batch.failures')}>
          {end.failures.map(({ name, failure }) => (
            <li key={name}>
              {/* A sentence without a subject would not say which picture. */}
              {failure.subject === name ? '' : `${name}: `}
              {errorText(failure, language)}
            </li>
          ))}
        </ul>
      )}
      {known.length > 0 && (
        <ul className="batch-failures" aria-label={t('batch.warnings')} data-testid="batch-warnings">
          {known.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
