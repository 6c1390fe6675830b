// A kernel that was read from elsewhere: what it is, which of several, what its source does not say — with a picture of each
// answer — and the buttons that take it.

import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import type { KernelReading, ReadKernel } from '../../core/interchange/reading';
import { type Kernel, type Orientation, turn } from '../../core/kernel';
import { useWords } from '../i18n/useWords';
import { KernelPicture } from '../kernel/KernelPicture';
import { addKernel, changeKernel } from '../kernelActions';
import { selectedFilter, usePage } from '../store';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { noteWords } from './codeLossText';

interface KernelReadingViewProps {
  readonly reading: KernelReading;
  /** Called when the kernel was taken. */
  readonly onTaken: () => void;
}

/** Whether the orientation changes nothing. */
function isSymmetric(kernel: Kernel): boolean {
  const turned = turn(kernel);
  return (
    turned.anchorX === kernel.anchorX &&
    turned.anchorY === kernel.anchorY &&
    turned.weights.every((weight, index) => weight === kernel.weights[index])
  );
}

export function KernelReadingView({ reading, onTaken }: KernelReadingViewProps) {
  const { t } = useWords();
  const [index, setIndex] = useState(0);
  const [useOther, setUseOther] = useState(false);
  const [asked, setAsked] = useState<Orientation | null>(null);
  const isCustom = usePage((state) => selectedFilter(state)?.kind === 'custom');
  const hasPicture = usePage((state) => state.image !== null);
  const list = useOther && reading.other !== null ? reading.other.kernels : reading.kernels;
  const chosen = list[Math.min(index, list.length - 1)] ?? reading.kernels[0];
  if (chosen === undefined) return null;
  const orientation = asked ?? chosen.kernel.orientation;
  const kernel: Kernel = reading.orientationSaid ? chosen.kernel : { ...chosen.kernel, orientation };
  const title = ({ name }: ReadKernel, place: number) => name || t('code.kernelNumber', { index: place + 1 });
  const take = (act: () => boolean) => {
    if (act()) onTaken();
  };
  return (
    <div className="reading" data-testid="kernel-reading">
      <p role="status">
        {t('code.read', {
          format: t(`kernelFormat.${reading.format}`),
          width: kernel.width,
          height: kernel.height,
        })}
      </p>
      {list.length > 1 && (
        <Choice
          label={t('code.which', { count: list.length })}
          value={String(Math.min(index, list.length - 1))}
          options={list.map((read, place) => ({ value: String(place), label: title(read, place) }))}
          onChoose={(value) => setIndex(Number(value))}
          testId="reading-which"
        />
      )}
      {reading.other !== null && (
        <Question
          label={t(`kernelQuestion.${reading.other.kind}`)}
          value={useOther ? 'other' : 'first'}
          onChange={(value) => setUseOther(value === 'other')}
          answers={[
            { value: 'first', words: sizeWords(reading.kernels[0]), kernel: reading.kernels[0]?.kernel },
            { value: 'other', words: sizeWords(reading.other.kernels[0]), kernel: reading.other.kernels[0]?.kernel },
          ]}
        />
      )}
      {!reading.orientationSaid && !isSymmetric(kernel) && (
        <Question
          label={t('kernelQuestion.orientation')}
          value={orientation}
          onChange={(value) => setAsked(value === 'convolution' ? 'convolution' : 'correlation')}
          answers={[
            { value: 'correlation', words: t('code.asCorrelation'), kernel: turn(kernel) },
            { value: 'convolution', words: t('code.asConvolution'), kernel },
          ]}
        />
      )}
      {reading.notes.length > 0 && (
        <ul className="reading-notes">
          {reading.notes.map((note) => (
            <li key={note.kind}>{noteWords(note, t)}</li>
          ))}
        </ul>
      )}
      <div className="dialog-actions">
        <Button
          look={isCustom ? 'plain' : 'primary'}
          isDisabled={!hasPicture}
          testId="kernel-add"
          onPress={() => take(() => addKernel(chosen.name, kernel))}
        >
          {t('code.add')}
        </Button>
        {isCustom && (
          <Button look="primary" testId="paste-kernel-use" onPress={() => take(() => changeKernel(() => kernel))}>
            {t('kernel.pasteUse')}
          </Button>
        )}
      </div>
    </div>
  );
}

const sizeWords = (read: ReadKernel | undefined) =>
  read === undefined ? '' : `${read.kernel.width} × ${read.kernel.height}`;

interface Answer {
  readonly value: string;
  readonly words: string;
  readonly kernel: Kernel | undefined;
}
interface QuestionProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly answers: readonly Answer[];
}

/** Two answers, each with what it would be. */
function Question({ label, value, onChange, answers }: QuestionProps) {
  return (
    <RadioGroup className="question" aria-label={label} value={value} onChange={onChange}>
      <p>{label}</p>
      <div className="question-answers">
        {answers.map((answer) => (
          <Radio
            key={answer.value}
            value={answer.value}
            className="question-answer"
            data-testid={`answer-${answer.value}`}
          >
            {answer.kernel !== undefined && (
              <KernelPicture
                width={answer.kernel.width}
                height={answer.kernel.height}
                weights={answer.kernel.weights}
              />
            )}
            <span>{answer.words}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
