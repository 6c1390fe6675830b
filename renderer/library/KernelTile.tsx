// A kernel as a tile of the left list: pressed or dropped on the stack, it becomes a filter. The person's own have a menu.

import { MoreHorizontal } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { Kernel } from '../../core/kernel';
import type { LibraryEntry } from '../../core/kernelLibrary';
import { editor } from '../editor';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { usePage } from '../store';
import { beginKernelDrag, duplicateInLibrary, exportKernels, openDeleteDialog, openSaveDialog } from './library';
import './kernelTile.css';

interface KernelTileProps {
  readonly id: string;
  readonly name: string;
  readonly kernel: Kernel;
  /** The entry of the person's own library that it shows; absent for shipped kernels. */
  readonly entry?: LibraryEntry;
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
}

export function KernelTile({ id, name, kernel, entry, tabIndex, onFocus }: KernelTileProps) {
  const { t } = useWords();
  const hasPicture = usePage((state) => state.image !== null);
  return (
    <li className="kernel-tile">
      <button
        type="button"
        className="tile"
        title={hasPicture ? [name, ...(entry?.tags ?? [])].join(' · ') : t('list.needPicture')}
        aria-label={t('command.addFilter', { filter: name })}
        data-testid={`add-kernel-${id}`}
        disabled={!hasPicture}
        draggable={hasPicture}
        tabIndex={tabIndex}
        onFocus={onFocus}
        onDragStart={(event) => beginKernelDrag(event.dataTransfer, name, kernel)}
        onClick={() => editor.addKernel(name, kernel, null)}
      >
        <KernelPicture {...kernel} className="tile-picture" />
        <span className="tile-words">
          <span className="tile-name">{name}</span>
          <span
            className="tile-hint"
            data-hint={t('stack.kernelSize', { width: kernel.width, height: kernel.height })}
          />
        </span>
      </button>
      {entry !== undefined && (
        <MenuTrigger>
          <Button className="icon-button kernel-tile-more" aria-label={t('library.more', { name })}>
            <MoreHorizontal size={13} aria-hidden="true" />
          </Button>
          <Popover className="popover menu-popover" placement="bottom end" offset={2}>
            <Menu className="menu" aria-label={t('library.more', { name })}>
              <Item label={t('library.rename')} run={() => openSaveDialog(entry)} />
              <Item label={t('library.duplicate')} run={() => void duplicateInLibrary(entry)} />
              <Item label={t('library.exportOne')} run={() => void exportKernels([entry.id])} />
              <Item label={t('library.delete')} run={() => openDeleteDialog(entry)} />
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </li>
  );
}

function Item({ label, run }: { readonly label: string; readonly run: () => void }) {
  return (
    <MenuItem className="menu-item" textValue={label} onAction={run}>
      <span className="menu-check" />
      <span className="menu-label">{label}</span>
    </MenuItem>
  );
}
