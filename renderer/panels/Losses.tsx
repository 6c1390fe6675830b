// What a file will not have of its picture, said before it is lost: for the export and the batch.

import { type ExportLoss, lossText } from '../../core/exportLosses';
import { useWords } from '../i18n/useWords';

export function Losses({ losses }: { readonly losses: readonly ExportLoss[] }) {
  const { t, language } = useWords();
  if (losses.length === 0) return null;
  return (
    <ul className="export-losses" aria-label={t('export.lossesLabel')} data-testid="export-losses">
      {losses.map((loss) => (
        <li key={lossText(loss)}>{lossText(loss, language)}</li>
      ))}
    </ul>
  );
}
