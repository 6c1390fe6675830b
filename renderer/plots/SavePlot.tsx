// Saves a plot as a picture, drawn anew at three times its size, or its numbers as CSV.

import { saveFile } from '../actions';
import { useWords } from '../i18n/useWords';
import { Button } from '../ui/Button';
import { type DrawPlot, type PlotLayout, paint } from './usePlotCanvas';

const pictureScale = 3;

interface SavePlotProps {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly layout: PlotLayout;
  readonly draw: DrawPlot;
  readonly csv: () => string;
  readonly testId: string;
}

async function pngOf(layout: PlotLayout, draw: DrawPlot): Promise<Uint8Array | null> {
  const canvas = document.createElement('canvas');
  paint(canvas, layout, draw, pictureScale);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
}

export function SavePlot({ name, layout, draw, csv, testId }: SavePlotProps) {
  const { t } = useWords();
  const savePng = async () => {
    const bytes = await pngOf(layout, draw);
    if (bytes !== null) await saveFile(`${name}.png`, bytes);
  };
  return (
    <div className="plot-actions">
      <Button look="quiet" onPress={() => void savePng()} testId={`${testId}-png`}>
        {t('frequency.savePng')}
      </Button>
      <Button look="quiet" onPress={() => void saveFile(`${name}.csv`, csv())} testId={`${testId}-csv`}>
        {t('frequency.saveCsv')}
      </Button>
    </div>
  );
}
