// Every command with its keys: found by typing, changed by pressing the new ones, given back what they came with. A key that
// is another command's is named at once, and taken only when asked for.

import { RotateCcw, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Input, SearchField, useFilter } from 'react-aria-components';
import { changeSettings } from '../actions';
import { type ChangedKeys, changeKeys, claimant, takeKey } from '../commandKeys';
import { commandsFor, fullLabelOf, shippedCommands } from '../commands';
import type { Command } from '../commands/record';
import { useWords } from '../i18n/useWords';
import { isMac } from '../keys';
import { DialogShell } from '../panels/DialogShell';
import { describeShortcut, isAllowed, shortcutOf } from '../shortcuts';
import { pageStore, usePage } from '../store';
import { Button, IconButton } from '../ui/Button';
import './settings.css';

/** A command waits for its keys; `pressed` are keys that it cannot have just like that. */
interface Recording {
  readonly id: string;
  readonly pressed: string | null;
}

const noKeys: ChangedKeys = {};

export function KeysDialog() {
  const { t } = useWords();
  const { contains } = useFilter({ sensitivity: 'base' });
  const keys = usePage((state) => state.application?.settings.keys ?? noKeys);
  const [text, setText] = useState('');
  const [recording, setRecording] = useState<Recording | null>(null);
  const state = pageStore.getState();
  // Recent files come and go: what opens the second of them today opens another tomorrow.
  const isLasting = ({ id }: Command) => !id.startsWith('file.recent.');
  const commands = commandsFor(state).filter(isLasting);
  const shipped = new Map(shippedCommands(state).map((command) => [command.id, command]));
  const said = (shortcuts: readonly string[]) =>
    shortcuts.map((shortcut) => describeShortcut(shortcut, isMac)).join(', ');
  const shown = commands.filter(
    (command) => contains(fullLabelOf(command, t), text) || contains(said(command.shortcuts), text),
  );

  const keep = (next: ChangedKeys) => {
    setRecording(null);
    void changeSettings({ keys: next });
  };
  const give = (command: Command, shortcuts: readonly string[]) =>
    changeKeys(keys, shipped.get(command.id) ?? command, shortcuts);
  const take = ({ id }: Command, shortcut: string) =>
    keep(takeKey(keys, commands, [...shipped.values()], id, shortcut));
  const press = (command: Command, shortcut: string) => {
    if (isAllowed(shortcut) && claimant(commands, shortcut, command.id) === null) keep(give(command, [shortcut]));
    else setRecording({ id: command.id, pressed: shortcut });
  };

  return (
    <DialogShell title={t('dialog.shortcuts')} testId="shortcuts" width="wide">
      <div className="keys-tools">
        <SearchField className="keys-search" aria-label={t('keys.search')} value={text} onChange={setText} autoFocus>
          <Search size={14} aria-hidden="true" />
          <Input placeholder={t('keys.search')} data-testid="keys-search" />
        </SearchField>
        <Button look="quiet" isDisabled={Object.keys(keys).length === 0} onPress={() => keep({})} testId="keys-reset">
          {t('keys.resetAll')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus of its own a keyboard could not scroll it */}
      <section className="dialog-scroll" tabIndex={0} aria-label={t('dialog.shortcuts')}>
        <table className="key-table">
          <tbody>
            {shown.map((command) => (
              <KeyRow
                key={command.id}
                command={command}
                label={fullLabelOf(command, t)}
                keys={said(command.shortcuts)}
                isChanged={keys[command.id] !== undefined}
                recording={recording?.id === command.id ? recording : null}
                claimant={
                  recording?.id === command.id && recording.pressed !== null
                    ? claimant(commands, recording.pressed, command.id)
                    : null
                }
                onRecord={() => setRecording({ id: command.id, pressed: null })}
                onPress={(shortcut) => press(command, shortcut)}
                onTake={(shortcut) => take(command, shortcut)}
                onStop={() => setRecording(null)}
                onRemove={() => keep(give(command, []))}
                onReset={() => keep(give(command, shipped.get(command.id)?.shortcuts ?? []))}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p className="quiet">{t('dialog.paletteEmpty')}</p>}
        <h3 className="section-title">{t('dialog.pointer')}</h3>
        <ul className="dialog-dim">
          <li>{t('dialog.wheel')}</li>
          <li>{t('dialog.drag')}</li>
          <li>{t('dialog.doubleClick')}</li>
          <li>{t('dialog.scrub')}</li>
        </ul>
      </section>
    </DialogShell>
  );
}

interface KeyRowProps {
  readonly command: Command;
  readonly label: string;
  /** Its keys, for people; '' where it has none. */
  readonly keys: string;
  readonly isChanged: boolean;
  readonly recording: Recording | null;
  /** Whose the pressed key is. */
  readonly claimant: Command | null;
  readonly onRecord: () => void;
  readonly onPress: (shortcut: string) => void;
  readonly onTake: (shortcut: string) => void;
  readonly onStop: () => void;
  readonly onRemove: () => void;
  readonly onReset: () => void;
}

function KeyRow(props: KeyRowProps) {
  const { command, label, keys, isChanged, recording, claimant: other } = props;
  const { t } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const isRecording = recording !== null;
  const wasRecording = useRef(false);
  useEffect(() => {
    // The field that took the keys had the focus and is gone.
    if (wasRecording.current && !isRecording && document.activeElement === document.body) button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);
  const pressed = recording?.pressed ?? null;
  const written = pressed === null ? '' : describeShortcut(pressed, isMac);
  return (
    <tr data-testid={`keys-${command.id}`} data-changed={isChanged || undefined}>
      <td>
        {label}
        {pressed !== null && (
          <p className="key-conflict" role="alert">
            {other === null
              ? t('keys.refused', { key: written })
              : t('keys.taken', { key: written, command: fullLabelOf(other, t) })}
          </p>
        )}
      </td>
      <td>
        <span className="key-cell">
          {recording === null ? (
            <button
              ref={button}
              type="button"
              className="key-button"
              aria-label={t('keys.change', { command: label, keys: keys === '' ? t('keys.none') : keys })}
              onClick={props.onRecord}
            >
              {keys === '' ? t('keys.none') : keys}
            </button>
          ) : (
            <KeyRecorder label={t('keys.record', { command: label })} onPress={props.onPress} onStop={props.onStop} />
          )}
          {pressed !== null && other !== null && (
            <Button onPress={() => props.onTake(pressed)} testId="keys-take">
              {t('keys.take')}
            </Button>
          )}
          {recording === null && keys !== '' && (
            <IconButton label={t('keys.remove', { command: label })} onPress={props.onRemove}>
              <X size={13} aria-hidden="true" />
            </IconButton>
          )}
          {recording === null && isChanged && (
            <IconButton label={t('keys.reset', { command: label })} onPress={props.onReset}>
              <RotateCcw size={13} aria-hidden="true" />
            </IconButton>
          )}
        </span>
      </td>
    </tr>
  );
}

interface KeyRecorderProps {
  readonly label: string;
  readonly onPress: (shortcut: string) => void;
  readonly onStop: () => void;
}

/** Takes the next keys that are pressed; Esc and Tab leave it. */
function KeyRecorder({ label, onPress, onStop }: KeyRecorderProps) {
  const { t } = useWords();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === 'Tab' && plain) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && plain) return onStop();
    const shortcut = shortcutOf(event.nativeEvent, isMac);
    if (shortcut !== null) onPress(shortcut);
  };
  return (
    <input
      ref={field}
      className="key-recorder"
      aria-label={label}
      value=""
      placeholder={t('keys.press')}
      readOnly
      onKeyDownCapture={onKeyDown}
      data-testid="keys-recorder"
    />
  );
}
