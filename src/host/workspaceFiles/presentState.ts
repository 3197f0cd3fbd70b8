import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { hashOf } from '../../baseline/blobStore';
import type { FileBefore } from '../../baseline/baseline';
import { newestChange } from '../../baseline/folderScan';
import { lossyStat } from '../../disk/lossyNames';
import { byteOrderMarkOf } from '../../review/files/byteOrderMark';
import type { FileState, UnreadState } from '../../review/files/fileState';
import type { TrackedFile } from '../../review/log/trackedFile';
import type { UnreadReason } from '../../shared/changes/review';
import { openDocument } from './openDocument';

/** Larger files are compared only by hash. In bytes. */
const textLimit = 50_000_000;
/** A zero among this many first bytes means that a file isn't text. */
const sniffed = 8192;

/** A file as the user sees it, with its bytes if it was read from disk and isn't very large. */
export interface Present {
  readonly state: FileState;
  readonly bytes?: Uint8Array;
}

/**
 * Returns a file as the user sees it: the unsaved text in the editor, or the file on disk. `like` is an earlier state:
 * content that wasn't read then isn't read now, and a folder counts only if there was one.
 */
export async function presentState(uri: vscode.Uri, like?: FileState): Promise<FileState> {
  return (await present(uri, like)).state;
}

/** Like `presentState`, with text and bytes from the same read. */
export async function present(uri: vscode.Uri, like?: FileState): Promise<Present> {
  if (like?.kind === 'unread') return { state: await unreadState(uri.fsPath, like) };
  const document = openDocument(uri);
  if (document?.isDirty === true) return { state: { kind: 'text', text: document.getText() } };
  try {
    const info = await lstat(uri.fsPath);
    if (info.isSymbolicLink()) return { state: { kind: 'link', target: await readlink(uri.fsPath) } };
    if (info.isDirectory() && like?.kind === 'folder') return { state: like };
    if (!info.isFile()) return { state: { kind: 'absent' } };
    const mode = process.platform === 'win32' ? undefined : info.mode & 0o7777;
    if (info.size > textLimit) return { state: await largeState(uri.fsPath, info.size, mode) };
    const bytes = await readFile(uri.fsPath);
    return { state: await stateOfBytes(uri, bytes, mode), bytes };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { state: { kind: 'absent' } };
    throw error;
  }
}

/** Decodes an earlier content as the editor would show it. Resolves to undefined if the baseline doesn't have it. */
export async function stateBefore(uri: vscode.Uri, before: FileBefore): Promise<FileState | undefined> {
  switch (before.kind) {
    case 'absent':
    case 'folder':
    case 'link':
      return before;
    case 'skipped':
      return undefined;
    case 'file': {
      const mode = before.mode ?? (before.isExecutable ? 0o755 : 0o644);
      // Windows has no such bits.
      return stateOfBytes(uri, before.bytes, process.platform === 'win32' ? undefined : mode);
    }
  }
}

/** Returns the state for a file or folder whose earlier content is unknown. */
export function unreadBefore(what: UnreadState['what'], reason: UnreadReason): UnreadState {
  return { kind: 'unread', what, reason, stamp: '' };
}

/** Returns whether a path is a folder, and whether it's empty. */
export async function folderAt(path: string): Promise<'none' | 'empty' | 'full'> {
  // A link to a folder doesn't count.
  const isFolder = await lstat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isFolder) return 'none';
  const names = await readdir(path).catch(() => ['?']);
  return names.length === 0 ? 'empty' : 'full';
}

/** Returns the state that controls how a file of the log is read: content that wasn't read once isn't read later. */
export function likeOf({ base, current }: Pick<TrackedFile, 'base' | 'current'>): FileState | undefined {
  return [current, base].find(({ kind }) => kind === 'unread') ?? [current, base].find(({ kind }) => kind === 'folder');
}

async function unreadState(path: string, like: UnreadState): Promise<FileState> {
  if (like.what === 'folder') {
    const newest = await newestChange(path);
    return newest === undefined ? { kind: 'absent' } : { ...like, stamp: String(newest) };
  }
  const info = await lossyStat(path);
  if (!info) return { kind: 'absent' };
  return { ...like, stamp: [info.ino, info.size, info.mtimeMs, info.mode].join(' ') };
}

export async function stateOfBytes(uri: vscode.Uri, bytes: Uint8Array, bits: number | undefined): Promise<FileState> {
  const mode = bits === undefined ? {} : { mode: bits };
  if (isBinary(bytes)) return { kind: 'binary', hash: hashOf(bytes), size: bytes.byteLength, ...mode };
  const text = await decode(uri, bytes);
  return { kind: 'text', text, ...mode, mark: byteOrderMarkOf(bytes) };
}

/**
 * Decodes bytes. Plain ASCII is the same in all but the wide encodings, and asking the editor is slow for thousands of
 * files.
 */
async function decode(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  if (isAscii(bytes) && !isWide(uri)) return Buffer.from(bytes).toString('latin1');
  return vscode.workspace.decode(bytes, { uri });
}

/** Caches the setting for a while, because reading it takes longer than reading a file. */
const wide = { askedAt: 0, byKind: new Map<string, boolean>() };
const askEveryMs = 1000;

function isWide(uri: vscode.Uri): boolean {
  const now = performance.now();
  if (now - wide.askedAt > askEveryMs) Object.assign(wide, { askedAt: now, byKind: new Map<string, boolean>() });
  const kind = `${dirname(uri.path)} ${extname(uri.path)}`;
  const known = wide.byKind.get(kind);
  if (known !== undefined) return known;
  const found = vscode.workspace.getConfiguration('files', uri).get<string>('encoding', 'utf8').startsWith('utf16');
  wide.byKind.set(kind, found);
  return found;
}

async function largeState(path: string, size: number, bits: number | undefined): Promise<FileState> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { kind: 'binary', hash: hash.digest('hex'), size, ...compact({ mode: bits }) };
}

function isBinary(bytes: Uint8Array): boolean {
  if (bytes.byteLength > textLimit) return true;
  const isUtf16 = byteOrderMarkOf(bytes).startsWith('utf16');
  return !isUtf16 && bytes.subarray(0, sniffed).includes(0);
}
