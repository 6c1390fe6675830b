// The words of `--filter` that say how its result enters the picture: `opacity=0.5`, `blend=soft-light`,
// `channels=red+blue`.

import { type BlendMode, blendModes, colourChannels, type Mix, type MixChannels } from '../../core/mix';
import { parseNumberWord, usage } from './filterArguments';

export const mixKeys = ['opacity', 'blend', 'channels'] as const;

/** Blend modes in the command line's spelling, such as `soft-light`. */
const blendWords: ReadonlyMap<string, BlendMode> = new Map(
  blendModes.map((mode) => [mode.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), mode]),
);

function parseChannels(subject: string, text: string): MixChannels {
  if (text === 'all' || text === 'luminance') return text;
  const names = text.split('+');
  const chosen = colourChannels.filter((channel) => names.includes(channel));
  if (chosen.length !== names.length) throw usage(subject, 'all | luminance | red, green and blue joined by +', text);
  return chosen;
}

/** A part of a mix by its key; null for a key that is none. Throws ConvolveError `usage`. */
export function parseMixWord(subject: string, key: string, text: string): Partial<Mix> | null {
  switch (key) {
    case 'opacity': {
      const opacity = parseNumberWord(subject, text, '0…1');
      if (opacity < 0 || opacity > 1) throw usage(subject, '0…1', text);
      return { opacity };
    }
    case 'blend': {
      const blend = blendWords.get(text);
      if (!blend) throw usage(subject, [...blendWords.keys()].join(' | '), text);
      return { blend };
    }
    case 'channels':
      return { channels: parseChannels(subject, text) };
    default:
      return null;
  }
}
