// The engine chip: which engine drew the picture, on what, and how long the last exact render took; pressed, it shows the
// plan and why.

import { useEffect, useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import { backendReason, chooseBackend } from '../../core/backends';
import { chinesePhrases } from '../../core/errorPhrases';
import { assertNever, type Failure } from '../../core/errors';
import { errorText } from '../../core/errorText';
import type { ApplicationState, BackendStatus, PlanExplanation } from '../../core/ipc';
import { keptText, pathText, predictedText, reasonText } from '../../core/planText';
import { call } from '../bridge';
import { useWords } from '../i18n/useWords';
import { pageStore, stackOf, usePage } from '../store';
import { formatBytes, formatMilliseconds, formatNumber } from '../ui/numberText';
import { workingStack } from '../viewport/subject';
import './engineChip.css';
import { filterName } from './filterWords';

export function EngineChip() {
  const { t, language } = useWords();
  const application = usePage((state) => state.application);
  const lastRender = usePage((state) => state.lastRender);
  const busy = usePage((state) => state.view?.busy ?? false);
  const hasPicture = usePage((state) => state.image !== null);
  if (application === null) return null;
  const present = lastRender?.backend ?? chooseBackend(application.settings.backend, application.backends);
  const backend = application.backends.find((one) => one.name === present);
  if (backend === undefined) return null;
  const name = t(`engine.${backend.name}`);
  const time = !hasPicture
    ? t('engine.waiting')
    : lastRender === null
      ? t(busy ? 'engine.working' : 'engine.waiting')
      : formatMilliseconds(lastRender.milliseconds);
  /** An engine describes itself in English. */
  const described = (one: BackendStatus) => (language === 'en' ? one.description : chinesePhrases(one.description));
  const text = `${name} · ${described(backend)} · ${time}`;
  return (
    <DialogTrigger>
      <Button className="chip" aria-label={t('engine.chip', { text })} data-testid="engine-chip">
        <span className="chip-name">{name}</span>
        <span className="chip-device">· {described(backend)}</span>
        <span className="chip-time">· {time}</span>
      </Button>
      <Popover className="popover engine-popover" placement="bottom end" offset={6}>
        <Dialog className="engine-dialog" data-testid="engine-plan">
          <EngineFacts application={application} backend={backend} described={described} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

interface EngineFactsProps {
  readonly application: ApplicationState;
  readonly backend: BackendStatus;
  readonly described: (one: BackendStatus) => string;
}

/** What the chip shows when it is pressed. */
function EngineFacts({ application, backend, described }: EngineFactsProps) {
  const { t } = useWords();
  const lastRender = usePage((state) => state.lastRender);
  const answer = usePlan();
  return (
    <>
      <Heading slot="title">{t('engine.title')}</Heading>
      <dl className="facts">
        <div className="fact">
          <dt>{t('engine.backend')}</dt>
          <dd>{t(`engine.${backend.name}`)}</dd>
        </div>
        <div className="fact">
          <dt>{t('engine.why')}</dt>
          <dd data-testid="engine-why">
            <Why application={application} present={backend.name} />
          </dd>
        </div>
        <div className="fact">
          <dt>{t('engine.device')}</dt>
          <dd>{described(backend)}</dd>
        </div>
        {answer.kind === 'plan' && answer.plan.memoryBytes !== null && (
          <div className="fact">
            <dt>{t('engine.memory')}</dt>
            <dd data-testid="engine-memory">{formatBytes(answer.plan.memoryBytes)}</dd>
          </div>
        )}
        <div className="fact">
          <dt>{t('engine.lastExact')}</dt>
          <dd>{lastRender === null ? '—' : formatMilliseconds(lastRender.milliseconds)}</dd>
        </div>
      </dl>
      <h3 className="section-title">{t('engine.plan')}</h3>
      <PlanList answer={answer} />
      <h3 className="section-title">{t('engine.others')}</h3>
      <ul className="engine-list">
        {application.backends
          .filter((one) => one !== backend)
          .map((one) => (
            <li key={one.name}>
              <strong>{t(`engine.${one.name}`)}</strong>{' '}
              <span className="engine-dim">
                {one.available ? `${described(one)} · ${t('engine.available')}` : described(one)}
              </span>
            </li>
          ))}
      </ul>
    </>
  );
}

interface WhyProps {
  readonly application: ApplicationState;
  readonly present: BackendStatus['name'];
}

/** Why this engine and not another, such as `no CUDA: no NVIDIA driver`. */
function Why({ application, present }: WhyProps) {
  const { t, language } = useWords();
  const reason = backendReason(application.settings.backend, application.backends, present);
  switch (reason.kind) {
    case 'chosen':
      return t('engine.whyChosen');
    case 'fastest':
      return t('engine.whyFastest');
    case 'failed': {
      const failed = t('engine.whyFailed', { engine: t(`engine.${reason.wanted}`) });
      return reason.failure ? `${failed}. ${errorText(reason.failure, language)}` : failed;
    }
    case 'unavailable': {
      const why = language === 'en' ? reason.why : chinesePhrases(reason.why);
      return t('engine.whyUnavailable', { engine: t(`engine.${reason.wanted}`), why });
    }
    default:
      return assertNever(reason);
  }
}

type Answer =
  | { readonly kind: 'asking' }
  | { readonly kind: 'plan'; readonly plan: PlanExplanation }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The plan of the picture that is shown, asked for anew when the stack or the picture changes. */
function usePlan(): Answer {
  const image = usePage((state) => state.image);
  const stack = usePage(stackOf);
  const [answer, setAnswer] = useState<Answer>({ kind: 'asking' });
  useEffect(() => {
    if (image === null) return;
    let current = true;
    void call('plan:explain', { imageId: image.id, stack: [...workingStack(stack)] }).then((result) => {
      if (!current) return;
      setAnswer(result.ok ? { kind: 'plan', plan: result.value } : { kind: 'failed', failure: result.failure });
    });
    return () => {
      current = false;
    };
  }, [image, stack]);
  return answer;
}

function PlanList({ answer }: { readonly answer: Answer }) {
  const { t, language } = useWords();
  const image = usePage((state) => state.image);
  if (image === null) return <p className="engine-dim">{t('engine.planNoPicture')}</p>;
  if (answer.kind === 'asking') return <p className="engine-dim">{t('engine.asking')}</p>;
  if (answer.kind === 'failed') return <p role="alert">{errorText(answer.failure, language)}</p>;
  if (answer.plan.passes.length === 0) return <p className="engine-dim">{t('engine.planEmpty')}</p>;
  return (
    <ol className="plan">
      {answer.plan.passes.map((pass) => {
        const filter = stackOf(pageStore.getState()).find((one) => one.id === pass.filterId);
        return (
          <li key={pass.filterId}>
            <div className="plan-line">
              <strong>{filter === undefined ? pass.filterId : filterName(filter, t)}</strong>
              <span>{pathText(pass.path, language)}</span>
            </div>
            <div className="engine-dim">
              {t('engine.perPixel', { value: formatNumber(pass.multiplyAddsPerPixel, 6) })}
              {pass.milliseconds !== null &&
                ` · ${t('engine.predicted', { time: predictedText(pass.milliseconds, language) })}`}
            </div>
            <div className="engine-dim">{reasonText(pass.reason, language, pass.path)}</div>
            {pass.keptBytes > 0 && <div className="engine-dim">{keptText(pass.keptBytes, language)}</div>}
          </li>
        );
      })}
    </ol>
  );
}
