import * as vscode from 'vscode';
import { byteOrderMarkOf } from '../../review/files/byteOrderMark';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { editorFollows } from '../workspaceFiles/editorFollows';
import { documentOf, openDocument, openNotebook } from '../workspaceFiles/openDocument';
import { placeOf } from '../workspaceFiles/presentFile';
import {
  allowWriting,
  bytesOnDisk,
  holdsBytes,
  isLink,
  isThere,
  makeFolder,
  putBytes,
  putBytesOver,
  putLink,
  setPermissions,
  takeAway,
  takeFolderAway,
  takeWholeFolder,
} from '../workspaceFiles/workspaceFile';
import { changeCells } from './changeCells';
import { editDocument, editUnsaved, refuseDamage, showsText } from './editorStep';
import { assertExpected } from './expectedFile';
import {
  ChangeRefused,
  type Applied,
  type EditorStep,
  type Follower,
  type NextContent,
  type NextFile,
  type NextMark,
  type NoFile,
} from './fileChange';

const nobody: Follower = { release: () => undefined, during: (write) => write() };

/**
 * Brings what comes to its place: as one step of the editor if the file's document shows the text that the plan was made for, or else to the
 * disk. Never goes through a link. The file was checked just before; `version` is its document's version from then.
 */
export async function applyChange(uri: vscode.Uri, next: NextFile, version?: number): Promise<Applied> {
  switch (next.kind) {
    case 'absent':
      await remove(uri, next);
      await next.tidy?.(uri.fsPath);
      return 'disk';
    case 'folder':
      await makeFolder(uri);
      return 'disk';
    case 'link':
      await putLink(uri, next.target);
      return 'disk';
    case 'unsaved':
      return putUnsaved(await documentOf(uri), next.bytes, version);
    case 'file':
    case 'traits': {
      const { mark, permissions, follower = nobody } = next;
      // The permission to write may be what was taken.
      if (permissions) await follower.during(() => allowWriting(uri, permissions));
      const applied = next.kind === 'file' ? await putContent(uri, next, follower, version) : 'disk';
      if (mark) await follower.during(() => putMark(uri, mark));
      if (permissions) await follower.during(() => setPermissions(uri, permissions));
      return applied;
    }
  }
}

async function remove(uri: vscode.Uri, { folder, removed }: NoFile): Promise<void> {
  if (folder === 'whole' && removed) return takeWholeFolder(uri, removed);
  if (folder === undefined) return takeAway(uri, removed);
  await takeFolderAway(uri).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    // Other files were put there. The agent's own are listed.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  });
}

async function putContent(
  uri: vscode.Uri,
  next: NextContent,
  follower: Follower,
  version: number | undefined,
): Promise<Applied> {
  const { copied, step, unsaved } = next;
  // The editor's save would write through the link.
  const isLinked = await isLink(uri);
  if (copied && !openDocument(uri) && (await isThere(uri))) await copied.copyAway(await placeOf(uri));
  if (step && !isLinked && (await isForStep(uri, step))) return takeStep(uri, step, follower);
  const document = openDocument(uri);
  if (!isLinked && unsaved === 'edited' && document?.isDirty === true) {
    return putUnsaved(document, next.text ?? (await next.bytes()), version, follower);
  }
  await putWhole(uri, next);
  return 'disk';
}

/** Gives a document another text, if it's the version that was checked. */
async function putUnsaved(
  document: vscode.TextDocument,
  next: Uint8Array | string,
  version = document.version,
  { release } = nobody,
): Promise<Applied> {
  const text = typeof next === 'string' ? next : await vscode.workspace.decode(next, { encoding: document.encoding });
  if (document.version !== version) throw new ChangeRefused('changed');
  release();
  await editUnsaved(document, text);
  return 'editor';
}

/** Returns whether the file's document can take a step. Rejects if its unsaved text is another one. */
async function isForStep(uri: vscode.Uri, { before, exact }: EditorStep): Promise<boolean> {
  // A notebook changes by cells. A file that isn't open gets its own bytes back.
  if (openNotebook(uri) !== undefined || (exact && openDocument(uri) === undefined)) return false;
  if (before === undefined || (await showsText(uri, before))) return true;
  if (openDocument(uri)?.isDirty === true) throw new ChangeRefused('otherText');
  return false;
}

async function takeStep(uri: vscode.Uri, { edits, exact, breaks }: EditorStep, follower: Follower): Promise<Applied> {
  if (!exact) await refuseDamage(uri);
  const document = await documentOf(uri);
  follower.release();
  await editDocument(document, edits);
  const correct = () => (exact ? putRight(uri, exact) : breaks !== undefined && putBreaks(uri, breaks));
  return (await follower.during(async () => correct())) ? 'disk' : 'editor';
}

async function putWhole(uri: vscode.Uri, next: NextContent): Promise<void> {
  const { bytes, text, before, unsaved, permissions, whole } = next;
  if (whole) await assertExpected(uri, whole);
  const content = await bytes();
  if (unsaved === 'replaced') return putBytesOver(uri, content, permissions);
  const notebook = openNotebook(uri);
  const isInCells =
    notebook && text !== undefined && before !== undefined && (await changeCells(notebook, before, text));
  // A notebook editor formats the file in its own way.
  if (!isInCells || !(await holdsBytes(uri, content))) await putBytes(uri, content, permissions);
  const document = openDocument(uri);
  if (!document) return;
  const shown = text ?? (await decoded(content, document));
  if (shown !== undefined) await editorFollows(uri, shown);
}

/** Resolves to undefined for what isn't text. */
async function decoded(bytes: Uint8Array, { encoding }: vscode.TextDocument): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(bytes, { encoding });
  } catch {
    return undefined;
  }
}

/** Corrects a saved file's bytes. Resolves to true if it wrote them. */
async function putRight(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  if (openDocument(uri)?.isDirty === true || (await holdsBytes(uri, bytes))) return false;
  await putBytes(uri, bytes);
  return true;
}

/** Like `putRight`, for a text whose bytes aren't known: only its line breaks can differ. */
async function putBreaks(uri: vscode.Uri, text: string): Promise<boolean> {
  const { encoding } = await documentOf(uri);
  const bytes = await bytesOnDisk(uri);
  if (!bytes) return false;
  const now = await vscode.workspace.decode(bytes, { encoding });
  if (now === text || !isSameButLineBreaks(now, text)) return false;
  return putRight(uri, await vscode.workspace.encode(text, { encoding }));
}

/** Writes a byte order mark to disk. If there are unsaved changes, it waits. */
async function putMark(uri: vscode.Uri, { mark, isAll, encode }: NextMark): Promise<void> {
  if (openDocument(uri)?.isDirty === true) {
    if (isAll) throw new ChangeRefused('unsavedMark');
    return;
  }
  const bytes = await bytesOnDisk(uri);
  if (!bytes || byteOrderMarkOf(bytes) === mark) return;
  await putBytes(uri, await encode(await vscode.workspace.decode(bytes, { uri })));
}
