// The explain card: the neighbourhood of a pixel times the kernel, every step to its code value, and on demand every product.
// It shows while Alt is held, or stays where it is pinned.

import { Pin, PinOff, Table2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../core/errorText';
import type { PixelExplanation } from '../../core/explain';
import { type Explained, explainAgain, explainedPixel, explainsFilter, pinExplanation } from '../explainActions';
import { useWords } from '../i18n/useWords';
import { type PageState, seenStack, selectedFilter, usePage } from '../store';
import { IconButton } from '../ui/Button';
import { formatNumber } from '../ui/numberText';
import { pictureToScreen } from '../viewport/geometry';
import { DirectionFacts } from './DirectionFacts';
import { EdgeFacts } from './EdgeFacts';
import { ExplainPictures } from './ExplainPictures';
import { ExplainProducts } from './ExplainProducts';
import { ExplainNotes, ExplainSteps } from './ExplainSteps';
import { filterName } from './filterWords';
import './explainCard.css';

/** Whether the pixel lies in the right half of the view: the card then stands on the left. */
function isOnRight(state: PageState): boolean {
  const pixel = explainedPixel(state);
  if (pixel === null || state.place === null) return false;
  const { camera, viewport } = state.place;
  return pictureToScreen(camera, viewport, pixel).x > viewport.width / 2;
}

export function ExplainCard() {
  const shown = usePage((state) => explainedPixel(state) !== null);
  return shown ? <Card /> : null;
}

function Card() {
  const { t } = useWords();
  const pixel = usePage(explainedPixel);
  const filter = usePage(selectedFilter);
  const stack = usePage(seenStack);
  const explains = usePage(explainsFilter);
  const explained = usePage((state) => state.explained);
  const pinned = usePage((state) => state.pin !== null);
  const onRight = usePage(isOnRight);
  const [table, setTable] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these makes another question
  useEffect(() => void explainAgain(), [pixel, filter, stack]);

  if (pixel === null) return null;
  const answered = explains && explained !== null && explained.filterId === filter?.id ? explained : null;
  const isFresh = answered !== null && answered.x === pixel.x && answered.y === pixel.y && answered.stack === stack;
  return (
    <section
      className={onRight ? 'explain explain-left' : 'explain'}
      aria-label={t('explain.title')}
      data-testid="explain"
      data-fresh={isFresh}
      data-pinned={pinned}
    >
      <header className="explain-header">
        <h2 className="explain-title">{filter === null ? t('explain.title') : filterName(filter, t)}</h2>
        <span className="explain-place">{t('status.position', { x: pixel.x, y: pixel.y })}</span>
        {pinned && explained?.found?.kind === 'sum' && (
          <IconButton
            label={table ? t('explain.hideProducts') : t('explain.showProducts')}
            onPress={() => setTable(!table)}
            testId="explain-products-button"
          >
            <Table2 size={13} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton
          label={pinned ? t('explain.unpin') : t('explain.pin')}
          onPress={() => pinExplanation(pinned ? null : pixel)}
          testId="explain-pin"
        >
          {pinned ? <PinOff size={13} aria-hidden="true" /> : <Pin size={13} aria-hidden="true" />}
        </IconButton>
      </header>
      {answered === null ? (
        <p className="explain-note">
          {filter === null ? t('explain.noFilter') : explains ? t('explain.asking') : t('explain.off')}
        </p>
      ) : (
        <Answer explained={answered} table={table && pinned} />
      )}
      {pinned && <Said explained={answered} />}
    </section>
  );
}

/** The result for those who hear it, each time that the pinned pixel has moved. */
function Said({ explained }: { readonly explained: Explained | null }) {
  const { t } = useWords();
  const found = explained?.found ?? null;
  const values = found === null ? '' : found.engine.map((value) => formatNumber(value)).join(', ');
  return (
    <span className="visually-hidden" role="status">
      {explained !== null && found !== null && t('explain.said', { x: explained.x, y: explained.y, values })}
    </span>
  );
}

function Answer({ explained, table }: { readonly explained: Explained; readonly table: boolean }) {
  const { t, language } = useWords();
  const { found, failure } = explained;
  if (failure !== null) return <p className="explain-note">{errorText(failure, language)}</p>;
  if (found === null) return <p className="explain-note">{t('explain.noPixel')}</p>;
  return <Found found={found} table={table} />;
}

function Found({ found, table }: { readonly found: PixelExplanation; readonly table: boolean }) {
  const { t } = useWords();
  if (found.kind === 'direction') return <DirectionFacts found={found} />;
  if (found.kind === 'edges') return <EdgeFacts found={found} />;
  return (
    <>
      <ExplainPictures found={found} />
      <ExplainSteps found={found} />
      <ExplainNotes found={found} />
      {table && <ExplainProducts found={found} label={t('explain.products')} />}
    </>
  );
}
