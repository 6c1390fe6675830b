// The sets of channels that a filter can be kept to, each with a name of its own. Pure.

import type { MixChannels } from '../../core/mix';

export const channelChoices = [
  { name: 'all', channels: 'all' },
  { name: 'colours', channels: ['red', 'green', 'blue'] },
  { name: 'luminance', channels: 'luminance' },
  { name: 'red', channels: ['red'] },
  { name: 'green', channels: ['green'] },
  { name: 'blue', channels: ['blue'] },
  { name: 'redGreen', channels: ['red', 'green'] },
  { name: 'redBlue', channels: ['red', 'blue'] },
  { name: 'greenBlue', channels: ['green', 'blue'] },
] as const satisfies readonly { readonly name: string; readonly channels: MixChannels }[];

export type ChannelChoice = (typeof channelChoices)[number]['name'];

const textOf = (channels: MixChannels): string =>
  typeof channels === 'string' ? channels : channels.toSorted().join(' ');

/** The name of a set, whatever the order of its channels. */
export function channelChoiceOf(channels: MixChannels): ChannelChoice {
  return channelChoices.find((choice) => textOf(choice.channels) === textOf(channels))?.name ?? 'all';
}
