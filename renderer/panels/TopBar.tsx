// The top bar: menus, undo and redo, zoom, compare, the engine and Export.

import { Redo2, Undo2 } from 'lucide-react';
import { canRedo, canUndo } from '../../core/history';
import { runCommand } from '../commands';
import { useWords } from '../i18n/useWords';
import { useKeyOf } from '../keys';
import { usePage } from '../store';
import { Button, IconButton } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { formatNumber } from '../ui/numberText';
import { Segment } from '../ui/Segment';
import { currentViewport } from '../viewport/current';
import { maximumZoom, minimumZoom } from '../viewport/geometry';
import { EngineChip } from './EngineChip';
import { HistoryButton } from './HistoryList';
import { MenuBar } from './MenuBar';
import './topBar.css';

export function TopBar() {
  const { t } = useWords();
  const hasPicture = usePage((state) => state.image !== null);
  const undoable = usePage((state) => state.image !== null && canUndo(state.history));
  const redoable = usePage((state) => state.image !== null && canRedo(state.history));
  const compare = usePage((state) => state.compare);
  const exporting = usePage((state) => state.exporting !== null);
  return (
    <header className="top-bar">
      <div className="top-start">
        <span className="brand">
          <Logo />
          <span className="brand-name">Convolve</span>
        </span>
        <MenuBar />
      </div>
      <div className="top-middle">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's looks and meaning */}
        <div className="top-group" role="group" aria-label={t('top.history')}>
          <IconButton
            framed
            label={t('command.undo')}
            shortcut={useKeyOf('edit.undo')}
            isDisabled={!undoable}
            onPress={() => runCommand('edit.undo')}
            testId="undo"
          >
            <Undo2 size={14} aria-hidden="true" />
          </IconButton>
          <IconButton
            framed
            label={t('command.redo')}
            shortcut={useKeyOf('edit.redo')}
            isDisabled={!redoable}
            onPress={() => runCommand('edit.redo')}
            testId="redo"
          >
            <Redo2 size={14} aria-hidden="true" />
          </IconButton>
          <HistoryButton />
        </div>
        <ZoomControls />
        <Segment
          label={t('top.compare')}
          value={hasPicture ? compare : null}
          isDisabled={!hasPicture}
          items={[
            { value: 'result', label: t('command.showResult'), testId: 'compare-result' },
            { value: 'split', label: t('command.showSplit'), testId: 'compare-split' },
            { value: 'original', label: t('command.showOriginal'), testId: 'compare-original' },
            { value: 'difference', label: t('top.difference'), testId: 'compare-difference' },
          ]}
          onChoose={(mode) => runCommand(`view.${mode}`)}
        />
      </div>
      <div className="top-end">
        <EngineChip />
        <Button
          look="primary"
          isDisabled={!hasPicture || exporting}
          onPress={() => runCommand('file.export')}
          testId="export"
        >
          {t('command.export')}
        </Button>
      </div>
    </header>
  );
}

function ZoomControls() {
  const { t } = useWords();
  const hasPicture = usePage((state) => state.image !== null);
  const zoom = usePage((state) => state.view?.zoom ?? 1);
  const mode = usePage((state) => state.view?.zoomMode ?? 'fit');
  const chosen = !hasPicture
    ? null
    : mode === 'fit'
      ? 'fit'
      : zoom === 1
        ? 'actualSize'
        : zoom === 2
          ? 'doubleSize'
          : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's looks and meaning
    <div className="top-group" role="group" aria-label={t('top.zoom')}>
      <Segment
        label={t('top.zoom')}
        value={chosen}
        isDisabled={!hasPicture}
        items={[
          { value: 'fit', label: t('command.fit'), testId: 'zoom-fit' },
          { value: 'actualSize', label: t('command.actualSize'), testId: 'zoom-100' },
          { value: 'doubleSize', label: t('command.doubleSize'), testId: 'zoom-200' },
        ]}
        onChoose={(value) => runCommand(`view.${value}`)}
      />
      <span className="zoom-now">
        <NumberField
          label={t('top.zoom')}
          value={Number(formatNumber(zoom * 100, 3))}
          minimum={minimumZoom * 100}
          maximum={maximumZoom * 100}
          unit="%"
          digits={4}
          isDisabled={!hasPicture}
          testId="zoom-percent"
          onCommit={(percent) => currentViewport()?.sight.zoomTo(percent / 100)}
          onStep={(count) => currentViewport()?.sight.zoomStep(count > 0 ? 1 : -1)}
        />
      </span>
    </div>
  );
}

/** Three by three cells, the middle one bright: a kernel. */
function Logo() {
  const cells = [0.35, 0.6, 0.35, 0.6, 1, 0.6, 0.35, 0.6, 0.35];
  return (
    <svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true">
      {cells.map((opacity, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: nine fixed cells
          key={index}
          x={(index % 3) * 6}
          y={Math.floor(index / 3) * 6}
          width="5"
          height="5"
          rx="1"
          fill="#58c4b6"
          opacity={opacity}
        />
      ))}
    </svg>
  );
}
