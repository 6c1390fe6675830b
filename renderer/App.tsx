// The window: top bar, filter list, picture, stack and filter panel, status bar, and the dialogs and messages over them.

import { useEffect, useLayoutEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import './app.css';
import { KernelOfferDialog } from './code/KernelOfferDialog';
import { listenToFileDrops } from './fileDrop';
import { chooseLanguage, showLanguage } from './i18n/translation';
import { useWords } from './i18n/useWords';
import { PasteKernelDialog } from './kernel/PasteKernelDialog';
import { PictureKernelDialog } from './kernel/PictureKernelDialog';
import { listenToKeys } from './keys';
import { DeleteKernelDialog, SaveKernelDialog } from './library/LibraryDialogs';
import { AboutDialog } from './panels/AboutDialog';
import { BatchDialog } from './panels/BatchDialog';
import { MissingPictureDialog, RecoveryDialog, UnsavedDialog } from './panels/DocumentDialogs';
import { DocumentTabs } from './panels/DocumentTabs';
import { EmptyState } from './panels/EmptyState';
import { ExplainCard } from './panels/ExplainCard';
import { ExportDialog } from './panels/ExportDialog';
import { FilterList } from './panels/FilterList';
import { FilterPanel } from './panels/FilterPanel';
import { HistogramPanel } from './panels/HistogramPanel';
import { Navigator } from './panels/Navigator';
import { Notices } from './panels/Notices';
import { PagesDialog } from './panels/PagesDialog';
import { PaletteDialog } from './panels/PaletteDialog';
import { StackAlgebraDialog } from './panels/StackAlgebraDialog';
import { StackPanel } from './panels/StackPanel';
import { StatusBar } from './panels/StatusBar';
import { TopBar } from './panels/TopBar';
import { KeysDialog } from './settings/KeysDialog';
import { SettingsDialog } from './settings/SettingsDialog';
import { isUnsaved, usePage } from './store';
import { useTheme } from './ui/theme';
import { ViewportPane } from './viewport/ViewportPane';

export function App() {
  const { t, language } = useWords();
  const theme = useTheme();
  const setting = usePage((state) => state.application?.settings.language ?? 'system');
  const locale = usePage((state) => state.application?.systemLocale ?? 'en');
  const name = usePage((state) => state.project ?? state.image?.name ?? null);
  const unsaved = usePage((state) => state.image !== null && isUnsaved(state));
  const [dropping, setDropping] = useState(false);

  // Before the effects of the panels, which read the theme's colours.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => showLanguage(chooseLanguage(setting, locale)), [setting, locale]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    document.title = name === null ? 'Convolve' : `${unsaved ? '• ' : ''}${name} — Convolve`;
  }, [name, unsaved]);
  useEffect(listenToKeys, []);
  useEffect(() => listenToFileDrops(setDropping), []);

  return (
    <I18nProvider locale={language}>
      <div className="app">
        <TopBar />
        <FilterList />
        <main className="canvas-area">
          <DocumentTabs />
          <div className="canvas-room">
            <ViewportPane />
            <Canvas />
            <Navigator />
            <ExplainCard />
            <Notices />
            {dropping && <div className="drop-hint">{t('empty.drop')}</div>}
          </div>
        </main>
        <aside className="right-panel" aria-label={t('stack.title')}>
          <StackPanel />
          <FilterPanel />
          <HistogramPanel />
        </aside>
        <StatusBar />
        <OpenDialog />
      </div>
    </I18nProvider>
  );
}

/** What the canvas shows beside a picture: how to begin, or that one is being opened. */
function Canvas() {
  const { t } = useWords();
  const hasPicture = usePage((state) => state.image !== null);
  const opening = usePage((state) => state.opening > 0);
  const known = usePage((state) => state.application !== null);
  return (
    <>
      {!hasPicture && !opening && known && <EmptyState />}
      {opening && (
        <div className="opening" role="status">
          {t('view.loading')}
        </div>
      )}
    </>
  );
}

function OpenDialog() {
  const dialog = usePage((state) => state.dialog);
  switch (dialog) {
    case null:
      return null;
    case 'export':
      return <ExportDialog />;
    case 'batch':
      return <BatchDialog />;
    case 'pages':
      return <PagesDialog />;
    case 'palette':
      return <PaletteDialog />;
    case 'settings':
      return <SettingsDialog />;
    case 'shortcuts':
      return <KeysDialog />;
    case 'about':
      return <AboutDialog />;
    case 'stackAlgebra':
      return <StackAlgebraDialog />;
    case 'saveKernel':
      return <SaveKernelDialog />;
    case 'deleteKernel':
      return <DeleteKernelDialog />;
    case 'pictureKernel':
      return <PictureKernelDialog />;
    case 'pasteKernel':
      return <PasteKernelDialog />;
    case 'unsaved':
      return <UnsavedDialog />;
    case 'missingPicture':
      return <MissingPictureDialog />;
    case 'recovery':
      return <RecoveryDialog />;
    case 'kernelOffer':
      return <KernelOfferDialog />;
  }
}
