import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DownloadProgress } from './download';
import { withProgress } from '../ui/notifications';

/** Runs a download with a notification that has a Cancel button. Resolves to undefined if the user cancels. */
export function installWithProgress<T>(
  name: string,
  work: (signal: AbortSignal, onProgress: (progress: DownloadProgress) => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  return cancellable(l10n.t('Installing {0}', name), work, signal);
}

/**
 * Runs work with a notification that has a Cancel button. Resolves to undefined if the user cancels, there or through
 * `signal`.
 */
export async function cancellable<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: (progress: DownloadProgress) => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return withProgress(options, async (progress, token) => {
    const cancelled = new AbortController();
    const cancel = () => cancelled.abort();
    signal?.addEventListener('abort', cancel);
    const listening = token.onCancellationRequested(cancel);
    let shown = '';
    let percent = 0;
    try {
      return await work(cancelled.signal, ({ received, total }) => {
        const message =
          total === undefined
            ? l10n.t('{0} MB', megabytes(received))
            : l10n.t('{0} of {1} MB', megabytes(received), megabytes(total));
        const reached = total === undefined ? 0 : Math.floor((received / total) * 100);
        if (message === shown && reached === percent) return;
        progress.report({ message, ...(reached > percent && { increment: reached - percent }) });
        shown = message;
        percent = reached;
      });
    } catch (error) {
      if (cancelled.signal.aborted) return undefined;
      throw error;
    } finally {
      listening.dispose();
      signal?.removeEventListener('abort', cancel);
    }
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
