// The pages of a file of several: small pictures of them, twelve at a time, to open one by; or its number.

import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { maximumThumbnails } from '../../core/ipc';
import { openPage } from '../actions';
import { call } from '../bridge';
import { useWords } from '../i18n/useWords';
import { usePage } from '../store';
import { Button } from '../ui/Button';
import { NumberField } from '../ui/NumberField';
import { closeDialog, DialogShell } from './DialogShell';
import './pagesDialog.css';

export function PagesDialog() {
  const { t } = useWords();
  const image = usePage((state) => state.image);
  const [first, setFirst] = useState(() => firstOf(image?.page ?? 1));
  if (image === null) return null;
  const { page, pages } = image;
  const last = Math.min(first + maximumThumbnails - 1, pages);
  const choose = (chosen: number) => {
    closeDialog();
    if (chosen !== page) void openPage(chosen);
  };
  return (
    <DialogShell title={t('pages.title')} testId="pages-dialog" width="wide">
      <p className="dialog-dim">{t('pages.explain', { file: image.name, count: pages })}</p>
      <div className="dialog-scroll">
        <Thumbnails imageId={image.id} first={first} last={last} page={page} onChoose={choose} />
      </div>
      <div className="dialog-actions pages-actions">
        <span className="pages-number">
          <span aria-hidden="true">{t('pages.number')}</span>
          <NumberField
            label={t('pages.number')}
            value={page}
            minimum={1}
            maximum={pages}
            whole
            testId="pages-number"
            onCommit={choose}
          />
        </span>
        {pages > maximumThumbnails && (
          <>
            <Button onPress={() => setFirst(first - maximumThumbnails)} isDisabled={first === 1} testId="pages-before">
              {t('pages.before')}
            </Button>
            <Button
              onPress={() => setFirst(first + maximumThumbnails)}
              isDisabled={last === pages}
              testId="pages-after"
            >
              {t('pages.after')}
            </Button>
          </>
        )}
        <Button onPress={closeDialog}>{t('dialog.close')}</Button>
      </div>
    </DialogShell>
  );
}

/** The first page of the twelve that a page is shown with. */
const firstOf = (page: number) => page - ((page - 1) % maximumThumbnails);

interface ThumbnailsProps {
  readonly imageId: number;
  readonly first: number;
  readonly last: number;
  /** The one that is open. */
  readonly page: number;
  readonly onChoose: (page: number) => void;
}

function Thumbnails({ imageId, first, last, page, onChoose }: ThumbnailsProps) {
  const { t } = useWords();
  const [urls, setUrls] = useState<readonly (string | null)[]>([]);
  useEffect(() => {
    let made: readonly (string | null)[] = [];
    let current = true;
    setUrls([]);
    void call('image:pageThumbnails', { imageId, first, count: last - first + 1 }).then((result) => {
      if (!current || !result.ok) return;
      made = result.value.map((png) =>
        png === null ? null : URL.createObjectURL(new Blob([new Uint8Array(png)], { type: 'image/png' })),
      );
      setUrls(made);
    });
    return () => {
      current = false;
      for (const url of made) if (url !== null) URL.revokeObjectURL(url);
    };
  }, [imageId, first, last]);
  return (
    <ul className="pages-grid">
      {Array.from({ length: last - first + 1 }, (_, index) => first + index).map((number, index) => {
        const url = urls[index];
        return (
          <li key={number}>
            <AriaButton
              className="page-choice"
              aria-label={t(number === page ? 'pages.open' : 'pages.choose', { number })}
              aria-current={number === page ? 'page' : false}
              onPress={() => onChoose(number)}
              data-testid={`page-${number}`}
            >
              <span className="page-picture">{url && <img src={url} alt="" />}</span>
              <span>{number}</span>
            </AriaButton>
          </li>
        );
      })}
    </ul>
  );
}
