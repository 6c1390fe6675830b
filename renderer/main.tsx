// Starts the page: the pixel port, the words, what main knows, then React.

import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { fail, openStartup, showOpened, takeBackends, takeSettings } from './actions';
import { takeBatchProgress } from './batchActions';
import { awaitPort, call, listen } from './bridge';
import { runCommand } from './commands';
import { closeWindow } from './documentActions';
import { ErrorBoundary } from './ErrorBoundary';
import { editor } from './editor';
import { chooseLanguage, startTranslation } from './i18n/translation';
import { keepDocuments } from './keepDocuments';
import { loadLibrary } from './library/library';
import { pageStore } from './store';
import './styles/tokens.css';
import './styles/base.css';

awaitPort();

async function start(): Promise<void> {
  const result = await call('app:state', undefined);
  const application = result.ok ? result.value : null;
  startTranslation(
    chooseLanguage(application?.settings.language ?? 'system', application?.systemLocale ?? navigator.language),
  );
  if (application !== null) {
    pageStore.setState({ application });
    for (const document of application.opened) editor.showDocument(document);
    if (application.starting) void openStartup();
    const { settingsSetAside: movedTo } = application;
    if (movedTo !== null) editor.notify({ kind: 'words', key: 'settings.setAside', values: { movedTo }, stays: true });
    if (application.recoverable.length > 0) pageStore.setState({ dialog: 'recovery' });
  }
  if (!result.ok) fail(result.failure);
  listen('image:opened', showOpened);
  listen('image:openFailed', fail);
  listen('settings:changed', takeSettings);
  listen('backends:changed', takeBackends);
  listen('export:progress', ({ share }) =>
    pageStore.setState(({ exporting }) => ({ exporting: exporting === null ? null : { share } })),
  );
  listen('window:closing', closeWindow);
  keepDocuments();
  listen('batch:progress', takeBatchProgress);
  listen('command:run', ({ id }) => void runCommand(id));
  void loadLibrary();
  // Another program may have changed it.
  window.addEventListener('focus', () => void loadLibrary());
  const root = document.getElementById('root');
  if (root !== null)
    createRoot(root).render(
      <ErrorBoundary>
        <App />
      </ErrorBoundary>,
    );
}

void start();
