import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../shared/values/messageOf';
import { showWarning } from '../ui/notifications';
import type { StorageTroubles, StoredKind } from './storageTroubles';

/** Records that are set aside within this time share one notification. In milliseconds. */
const gatherMs = 1500;

/**
 * Tells the user once per outage that something couldn't be saved, and once per folder that something couldn't be read.
 */
export function tellTroubles(report: (text: string) => void): StorageTroubles {
  const failing = new Set<StoredKind>();
  let aside: string[] = [];
  const tellAside = () => {
    const paths = aside;
    aside = [];
    const [first = ''] = paths;
    const show = l10n.t('Show Files');
    const text =
      paths.length === 1
        ? l10n.t('Couldn’t read 1 saved record. The file was moved to {0}. Nothing was deleted.', first)
        : l10n.t(
            'Couldn’t read {0} saved records. The files were moved to {1}. Nothing was deleted.',
            paths.length,
            dirname(first),
          );
    void showWarning(text, show).then((answer) => {
      if (answer === show) void vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(first));
    });
  };
  return {
    notSaved(kind, error) {
      report(`Not saved (${kind}), will be tried again: ${String(error)}`);
      const isTold = failing.size > 0;
      failing.add(kind);
      if (!isTold) void showWarning(notSavedText(kind, error));
    },
    saved(kind) {
      failing.delete(kind);
      report(`Saved what could not be saved before (${kind}).`);
    },
    setAside(kind, path) {
      report(`A record could not be read (${kind}). It is now at ${path}`);
      aside.push(path);
      if (aside.length === 1) setTimeout(tellAside, gatherMs);
    },
  };
}

function notSavedText(kind: StoredKind, error: unknown): string {
  const what = {
    sessions: l10n.t('your sessions'),
    changes: l10n.t('the changes to review'),
    checkpoints: l10n.t('your sessions’ checkpoints'),
    restores: l10n.t('the data to undo a restore'),
    usage: l10n.t('your usage'),
    proposals: l10n.t('your edits of proposed changes'),
    comments: l10n.t('your comments'),
    tries: l10n.t('your tries'),
  }[kind];
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return l10n.t(
      'Couldn’t save {0}: there’s no disk space left. Free up some space. Saving is tried again automatically, so don’t close this window yet.',
      what,
    );
  }
  const reason = messageOf(error);
  return l10n.t(
    'Couldn’t save {0}: {1}. Make sure Parley’s storage folder is writable. Saving is tried again automatically, so don’t close this window yet.',
    what,
    reason,
  );
}
