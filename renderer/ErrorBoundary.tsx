// What is left when drawing the page itself fails: the words of the failure and a way on. The document is in the store and
// stays as it was.

import { Component, type ReactNode } from 'react';
import { type Failure, failureOf } from '../core/errors';
import { errorText } from '../core/errorText';
import { translation } from './i18n/translation';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure: Failure | null;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: null };

  static getDerivedStateFromError(thrown: unknown): ErrorBoundaryState {
    return { failure: failureOf(thrown) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const language = translation.language === 'zh-CN' ? 'zh-CN' : 'en';
    return (
      <div className="broken" role="alert">
        <p>{errorText(failure, language)}</p>
        <button type="button" className="button button-primary" onClick={() => this.setState({ failure: null })}>
          {translation.t('notice.again')}
        </button>
      </div>
    );
  }
}
