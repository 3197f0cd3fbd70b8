import * as vscode from 'vscode';
import { isSameButLineBreaks, splitLines } from '../../review/lines/lines';
import { minimalEdits } from '../../review/lines/minimalEdits';
import { rebaseLines, type LineEdit } from '../../review/lines/rebase';
import { editorFollows } from '../workspaceFiles/editorFollows';
import { documentOf, openDocument } from '../workspaceFiles/openDocument';
import { saveOver } from '../workspaceFiles/saveOver';
import { applyEdits, bytesOnDisk, holdsBytes } from '../workspaceFiles/workspaceFile';
import { ChangeRefused } from './fileChange';

/** Converts edits of a document's lines to the smallest edits of the document, in its own line breaks. */
export function textEdits(
  document: vscode.TextDocument,
  edits: readonly LineEdit[],
  present: readonly string[] = splitLines(document.getText()),
): vscode.TextEdit[] {
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return minimalEdits(present, edits).map(({ startLine, startCharacter, endLine, endCharacter, text }) =>
    vscode.TextEdit.replace(
      new vscode.Range(startLine, startCharacter, endLine, endCharacter),
      text.replaceAll('\n', lineBreak),
    ),
  );
}

/** Changes a document in one step that the editor can undo. Saves it if nothing was unsaved, because agents read the disk. */
export async function editDocument(document: vscode.TextDocument, edits: readonly LineEdit[]): Promise<void> {
  const changes = textEdits(document, edits);
  // Changed line breaks alone aren't an edit in an editor.
  if (changes.length === 0) return;
  const wasSaved = !document.isDirty;
  // Not awaited, because the edits apply only to the current text.
  const shown = wasSaved ? bytesShown(document) : undefined;
  await apply(document, changes);
  const before = await shown;
  if (!wasSaved || (await document.save()) || !before) return;
  // The file may be newer than the editor's record and still have the content that the editor showed.
  if (await holdsBytes(document.uri, before).catch(() => false)) await saveOver(document);
}

/** Gives unsaved text another text, as one step that the editor can undo. It stays unsaved. */
export async function editUnsaved(document: vscode.TextDocument, text: string): Promise<void> {
  const [present, wanted] = [splitLines(document.getText()), splitLines(text)];
  await apply(document, textEdits(document, rebaseLines(present, wanted, present), present));
}

/** The versions of the documents that a step was made for, by URI. */
export type StepVersions = ReadonlyMap<string, number | undefined>;

/** Returns the versions of these files' documents, none of which has unsaved text. */
export function versionsOf(uris: readonly vscode.Uri[]): StepVersions {
  return new Map(uris.map((uri) => [uri.toString(), openDocument(uri)?.version]));
}

/**
 * Changes several documents in one step that the editor can undo, and saves them. Checks their versions just before. Resolves to the file that
 * was changed but couldn't be saved, if there is one.
 */
export async function editDocuments(
  change: vscode.WorkspaceEdit,
  versions: StepVersions,
): Promise<vscode.Uri | undefined> {
  for (const [uri, version] of versions) {
    const document = openDocument(vscode.Uri.parse(uri));
    if (document?.version !== version || document?.isDirty === true) throw new ChangeRefused('changed');
  }
  if (!(await applyEdits(change))) throw new ChangeRefused('editor');
  for (const uri of [...versions.keys()].map((key) => vscode.Uri.parse(key))) {
    const document = await documentOf(uri);
    if (!(await document.save()) && document.isDirty) return uri;
  }
  return undefined;
}

async function apply(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, [...edits]);
  if (!(await applyEdits(change))) throw new ChangeRefused('editor', document.uri.path);
}

/** Returns true if the file's document has this text, or soon follows the disk to it. */
export async function showsText(uri: vscode.Uri, text: string): Promise<boolean> {
  const document = await documentOf(uri);
  await editorFollows(uri, text);
  return isSameButLineBreaks(document.getText(), text);
}

/** Rejects if the editor couldn't fully decode the text, because saving it would damage untouched parts. */
export async function refuseDamage(uri: vscode.Uri): Promise<void> {
  const document = await documentOf(uri);
  const text = document.getText();
  if (!text.includes('\uFFFD')) return;
  const bytes = await vscode.workspace.encode(text, { encoding: document.encoding });
  if (!(await holdsBytes(uri, bytes))) throw new ChangeRefused('encoding', document.encoding);
}

/** Returns the bytes on disk if the document shows exactly those. */
async function bytesShown(document: vscode.TextDocument): Promise<Uint8Array | undefined> {
  const shown = document.getText();
  try {
    const bytes = await bytesOnDisk(document.uri);
    if (!bytes) return undefined;
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return isSameButLineBreaks(shown, text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
