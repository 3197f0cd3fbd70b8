import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { withLines, type LineRange } from '../../../shared/text/lineFragment';
import { openDocument } from '../../workspaceFiles/openDocument';
import { readMedia } from './mediaFile';
import { textLimit } from './readContext';

/**
 * Returns a file, some of its lines, or a folder as an attachment of a message. Images and audio are attached as such,
 * and what only the editor can read is attached as text. Rejects with a sentence if that isn't possible.
 */
export async function attachmentOf(uri: vscode.Uri, selection?: vscode.Selection): Promise<Attachment> {
  if (uri.scheme === 'file') return fileAttachment(uri, selection);
  if (uri.scheme === 'http' || uri.scheme === 'https') return linkTo(uri);
  return editorText(uri, selection);
}

/** Attaches a text under a name that ends like a file's. */
export function textAttachment(name: string, text: string): Attachment {
  return { type: 'resource', uri: `attachment:///${encodeURIComponent(name)}`, name, text };
}

/** Lines count from 1. A selection that ends before a line's first character doesn't include that line. */
export function linesOf({ start, end }: vscode.Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { start: start.line + 1, end: last };
}

async function fileAttachment(uri: vscode.Uri, selection: vscode.Selection | undefined): Promise<Attachment> {
  const link = linkTo(uri);
  if (selection && !selection.isEmpty) return { ...link, uri: withLines(link.uri, linesOf(selection)) };
  if (await isFolder(uri)) return { ...link, uri: link.uri.replace(/\/*$/, '/') };
  const media = await readMedia(uri.fsPath);
  if (!media) return link;
  // An agent that doesn't support audio can still get the link.
  return { ...media, name: link.name, ...(media.type === 'audio' ? { uri: link.uri } : {}) };
}

function linkTo(uri: vscode.Uri) {
  return { type: 'resource_link', uri: uri.toString(), name: basename(uri.path) || uri.authority } as const;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    return false; // The agent gets the link and finds out why.
  }
}

/** Returns the text of a document that agents can't read, such as an unsaved one, or one on the user's machine. */
async function editorText(uri: vscode.Uri, selection: vscode.Selection | undefined): Promise<Attachment> {
  const name = basename(uri.path) || l10n.t('Text');
  const document = openDocument(uri) ?? (await openedText(uri, name));
  const lines = selection && !selection.isEmpty ? linesOf(selection) : undefined;
  const text = lines ? document.getText(new vscode.Range(lines.start - 1, 0, lines.end, 0)) : document.getText();
  if (text.length > textLimit) throw new Error(l10n.t('“{0}” is too large to attach.', name));
  return textAttachment(name, text);
}

async function openedText(uri: vscode.Uri, name: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw new Error(l10n.t('Couldn’t attach “{0}”: it isn’t a text that the editor can read.', name));
  }
}
