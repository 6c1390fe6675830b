// The stack: every filter on the picture with its switch, name and summary; drag or Alt+arrows to reorder.

import { CircleDashed, Copy, Eye, GripVertical, Plus, Trash2 } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Button, GridList, GridListItem, Switch, useDragAndDrop } from 'react-aria-components';
import type { Filter } from '../../core/document';
import { moveFilter, toggleFilter } from '../../core/edits';
import { runCommand } from '../commands';
import { editor } from '../editor';
import { duplicateFilterById, removeFilterById } from '../filterActions';
import { useWords } from '../i18n/useWords';
import { useKeyOf } from '../keys';
import { dropKernel, kernelDragType } from '../library/library';
import { pageStore, stackOf, usePage } from '../store';
import { IconButton } from '../ui/Button';
import { filterName, filterSummary } from './filterWords';
import './stackPanel.css';

const dragType = 'application/x-convolve-filter';

/** Where a filter lands that is dropped before or after another: its index once it is out of its old place. */
function landing(id: string, targetId: string, position: 'before' | 'after' | 'on'): number | null {
  const stack = stackOf(pageStore.getState());
  const from = stack.findIndex((filter) => filter.id === id);
  const target = stack.findIndex((filter) => filter.id === targetId);
  if (from < 0 || target < 0) return null;
  const gap = position === 'after' ? target + 1 : target;
  return from < gap ? gap - 1 : gap;
}

/** The place among the rows that a height of the window lies at. */
function gapAt(list: HTMLElement, y: number): number {
  const rows = [...list.querySelectorAll('[data-testid="stack-item"]')];
  return rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y > top + height / 2;
  }).length;
}

export function StackPanel() {
  const { t, language } = useWords();
  const palette = useKeyOf('edit.palette') ?? t('command.palette');
  // Which filters there are; each row follows its own, so that a drag on one of them does not build the list anew.
  const ids = usePage((state) =>
    stackOf(state)
      .map((filter) => filter.id)
      .join('\n'),
  );
  const items = useMemo(() => (ids === '' ? [] : ids.split('\n').map((id) => ({ id }))), [ids]);
  const selectedId = usePage((state) => state.selectedId);
  const hasPicture = usePage((state) => state.image !== null);
  const [isTarget, setTarget] = useState(false);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [dragType]: String(key), 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const id = [...keys][0];
      if (id === undefined) return;
      const index = landing(String(id), String(target.key), target.dropPosition);
      if (index !== null) editor.edit((now) => moveFilter(now, String(id), index));
      editor.select(String(id));
    },
  });
  return (
    <section
      className={isTarget ? 'stack stack-drop' : 'stack'}
      aria-labelledby="stack-title"
      // Before the list, which takes only its own rows.
      onDragOverCapture={(event) => {
        if (!event.dataTransfer.types.includes(kernelDragType)) return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = 'copy';
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDropCapture={(event) => {
        if (!event.dataTransfer.types.includes(kernelDragType)) return;
        event.preventDefault();
        event.stopPropagation();
        setTarget(false);
        dropKernel(gapAt(event.currentTarget, event.clientY));
      }}
    >
      <header className="panel-header">
        <h2 id="stack-title">{t('stack.title')}</h2>
        <Button
          className="add-button"
          isDisabled={!hasPicture}
          onPress={() => runCommand('edit.palette')}
          data-testid="stack-add"
        >
          <Plus size={13} aria-hidden="true" /> {t('stack.add')}
        </Button>
      </header>
      {items.length === 0 ? (
        <p className="quiet stack-empty">{t(hasPicture ? 'stack.empty' : 'stack.noPicture', { palette })}</p>
      ) : (
        <GridList
          aria-label={t('stack.list')}
          className="stack-list"
          data-testid="stack"
          items={items}
          dependencies={[language, selectedId]}
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={selectedId === null ? [] : [selectedId]}
          onSelectionChange={(keys) => {
            const [key] = keys === 'all' ? [] : [...keys];
            if (key !== undefined) editor.select(String(key));
          }}
          dragAndDropHooks={dragAndDropHooks}
        >
          {({ id }) => <StackItem id={id} />}
        </GridList>
      )}
    </section>
  );
}

/** The name; it scrolls into view when its filter is chosen, which may be outside what is visible of a long stack. */
function StackName({ name, id }: { readonly name: string; readonly id: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const isSelected = usePage((state) => state.selectedId === id);
  useEffect(() => {
    if (isSelected) place.current?.closest('[role="row"]')?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <span ref={place} className="stack-name">
      {name}
    </span>
  );
}

function StackItem({ id }: { readonly id: string }) {
  const { t } = useWords();
  const filter = usePage((state) => stackOf(state).find((one) => one.id === id));
  if (filter === undefined) return null;
  const { enabled, mask } = filter;
  return <StackRow id={id} name={filterName(filter, t)} enabled={enabled} masked={mask !== undefined} />;
}

interface StackRowProps extends Pick<Filter, 'id' | 'enabled'> {
  readonly name: string;
  readonly masked: boolean;
}

/** What a filter does in a few words, which alone is drawn anew when one of its numbers changes. */
function StackSummary({ id }: { readonly id: string }) {
  const { t } = useWords();
  const summary = usePage((state) => {
    const filter = stackOf(state).find((one) => one.id === id);
    return filter === undefined ? '' : filterSummary(filter, t);
  });
  return (
    <span className="stack-summary" title={summary}>
      {summary}
    </span>
  );
}

/** Drawn anew only for another name: a stroke over a kernel, or a slider, must not wait for its row. */
const StackRow = memo(function StackRow({ id, enabled, masked, name }: StackRowProps) {
  const { t } = useWords();
  return (
    <GridListItem
      id={id}
      textValue={name}
      className={enabled ? 'stack-item' : 'stack-item stack-item-off'}
      data-testid="stack-item"
    >
      <Switch
        className="ring"
        aria-label={t('stack.switch', { filter: name })}
        isSelected={enabled}
        onChange={() => editor.edit((stack) => toggleFilter(stack, id))}
      >
        <span className="ring-mark" />
      </Switch>
      <StackName name={name} id={id} />
      {masked && (
        <span
          className="stack-mask"
          role="img"
          aria-label={t('mask.has')}
          title={t('mask.has')}
          data-testid="stack-mask"
        >
          <CircleDashed size={13} aria-hidden="true" />
        </span>
      )}
      <StackSummary id={id} />
      <span className="stack-tools">
        <IconButton
          label={t('command.soloFilter')}
          onPress={() => {
            editor.select(id);
            runCommand('filter.solo');
          }}
        >
          <Eye size={13} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('stack.duplicate', { filter: name })} onPress={() => duplicateFilterById(id)}>
          <Copy size={13} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('stack.delete', { filter: name })} onPress={() => removeFilterById(id)}>
          <Trash2 size={13} aria-hidden="true" />
        </IconButton>
      </span>
      <Button slot="drag" className="icon-button stack-grip" aria-label={t('stack.drag', { filter: name })}>
        <GripVertical size={13} aria-hidden="true" />
      </Button>
    </GridListItem>
  );
});
