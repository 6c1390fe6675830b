// The frame of every dialog: modal, closed by Esc or a press outside, with its title.

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../i18n/useWords';
import { pageStore } from '../store';
import { IconButton } from '../ui/Button';
import './dialogs.css';

interface DialogShellProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly testId: string;
  readonly width?: 'narrow' | 'wide';
  /** Called instead of closing, for work that Esc must stop first. */
  readonly onDismiss?: () => void;
  readonly titleHidden?: boolean;
}

export function closeDialog(): void {
  pageStore.setState({ dialog: null });
}

export function DialogShell(props: DialogShellProps) {
  const { title, children, testId, width = 'narrow', onDismiss = closeDialog, titleHidden = false } = props;
  const { t } = useWords();
  return (
    <ModalOverlay className="modal-overlay" isOpen isDismissable onOpenChange={(open) => !open && onDismiss()}>
      <Modal className={`modal modal-${width}`}>
        <Dialog className="dialog" data-testid={testId}>
          <header className={titleHidden ? 'visually-hidden' : 'dialog-header'}>
            <Heading slot="title">{title}</Heading>
            {!titleHidden && (
              <IconButton label={t('dialog.close')} onPress={onDismiss}>
                <X size={15} aria-hidden="true" />
              </IconButton>
            )}
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
