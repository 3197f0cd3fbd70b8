import * as vscode from 'vscode';
import { internal } from '../../acp/base/errors';
import {
  assertEncodable,
  assertFaithful,
  assertRoom,
  assertWritable,
  encodeNew,
  fileError,
  readDisk,
  withoutMark,
  writeDisk,
  type DiskText,
} from './diskText';
import { findDocument, findNotebook, findUntitled, editorUri, followDisk } from './documents';
import { textEdits } from '../fileChanges/editorStep';
import { diskFiles } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';
import { saveOver } from '../workspaceFiles/saveOver';
import { applyEdits } from '../workspaceFiles/workspaceFile';
import { resolveTarget, type FileTarget } from '../base/filePaths';
import { isSameButLineBreaks, splitLines } from '../../review/lines/lines';
import { applyLineEdits } from '../../review/lines/minimalEdits';
import { editKeepingBreaks, hasMixedBreaks } from '../../review/files/mixedBreaks';
import { textReadHere, type KnownText } from './readMemory';
import { rebaseLines, type LineEdit } from '../../review/lines/rebase';

/** What to write, and what is known about the texts before it. */
interface Wanted {
  readonly content: string;
  readonly known: KnownText | undefined;
  readonly replaced: readonly string[];
}

/** How long an unchanged document may take to follow a change on disk, in milliseconds. */
const followTimeoutMs = 3000;
/** The user may type between the read and the write, so each attempt starts from the current text. */
const maxTries = 8;

/**
 * Writes an agent's text to a file. If the editor can open the file, changes the document in one undo step that touches
 * only the differences, and saves it. Otherwise, writes to disk, also if the file has mixed line breaks, which the
 * editor would normalize. Save participants such as format on save run, because the user chose them. Their result is
 * then the text in the editor and on disk (docs/adr/0013). Must not run twice at a time for the same file. `replaced` are
 * texts that the content replaces as a whole, also if the file gets one of them while it is written.
 */
export async function writeTarget(
  target: FileTarget,
  content: string,
  known: KnownText | undefined,
  replaced: readonly string[] = [],
): Promise<void> {
  const wanted = { content, known, replaced };
  const notebook = findNotebook(target);
  if (notebook?.isDirty === true) throw unsavedNotebook(target);
  for (let tries = 0; tries < maxTries; tries++) {
    const uri = await editorUri(target);
    const document = notebook === undefined ? await documentOf(target, uri) : undefined;
    if (document === undefined) {
      // Notebook files are UTF-8 by their format.
      const disk = await readDisk(target.realPath, uri, 'utf8');
      if (await writeOnDisk(target, uri, wanted, disk)) return;
      continue;
    }
    if (await writeDocument(target, document, wanted)) return;
  }
  throw internal(`${target.path} keeps changing in the editor. Nothing was written. Try again.`, {
    path: target.path,
    reason: 'busy',
  });
}

/** Returns the error for a notebook with unsaved changes: its file isn't what the user sees. */
export function unsavedNotebook(target: FileTarget): Error {
  return internal(`${target.path} is open as a notebook with unsaved changes. The user must save it first.`, {
    path: target.path,
    reason: 'notebook',
  });
}

/**
 * Returns the document of an existing file, opened without being shown. Undefined if there is neither a file nor a
 * document.
 */
async function documentOf(target: FileTarget, uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = await findDocument(target);
  if (open !== undefined) return open;
  const disk = await readDisk(target.realPath, uri);
  if (disk !== undefined) {
    const document = await vscode.workspace.openTextDocument(uri);
    await assertLeadsTo(target, uri);
    return document;
  }
  if (findUntitled(target) !== undefined) {
    throw internal(
      `${target.path} is open in the editor as a new file that has never been saved. The user must save it first.`,
      {
        path: target.path,
        reason: 'untitled',
      },
    );
  }
  return undefined;
}

