import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { splitLineFragment } from '../../../shared/text/lineFragment';
import { openDocument } from '../../workspaceFiles/openDocument';
import { targetColumn } from '../../ui/targetColumn';
import { readContext } from './readContext';

/** Maximum number of names listed for a folder. */
const namesShown = 200;

/** The text of an attachment, or why there is none, as a sentence. */
export interface Preview {
  readonly text?: string;
  readonly problem?: string;
}

/** Returns the text of an attached file or of its lines, as the user sees it now, or the names in a folder. */
export async function previewOf(address: string): Promise<Preview> {
  const uri = vscode.Uri.parse(splitLineFragment(address).uri);
  if (openDocument(uri) === undefined) {
    const type = await typeOf(uri);
    if (type === undefined) return { problem: l10n.t('“{0}” wasn’t found.', basename(uri.path)) };
    if ((type & vscode.FileType.Directory) !== 0) return { text: await namesIn(uri) };
  }
  const text = await readContext(address);
  if (text !== undefined) return { text };
  return { problem: l10n.t('This file is too large to show here, or isn’t text. Use Open to see it in an editor.') };
}

/** Opens an attached file in an editor, at its lines, or shows a folder in the Explorer. Rejects with a sentence. */
export async function openAttachment(address: string): Promise<void> {
  const { uri: file, lines } = splitLineFragment(address);
  const uri = vscode.Uri.parse(file);
  const type = openDocument(uri) ? vscode.FileType.File : await typeOf(uri);
  if (type === undefined) throw new Error(l10n.t('“{0}” wasn’t found.', basename(uri.path)));
  if ((type & vscode.FileType.Directory) !== 0) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  await vscode.commands.executeCommand('vscode.open', uri, {
    preview: true,
    viewColumn: targetColumn(),
    ...(lines && { selection: new vscode.Range(lines.start - 1, 0, lines.end, 0) }),
  });
}

async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined; // Whatever the reason is, there is nothing to show.
  }
}

async function namesIn(folder: vscode.Uri): Promise<string> {
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name, type]) =>
    (type & vscode.FileType.Directory) === 0 ? name : `${name}/`,
  );
  const shown = names.sort((a, b) => a.localeCompare(b)).slice(0, namesShown);
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}
