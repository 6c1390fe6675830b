// The channels of a picture by their short names.

import type { Translate } from '../i18n/useWords';

/** `Grey`, `Grey A`, `R G B` or `R G B A`. */
export function channelNames(channels: number, t: Translate): readonly string[] {
  const { r, g, b, a, grey } = {
    r: t('status.channels.r'),
    g: t('status.channels.g'),
    b: t('status.channels.b'),
    a: t('status.channels.a'),
    grey: t('status.channels.grey'),
  };
  return (channels <= 2 ? [grey, a] : [r, g, b, a]).slice(0, channels);
}
