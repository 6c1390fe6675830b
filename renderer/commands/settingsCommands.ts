// Theme, language and help.

import type { Settings } from '../../core/ipc';
import { changeSettings } from '../actions';
import { type Command, type CommandLabel, command, show } from './record';

function themeCommand(theme: Settings['theme'], key: string): Command {
  return command(`view.theme.${theme}`, key, () => void changeSettings({ theme }), {
    group: 'command.theme',
    checked: (state) => state.application?.settings.theme === theme,
  });
}

function languageCommand(language: Settings['language'], label: CommandLabel): Command {
  return {
    ...command(`view.language.${language}`, '', () => void changeSettings({ language }), {
      group: 'command.languageMenu',
      checked: (state) => state.application?.settings.language === language,
    }),
    label,
  };
}

export const settingsCommands: readonly Command[] = [
  themeCommand('system', 'command.themeSystem'),
  themeCommand('dark', 'command.themeDark'),
  themeCommand('light', 'command.themeLight'),
  languageCommand('system', { kind: 'words', key: 'language.system' }),
  // Each language is written in itself, so that who cannot read the present one finds theirs.
  languageCommand('en', { kind: 'text', text: 'English' }),
  languageCommand('zh-CN', { kind: 'text', text: '简体中文' }),
  command('help.shortcuts', 'command.shortcuts', show('shortcuts'), { shortcuts: ['F1'] }),
  command('help.about', 'command.about', show('about')),
];
