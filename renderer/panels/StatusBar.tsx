// The status bar: the file, its size, profile and depth, the pixel under the pointer before and after, and whether the
// work is saved.

import { Button as AriaButton } from 'react-aria-components';
import type { ImageInfo } from '../../core/document';
import { chinesePhrases } from '../../core/errorPhrases';
import type { SampleType } from '../../core/pass';
import { runCommand } from '../commands';
import { type Translate, useWords } from '../i18n/useWords';
import { isUnsaved, type PageState, stackOf, usePage } from '../store';
import { formatSample } from '../ui/sampleText';
import { stackKey, workingStack } from '../viewport/subject';
import { channelNames } from './channelNames';
import './statusBar.css';

function depthOf(type: SampleType, t: Translate): string {
  switch (type) {
    case 'u8':
      return t('status.bits', { bits: 8 });
    case 'u16':
      return t('status.bits', { bits: 16 });
    case 'f32':
      return t('status.float', { bits: 32 });
    case 'f64':
      return t('status.float', { bits: 64 });
  }
}

function savedState(state: PageState): 'saved' | 'exported' | 'changed' | 'unchanged' {
  if (!isUnsaved(state)) return state.project === null ? 'unchanged' : 'saved';
  const { exportedStack } = state;
  const isExported =
    exportedStack !== null && stackKey(workingStack(exportedStack)) === stackKey(workingStack(stackOf(state)));
  return isExported ? 'exported' : 'changed';
}

/** A profile's name as short as it stays clear: every sRGB is the one that people mean. */
function shortProfile(name: string): string {
  return /^sRGB\b/i.test(name) ? 'sRGB' : name;
}

export function StatusBar() {
  const { t, language } = useWords();
  const image = usePage((state) => state.image);
  const saved = usePage(savedState);
  const profile = shortProfile(image?.profile ?? '');
  return (
    <footer className="status-bar" data-testid="status-bar">
      {image === null ? (
        <span>{t('status.noPicture')}</span>
      ) : (
        <>
          <span className="status-name" data-testid="status-name">
            {image.name}
          </span>
          <span title={image.profile} data-testid="status-size">
            {t('status.size', {
              width: image.width,
              height: image.height,
              profile: language === 'en' ? profile : chinesePhrases(profile),
              depth: depthOf(image.sampleType, t),
            })}
          </span>
          {image.pages > 1 && (
            <AriaButton className="status-page" onPress={() => runCommand('file.page')} data-testid="status-page">
              {t('status.page', { page: image.page, pages: image.pages })}
            </AriaButton>
          )}
          <PointerReading image={image} />
          <span className="status-saved" data-testid="status-saved">
            {t(`status.${saved}`)}
          </span>
        </>
      )}
    </footer>
  );
}

function PointerReading({ image }: { readonly image: ImageInfo }) {
  const { t } = useWords();
  const pointer = usePage((state) => state.pointer);
  const format = usePage((state) => state.application?.settings.values ?? 'stored');
  if (pointer === null) return null;
  const names = channelNames(image.channels, t);
  const write = (values: readonly number[]) =>
    values
      .map((value, channel) => `${names[channel] ?? ''} ${formatSample(value, image.sampleType, format)}`)
      .join(' ');
  const { values } = pointer;
  const same = values?.before.every((value, channel) => value === values.after[channel]);
  return (
    <span className="status-pointer" data-testid="status-pointer">
      <span className="status-position">{t('status.position', { x: pointer.x, y: pointer.y })}</span>
      {values !== null && (
        <span className="status-values">
          {write(values.before)}
          {!same && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="status-after">{write(values.after)}</span>
            </>
          )}
        </span>
      )}
    </span>
  );
}
