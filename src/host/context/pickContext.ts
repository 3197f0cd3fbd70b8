import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../shared/content';
import { pickOne } from '../ui/quickInput';
import { attachmentOf, linesOf } from './attach';
import { pickProblems, problemCount } from './problems';
import type { WorkspaceFiles } from './workspaceFiles';

/** Maximum number of files that a list of the editor shows at once. */
const mostListed = 10_000;

interface ContextItem extends vscode.QuickPickItem {
  readonly take?: () => Promise<readonly Attachment[]>;
}

/** Lets the user select attachments: the selection, problems, a file of the workspace, or files and folders. */
export async function pickContext(files: WorkspaceFiles): Promise<readonly Attachment[]> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const items: ContextItem[] = [];
  if (editor && !editor.selection.isEmpty && editor.document.uri.scheme === 'file') {
    const { document, selection } = editor;
    const { start, end } = linesOf(selection);
    const name = basename(document.uri.path);
    items.push({
      label: l10n.t('Selection'),
      iconPath: new vscode.ThemeIcon('selection'),
      description: l10n.t('{0}, lines {1} to {2}', name, start, end),
      take: async () => [await attachmentOf(document.uri, selection)],
    });
  }
  if (problemCount() > 0) {
    const icon = new vscode.ThemeIcon('warning');
    items.push({ label: l10n.t('Problems…'), iconPath: icon, description: String(problemCount()), take: pickProblems });
  }
  const anywhere = new vscode.ThemeIcon('folder-opened');
  items.push({ label: l10n.t('Browse files…'), iconPath: anywhere, take: () => choose('files') });
  // Most systems have no dialog for both.
  items.push({ label: l10n.t('Browse folders…'), iconPath: anywhere, take: () => choose('folders') });
  items.push({ label: l10n.t('Workspace files'), kind: vscode.QuickPickItemKind.Separator });
  const all = workspaceItems(files).then((found) => [...items, ...found]);
  const picked = await pickOne(all, {
    title: l10n.t('Add Context'),
    placeHolder: l10n.t('Select what to attach'),
    matchOnDescription: true,
  });
  return (await picked?.take?.()) ?? [];
}

async function workspaceItems(files: WorkspaceFiles): Promise<readonly ContextItem[]> {
  await files.settled();
  const found = (await files.find('', mostListed + 1, 'file')) ?? [];
  const listed = found.slice(0, mostListed).map(({ uri, name, path }): ContextItem => ({
    label: name,
    description: path === name ? '' : path.slice(0, -name.length - 1),
    iconPath: vscode.ThemeIcon.File,
    take: async () => [await attachmentOf(uri)],
  }));
  if (found.length <= mostListed) return listed;
  return [...listed, { label: l10n.t('To find all other files, type @ in the message'), alwaysShow: true }];
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
