import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { attachmentOf, linesOf } from '../attachments/attach';
import type { FoundMention } from './mentionSource';

/** Returns what can be attached without a name to type: the selection, and what dialogs find outside the workspace. */
export function foundHere(): readonly FoundMention[] {
  return [...selection(), browse('files', l10n.t('Browse files…')), browse('folders', l10n.t('Browse folders…'))];
}

function selection(): FoundMention[] {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor || editor.selection.isEmpty || editor.document.uri.scheme !== 'file') return [];
  const { document, selection: selected } = editor;
  const { start, end } = linesOf(selected);
  const name = basename(document.uri.path);
  return [
    {
      id: `here:selection:${document.uri.toString()}:${start}:${end}`,
      kind: 'file',
      group: 'kinds',
      label: l10n.t('Selection'),
      insert: start === end ? `${name}:${start}` : `${name}:${start}-${end}`,
      detail: l10n.t('{0}, lines {1} to {2}', name, start, end),
      icon: 'selection',
      take: async () => [await attachmentOf(document.uri, selected)],
    },
  ];
}

/** Most systems have no dialog for both. */
function browse(what: 'files' | 'folders', label: string): FoundMention {
  return {
    id: `here:${what}`,
    kind: what === 'files' ? 'file' : 'folder',
    group: 'kinds',
    label,
    insert: '',
    detail: '',
    icon: 'folder-opened',
    take: () => choose(what),
  };
}

async function choose(what: 'files' | 'folders'): Promise<readonly Attachment[]> {
  const uris = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: what === 'files',
    canSelectFolders: what === 'folders',
    openLabel: l10n.t('Add'),
  });
  return Promise.all((uris ?? []).map((uri) => attachmentOf(uri)));
}