/** Resolves to false if the document changed or closed in the meantime and the write must start over. */
async function writeDocument(target: FileTarget, document: vscode.TextDocument, wanted: Wanted): Promise<boolean> {
  // Passes on what is read here: the editor's save, or the fingerprint, detects later changes on disk.
  const { state, disk: seen } = await followDisk(document, target.realPath, followTimeoutMs);
  if (state === 'closed') return false;
  if (state === 'missing' || state === 'stale') {
    return writeOnDisk(target, document.uri, wanted, seen, document);
  }
  const version = document.version;
  const present = splitLines(document.getText());
  const base = baseText(target, document, wanted, seen);
  const edits = rebaseLines(splitLines(base), splitLines(withoutMark(wanted.content)), present);
  let disk: DiskText | undefined;
  if (edits.length > 0) {
    const text = applyLineEdits(present, edits).join('\n');
    disk = await assertSafe(target, document, text, state === 'agrees' ? seen : undefined);
    if (hasMoved(document, version)) return false;
    if (disk !== undefined && hasMixedBreaks(disk.text)) {
      if (!isSameButLineBreaks(disk.text, document.getText())) return false;
      if (!(await writeEdits(target, disk, edits, document.encoding))) return false;
      await followDisk(document, target.realPath, followTimeoutMs);
      return true;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, textEdits(document, edits, present));
    if (!(await applyEdits(edit))) {
      if (hasMoved(document, version)) return false;
      throw internal(`The editor couldn't change ${target.path}. Nothing was written.`, { path: target.path });
    }
  }
  await save(target, document, disk, wanted.replaced);
  return true;
}

/** Rejects if the editor's name for a file now leads to another file. */
async function assertLeadsTo(target: FileTarget, uri: vscode.Uri): Promise<void> {
  if ((await resolveTarget(uri.fsPath)).key !== target.key) {
    throw fileError(new FileProblem('moved', target.realPath), target.path);
  }
}

function hasMoved(document: vscode.TextDocument, version: number): boolean {
  return document.isClosed || document.version !== version;
}

function isUnsavedAt(document: vscode.TextDocument, version: number): boolean {
  return document.isDirty && document.version === version;
}

/**
 * Returns the text to compare the agent's content with. An agent that reads through the editor knows what it read. An
 * agent that reads the disk knows the text on disk, without unsaved changes.
 */
function baseText(
  target: FileTarget,
  document: vscode.TextDocument,
  { content, known, replaced }: Wanted,
  disk: DiskText | undefined,
): string {
  if (isOneOf(replaced, document.getText())) return document.getText();
  const read = textReadHere(known, withoutMark(content));
  if (read !== undefined) return read;
  if (!document.isDirty) return document.getText();
  if (disk !== undefined && !isSameButLineBreaks(disk.text, withoutMark(content))) return disk.text;
  // The file is missing, or the agent has also written to disk, so the text it started from is gone.
  if (known !== undefined) return known.text;
  if (disk === undefined || isSameButLineBreaks(disk.text, document.getText())) return document.getText();
  throw internal(
    `${target.path} has unsaved changes in the editor, and the file on disk has changed, too. Neither was touched. The user must decide which one to keep.`,
    { path: target.path, reason: 'conflict' },
  );
}

/** Resolves to the content on disk if the document shows the same. `seen` is what was read from disk a moment ago. */
async function assertSafe(
  target: FileTarget,
  document: vscode.TextDocument,
  text: string,
  seen: DiskText | undefined,
): Promise<DiskText | undefined> {
  await assertWritable(target.realPath);
  const size = await assertEncodable(target.path, text, document.encoding);
  await assertRoom(target.realPath, size);
  if (document.isDirty) return undefined;
  const disk = seen ?? (await readDisk(target.realPath, document.uri, document.encoding));
  if (disk !== undefined) await assertFaithful(target.path, disk, document.encoding);
  return disk;
}

