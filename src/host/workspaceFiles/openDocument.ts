import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { wayBelow } from '../../disk/paths';
import { attempt } from '../../shared/values/attempt';
import { fileRootsAround } from '../base/folders';

/**
 * Returns the open document of a file in this window, also if it was opened under another name, through a link. Of
 * several, returns the one with unsaved text, which an undo must not overwrite.
 */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  const open = vscode.workspace.textDocuments.filter((document) => !document.isClosed);
  const exact = open.find((document) => document.uri.toString() === key);
  if (exact?.isDirty === true || uri.scheme !== 'file' || uri.query !== '') return exact;
  const others = open.filter((document) => document !== exact && leadsTo(document, uri.fsPath));
  return others.find(({ isDirty }) => isDirty) ?? exact ?? others[0];
}

/** Returns the open document of a file, or opens it without showing it. */
export async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument> {
  return openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
}

/**
 * Returns the URI under which the file of a document is reviewed: that of the file that links lead to, as named in the
 * workspace.
 */
export function reviewedUri(document: Pick<vscode.TextDocument, 'uri'>): vscode.Uri {
  const { uri } = document;
  if (uri.scheme !== 'file') return uri;
  const path = uri.fsPath;
  const real = realPathOf(document);
  if (real === undefined || real === path) return uri;
  for (const folder of fileRootsAround(real)) {
    const way = wayBelow(realPath(folder) ?? folder, real);
    if (way !== undefined) return vscode.Uri.file(join(folder, way));
  }
  return vscode.Uri.file(real);
}

/** Returns true if a document's name leads to the file at `path`, which isn't a link itself. */
function leadsTo(document: vscode.TextDocument, path: string): boolean {
  if (document.uri.scheme !== 'file') return false;
  const real = realPathOf(document);
  // Most documents have another file's name, so that no folder must be resolved.
  if (real === undefined || basename(real) !== basename(path)) return false;
  return real === join(realPath(dirname(path)) ?? dirname(path), basename(path));
}

/** Where the links in a document's name lead. Its answer counts for a moment, because thousands of files may ask about the same documents. */
const places = new WeakMap<
  Pick<vscode.TextDocument, 'uri'>,
  { readonly real: string | undefined; readonly at: number }
>();
const settledMs = 1000;

function realPathOf(document: Pick<vscode.TextDocument, 'uri'>): string | undefined {
  const now = performance.now();
  const known = places.get(document);
  if (known && now - known.at < settledMs) return known.real;
  const real = realPath(document.uri.fsPath);
  places.set(document, { real, at: now });
  return real;
}

function realPath(path: string): string | undefined {
  return attempt(() => realpathSync.native(path));
}

/** Returns the open notebook of a file. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => !notebook.isClosed && notebook.uri.toString() === key);
}
