import * as vscode from 'vscode';
import { internal } from '../../acp/errors';
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
import { diskFiles } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';
import { saveOver } from '../workspaceFiles/saveOver';
import { applyEdits } from '../workspaceFiles/workspaceFile';
import { resolveTarget, type FileTarget } from '../base/filePaths';
import { isSameButLineBreaks, splitLines } from '../../review/lines';
import { applyLineEdits, minimalEdits } from '../../review/minimalEdits';
import { editKeepingBreaks, hasMixedBreaks } from '../../review/mixedBreaks';
import { textReadHere, type KnownText } from './readMemory';
import { rebaseLines, type LineEdit } from '../../review/rebase';

/** How long an unchanged document may take to follow a change on disk. */
const followTimeoutMs = 3000;
/** The user may type between our looking and our writing; each try starts from what is there then. */
const maxTries = 8;

/**
 * Gives a file the text an agent wants. What the editor can open is changed as a document, in one undo step that touches
 * only what differs, and saved; the rest is written to disk, and so is a file of mixed line breaks, which the editor would make
 * one. Save participants such as format on save do run, since the user chose them: what they leave is then the text in editor
 * and on disk (docs/adr/0013). Must not run twice at a time for one file.
 */
export async function writeTarget(target: FileTarget, content: string, known: KnownText | undefined): Promise<void> {
  const notebook = findNotebook(target);
  if (notebook?.isDirty === true) throw unsavedNotebook(target);
  for (let tries = 0; tries < maxTries; tries++) {
    const uri = await editorUri(target);
    const document = notebook === undefined ? await documentOf(target, uri) : undefined;
    if (document === undefined) {
      // A notebook's file is UTF-8 by its format.
      const disk = await readDisk(target.realPath, uri, 'utf8');
      if (await writeOnDisk(target, uri, content, known, disk)) return;
      continue;
    }
    if (await writeDocument(target, document, content, known)) return;
  }
  throw internal(`${target.path} keeps changing in the editor. Nothing was written. Try again.`, {
    path: target.path,
    reason: 'busy',
  });
}

/** The error for a notebook with unsaved changes: its file is not what the user sees. */
export function unsavedNotebook(target: FileTarget): Error {
  return internal(`${target.path} is open as a notebook with unsaved changes. The user must save it first.`, {
    path: target.path,
    reason: 'notebook',
  });
}

/** The document of an existing file, opened without being shown; undefined when there is neither file nor document. */
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

/** False when the document changed or closed meanwhile and all has to be looked at again. */
async function writeDocument(
  target: FileTarget,
  document: vscode.TextDocument,
  content: string,
  known: KnownText | undefined,
): Promise<boolean> {
  // What is read here is passed on: what changes on disk after it is noticed by the editor's save, or by the fingerprint.
  const { state, disk: seen } = await followDisk(document, target.realPath, followTimeoutMs);
  if (state === 'closed') return false;
  if (state === 'missing' || state === 'stale') {
    return writeOnDisk(target, document.uri, content, known, seen, document);
  }
  const version = document.version;
  const present = splitLines(document.getText());
  const base = baseText(target, document, content, known, seen);
  const edits = rebaseLines(splitLines(base), splitLines(withoutMark(content)), present);
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
    edit.set(document.uri, textEdits(document, present, edits));
    if (!(await applyEdits(edit))) {
      if (hasMoved(document, version)) return false;
      throw internal(`The editor couldn't change ${target.path}. Nothing was written.`, { path: target.path });
    }
  }
  await save(target, document, disk);
  return true;
}

/** Rejects when the name under which the editor holds a file leads to another one by now. */
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

function textEdits(
  document: vscode.TextDocument,
  present: readonly string[],
  edits: readonly LineEdit[],
): vscode.TextEdit[] {
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return minimalEdits(present, edits).map((change) =>
    vscode.TextEdit.replace(
      new vscode.Range(change.startLine, change.startCharacter, change.endLine, change.endCharacter),
      change.text.replaceAll('\n', lineBreak),
    ),
  );
}

/**
 * The text that the agent's content is to be compared with. An agent that reads through the editor knows what it read;
 * one that reads by itself knows what is on disk, and nothing of what the user has not saved.
 */
function baseText(
  target: FileTarget,
  document: vscode.TextDocument,
  content: string,
  known: KnownText | undefined,
  disk: DiskText | undefined,
): string {
  const read = textReadHere(known, withoutMark(content));
  if (read !== undefined) return read;
  if (!document.isDirty) return document.getText();
  if (disk !== undefined && !isSameButLineBreaks(disk.text, withoutMark(content))) return disk.text;
  // Missing, or the agent has written the disk as well: what it started from is gone.
  if (known !== undefined) return known.text;
  if (disk === undefined || isSameButLineBreaks(disk.text, document.getText())) return document.getText();
  throw internal(
    `${target.path} has unsaved changes in the editor, and the file on disk has changed, too. Neither was touched. The user must decide which one to keep.`,
    { path: target.path, reason: 'conflict' },
  );
}

/** Answers what is on disk, where that is what the document shows; `seen` is what was read there a moment ago, if so. */
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

/** `before` is what was on disk, where that was what the document showed. */
async function save(target: FileTarget, document: vscode.TextDocument, before: DiskText | undefined): Promise<void> {
  if (document.isDirty && !document.isClosed) {
    await assertLeadsTo(target, document.uri);
    const version = document.version;
    const isSaved = await document.save();
    // It may be dirty again because the user types on; then what was there is safe on disk.
    if (!isSaved && isUnsavedAt(document, version) && !(await saveOverKnown(target, document, before))) {
      throw await unsaved(target);
    }
  }
  await followDisk(document, target.realPath, followTimeoutMs);
}

/**
 * Saves what the editor refused to save although the file still holds what the document showed before the change. That happens when
 * the editor read the file just as another program wrote it: the text is that of now, the time it remembers is not.
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

/** The editor empties a file before it writes it; where it could not write, for want of space say, the old bytes come back. */
async function undoCut({ realPath }: FileTarget, document: vscode.TextDocument, { bytes }: DiskText): Promise<void> {
  try {
    const wanted = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
    const now = await diskFiles.read(realPath);
    const isCut = now !== undefined && now.bytes.byteLength < wanted.byteLength;
    if (!isCut || !Buffer.from(wanted.subarray(0, now.bytes.byteLength)).equals(now.bytes)) return;
    await diskFiles.replace(realPath, bytes, { expected: now.fingerprint });
  } catch {
    // The text is in the editor, and the agent is told that it isn't saved.
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
 * Writes past the editor: new files, notebooks, and documents that do not follow their file. None has unsaved changes. False when the
 * file is not `disk` any more and all has to be looked at again.
 */
async function writeOnDisk(
  target: FileTarget,
  uri: vscode.Uri,
  content: string,
  known: KnownText | undefined,
  disk: DiskText | undefined,
  document?: vscode.TextDocument,
): Promise<boolean> {
  if (disk === undefined) {
    if (!(await writeDisk(target.realPath, await encodeNew(uri, content), undefined))) return false;
  } else {
    const present = splitLines(disk.text);
    const base = textReadHere(known, withoutMark(content)) ?? disk.text;
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
