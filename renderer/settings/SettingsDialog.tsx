// The settings: each change holds at once and is kept, so there is nothing to confirm.

import { chinesePhrases } from '../../core/errorPhrases';
import {
  autosaveLimits,
  backendChoices,
  cacheLimits,
  languages,
  type Settings,
  themes,
  valueFormats,
} from '../../core/ipc';
import { changeSettings } from '../actions';
import { useWords } from '../i18n/useWords';
import { DialogShell } from '../panels/DialogShell';
import { pageStore, usePage } from '../store';
import { Button } from '../ui/Button';
import { Choice } from '../ui/Choice';
import { NumberField } from '../ui/NumberField';
import './settings.css';

const languageNames: Readonly<Record<Exclude<Settings['language'], 'system'>, string>> = {
  en: 'English',
  'zh-CN': '简体中文',
};
const themeKeys: Readonly<Record<Settings['theme'], string>> = {
  system: 'command.themeSystem',
  dark: 'command.themeDark',
  light: 'command.themeLight',
};

export function SettingsDialog() {
  const { t, language } = useWords();
  const application = usePage((state) => state.application);
  if (application === null) return null;
  const { settings, backends, standardCacheMegabytes } = application;
  const change = (part: Partial<Settings>) => void changeSettings(part);
  const isUsable = (name: Settings['backend']) =>
    name === 'auto' || (backends.find((backend) => backend.name === name)?.available ?? false);
  const engines = backendChoices.filter((name) => isUsable(name) || name === settings.backend);
  const unusable = backends.filter(({ available }) => !available);
  return (
    <DialogShell title={t('settings.title')} testId="settings">
      <section className="settings-section">
        <Choice
          label={t('command.languageMenu')}
          value={settings.language}
          options={languages.map((value) => ({
            value,
            label: value === 'system' ? t('language.system') : languageNames[value],
          }))}
          onChoose={(language) => change({ language })}
          testId="settings-language"
        />
        <Choice
          label={t('command.theme')}
          value={settings.theme}
          options={themes.map((value) => ({ value, label: t(themeKeys[value]) }))}
          onChoose={(theme) => change({ theme })}
          testId="settings-theme"
        />
      </section>
      <section className="settings-section">
        <Choice
          label={t('command.backend')}
          value={settings.backend}
          options={engines.map((value) => ({
            value,
            label: value === 'auto' ? t('command.backendAuto') : t(`engine.${value}`),
          }))}
          onChoose={(backend) => change({ backend })}
          testId="settings-backend"
        />
        {unusable.map(({ name, description }) => (
          <p key={name} className="settings-note">
            {t('settings.unusable', {
              engine: t(`engine.${name}`),
              why: language === 'en' ? description : chinesePhrases(description),
            })}
          </p>
        ))}
        <div className="settings-row">
          <span className="row-label">{t('settings.cache')}</span>
          <NumberField
            label={t('settings.cache')}
            value={settings.cacheMegabytes ?? standardCacheMegabytes}
            {...cacheLimits}
            whole
            unit="MiB"
            onCommit={(cacheMegabytes) => change({ cacheMegabytes })}
            testId="settings-cache"
          />
          {settings.cacheMegabytes === null ? (
            <span className="dialog-dim">{t('settings.cacheAutomatic')}</span>
          ) : (
            <Button look="quiet" onPress={() => change({ cacheMegabytes: null })} testId="settings-cache-automatic">
              {t('settings.automatic')}
            </Button>
          )}
        </div>
        <p className="settings-note">{t('settings.cacheNote')}</p>
      </section>
      <section className="settings-section">
        <Choice
          label={t('seeing.values')}
          value={settings.values}
          options={valueFormats.map((value) => ({ value, label: t(`valueFormat.${value}`) }))}
          onChoose={(values) => change({ values })}
          testId="settings-values"
        />
        <div className="settings-row">
          <span className="row-label">{t('settings.autosave')}</span>
          <NumberField
            label={t('settings.autosave')}
            value={settings.autosaveSeconds}
            {...autosaveLimits}
            whole
            unit={t('settings.seconds')}
            onCommit={(autosaveSeconds) => change({ autosaveSeconds })}
            testId="settings-autosave"
          />
          <span className="dialog-dim">{t('settings.autosaveNote')}</span>
        </div>
        <div className="settings-row">
          <span className="row-label">{t('settings.keys')}</span>
          <Button onPress={() => pageStore.setState({ dialog: 'shortcuts' })} testId="settings-keys">
            {t('settings.changeKeys')}
          </Button>
        </div>
      </section>
    </DialogShell>
  );
}