/** `before` is the content on disk if the document showed the same. */
async function save(
  target: FileTarget,
  document: vscode.TextDocument,
  before: DiskText | undefined,
  replaced: readonly string[],
): Promise<void> {
  if (document.isDirty && !document.isClosed) {
    await assertLeadsTo(target, document.uri);
    const version = document.version;
    const isSaved = await document.save();
    // The document may be dirty again because the user kept typing. The text from before is then safe on disk.
    if (!isSaved && isUnsavedAt(document, version)) {
      const isKnown =
        (await saveOverReplaced(target, document, replaced)) || (await saveOverKnown(target, document, before));
      if (!isKnown) throw await unsaved(target);
    }
  }
  await followDisk(document, target.realPath, followTimeoutMs);
}

/**
 * Saves a document that the editor refused to save although the file still has the content from before the change. This
 * happens if the editor read the file while another program was writing it: its text is current, but its modification
 * time isn't.
 */
async function saveOverKnown(
  target: FileTarget,
  document: vscode.TextDocument,
  before: DiskText | undefined,
): Promise<boolean> {
  if (before === undefined) return false;
  const now = await diskFiles.read(target.realPath).catch(() => undefined);
  if (now !== undefined && Buffer.from(before.bytes).equals(now.bytes) && (await saveOver(document))) return true;
  await undoCut(target, document, before);
  return false;
}

/** Saves a document that the editor refused to save because the file has meanwhile got a text that this one replaces. */
async function saveOverReplaced(
  { realPath }: FileTarget,
  document: vscode.TextDocument,
  replaced: readonly string[],
): Promise<boolean> {
  const disk = await readDisk(realPath, document.uri, document.encoding).catch(() => undefined);
  return disk !== undefined && isOneOf(replaced, disk.text) && saveOver(document);
}

function isOneOf(texts: readonly string[], text: string): boolean {
  return texts.some((one) => isSameButLineBreaks(one, text));
}

/** Restores the old bytes if the editor emptied the file but couldn't write it, such as on a full disk. */
async function undoCut({ realPath }: FileTarget, document: vscode.TextDocument, { bytes }: DiskText): Promise<void> {
  try {
    const wanted = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
    const now = await diskFiles.read(realPath);
    const isCut = now !== undefined && now.bytes.byteLength < wanted.byteLength;
    if (!isCut || !Buffer.from(wanted.subarray(0, now.bytes.byteLength)).equals(now.bytes)) return;
    await diskFiles.replace(realPath, bytes, { expected: now.fingerprint });
  } catch {
    // The text is in the editor, and the agent gets an error because it isn't saved.
  }
}

async function unsaved(target: FileTarget): Promise<Error> {
  await assertWritable(target.realPath);
  return internal(
    `${target.path} was changed in the editor but couldn't be saved, probably because the file on disk has changed, too. The change is in the editor, unsaved. The user must decide what to keep.`,
    { path: target.path, reason: 'notSaved' },
  );
}

/**
 * Writes new files, notebooks, and documents that don't follow their file without using the editor. None of them has
 * unsaved changes. Resolves to false if the file no longer matches `disk` and the write must start over.
 */
async function writeOnDisk(
  target: FileTarget,
  uri: vscode.Uri,
  { content, known, replaced }: Wanted,
  disk: DiskText | undefined,
  document?: vscode.TextDocument,
): Promise<boolean> {
  if (disk === undefined) {
    if (!(await writeDisk(target.realPath, await encodeNew(uri, content), undefined))) return false;
  } else {
    const present = splitLines(disk.text);
    const read = isOneOf(replaced, disk.text) ? undefined : textReadHere(known, withoutMark(content));
    const base = read ?? disk.text;
    const edits = rebaseLines(splitLines(base), splitLines(withoutMark(content)), present);
    if (!(await writeEdits(target, disk, edits, document?.encoding ?? 'utf8'))) return false;
  }
  if (document !== undefined && !document.isClosed) await followDisk(document, target.realPath, followTimeoutMs);
  return true;
}

async function writeEdits(
  target: FileTarget,
  disk: DiskText,
  edits: readonly LineEdit[],
  encoding: string,
): Promise<boolean> {
  const text = editKeepingBreaks(disk.text, edits);
  await assertEncodable(target.path, text, encoding);
  await assertFaithful(target.path, disk, encoding);
  return writeDisk(target.realPath, await vscode.workspace.encode(text, { encoding }), disk);
}
