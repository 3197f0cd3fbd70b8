import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../shared/content';
import { withLines } from '../../shared/lineFragment';
import { readMedia } from './mediaFile';
import type { WorkspaceFiles } from './workspaceFiles';
import { pickOne } from '../ui/quickInput';

/** Returns a file, or some of its lines, as an attachment of a message. Images and audio are attached as such. */
export async function attachmentOf(uri: vscode.Uri, selection?: vscode.Selection): Promise<Attachment> {
  const name = basename(uri.path);
  const link = { type: 'resource_link', uri: uri.toString(), name } as const;
  if (selection && !selection.isEmpty) return { ...link, uri: withLines(link.uri, linesOf(selection)) };
  const media = uri.scheme === 'file' ? await readMedia(uri.fsPath) : undefined;
  if (!media) return link;
  // An agent that doesn't support audio can still get the link.
  return { ...media, name, ...(media.type === 'audio' ? { uri: link.uri } : {}) };
}

/** Lines count from 1. A selection that ends before a line's first character doesn't include that line. */
function linesOf({ start, end }: vscode.Selection): { start: number; end: number } {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { start: start.line + 1, end: last };
}

interface ContextItem extends vscode.QuickPickItem {
  readonly take?: () => Promise<readonly Attachment[]>;
}

/** Lets the user select attachments: the selection, a file of the workspace, or files from anywhere. */
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
  const anywhere = new vscode.ThemeIcon('folder-opened');
  items.push({ label: l10n.t('Browse files…'), iconPath: anywhere, take: chooseFiles });
  items.push({ label: l10n.t('Workspace files'), kind: vscode.QuickPickItemKind.Separator });
  const all = files.find('', Infinity).then((found) => [
    ...items,
    ...found.map(({ uri, name, path }): ContextItem => ({
      label: name,
      description: path === name ? '' : path.slice(0, -name.length - 1),
      iconPath: vscode.ThemeIcon.File,
      take: async () => [await attachmentOf(vscode.Uri.parse(uri))],
    })),
  ]);
  const picked = await pickOne(all, {
    title: l10n.t('Add Context'),
    placeHolder: l10n.t('Select what to attach'),
    matchOnDescription: true,
  });
  return (await picked?.take?.()) ?? [];
}

async function chooseFiles(): Promise<readonly Attachment[]> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: l10n.t('Add') });
  return Promise.all((uris ?? []).map((uri) => attachmentOf(uri)));
}
