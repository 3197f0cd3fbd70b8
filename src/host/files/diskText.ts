import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { internal, type AcpError } from '../../acp/errors';
import { byteOrderMarkOf } from '../../review/byteOrderMark';
import { messageOf } from '../../shared/messageOf';
import { diskFiles, type Fingerprint } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';
import { isMissing, systemCode } from '../base/filePaths';

/** The editor itself does not hand larger files to extensions. */
const maxBytes = 50 * 1024 * 1024;
/** Beside its bytes a file takes a little for its name and its blocks. */
const spareBytes = 16 * 1024;

/** A file's text as the editor decodes it, without byte order mark, with the line breaks the file has. */
export interface DiskText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly fingerprint: Fingerprint;
}

/**
 * Reads a file the way the editor would, without opening it there: no language feature wakes up. `encoding` is that of
 * the open document if there is one; otherwise settings and the file's first bytes decide. Undefined when it is missing.
 */
export async function readDisk(path: string, uri: vscode.Uri, encoding?: string): Promise<DiskText | undefined> {
  const found = await diskFiles.read(path, maxBytes).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (found === undefined) return undefined;
  const { bytes, fingerprint } = found;
  try {
    const { decode } = vscode.workspace;
    const text = await (encoding === undefined ? decode(bytes, { uri }) : decode(bytes, { encoding }));
    return { text, bytes, fingerprint };
  } catch {
    // The editor refuses to decode nothing but binary content.
    throw internal(`${path} is a binary file.`, { path, reason: 'binary' });
  }
}

/** Gives a file these bytes, whole or not at all, unless it is not what was read any more: then it answers false. */
export async function writeDisk(path: string, bytes: Uint8Array, was: DiskText | undefined): Promise<boolean> {
  try {
    await diskFiles.replace(path, bytes, { expected: was?.fingerprint ?? 'absent' });
    return true;
  } catch (error) {
    if (error instanceof FileProblem && error.kind === 'changed') return false;
    throw fileError(error, path);
  }
}

/**
 * Rejects when the disk has no room for a file of that many bytes. The editor empties a file before it writes it, so what would not
 * fit must not get that far.
 */
export async function assertRoom(path: string, bytes: number): Promise<void> {
  const disk = await statfs(dirname(path)).catch(() => undefined);
  // Some file systems don't say how large they are.
  if (disk === undefined || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes + spareBytes) return;
  throw fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), path);
}

/** Bytes of a text that has no file yet, in the encoding that settings give it; a byte order mark in the text stays one. */
export async function encodeNew(uri: vscode.Uri, content: string): Promise<Uint8Array> {
  const hasMark = content.startsWith(byteOrderMark);
  const text = hasMark ? content.slice(1) : content;
  const bytes = await vscode.workspace.encode(text, { uri });
  if (!hasMark || startsWithMark(bytes)) return bytes;
  return vscode.workspace.encode(text, { encoding: 'utf8bom' });
}

/** The text without the byte order mark that some agents send along; documents keep theirs by themselves. */
export function withoutMark(content: string): string {
  return content.startsWith(byteOrderMark) ? content.slice(1) : content;
}

/** Rejects when the encoding cannot hold the text: the editor would save question marks in silence. Answers how many bytes it takes. */
export async function assertEncodable(path: string, text: string, encoding: string): Promise<number> {
  const bytes = await vscode.workspace.encode(text, { encoding });
  if (encoding.startsWith('utf')) return bytes.byteLength;
  if ((await vscode.workspace.decode(bytes, { encoding })) === text) return bytes.byteLength;
  throw internal(
    `${path} is stored as ${encoding}, which can't represent every character of the new text. Nothing was written.`,
    {
      path,
      reason: 'encoding',
      encoding,
    },
  );
}

/** Rejects when the file does not come back from its decoded text: saving would damage parts nobody touched. */
export async function assertFaithful(path: string, disk: DiskText, encoding: string): Promise<void> {
  if (await isFaithful(disk, { encoding })) return;
  throw internal(
    `${path} isn't valid ${encoding}, so writing it would corrupt it. Nothing was written. The user can set this file's encoding in the editor.`,
    { path, reason: 'encoding', encoding },
  );
}

/**
 * Rejects when the decoded text has replacement characters for bytes that mean nothing in the file's encoding: an agent would write
 * them back.
 */
export async function assertReadable(path: string, uri: vscode.Uri, disk: DiskText, encoding?: string): Promise<void> {
  const mark = byteOrderMarkOf(disk.bytes);
  const marked = mark === 'none' ? undefined : mark === 'utf8' ? 'utf8bom' : mark;
  const known = encoding ?? marked;
  if (await isFaithful(disk, known === undefined ? { uri } : { encoding: known })) return;
  const name = known ?? configuredEncoding(uri);
  throw internal(
    `${path} isn't valid ${name}, so its text can't be read without loss. The user can set this file's encoding in the editor or turn on "files.autoGuessEncoding".`,
    { path, reason: 'encoding', encoding: name },
  );
}

async function isFaithful(disk: DiskText, by: { uri: vscode.Uri } | { encoding: string }): Promise<boolean> {
  if (!disk.text.includes('\uFFFD')) return true;
  const { encode } = vscode.workspace;
  const bytes = await ('uri' in by ? encode(disk.text, by) : encode(disk.text, by));
  return withoutMarkBytes(bytes).equals(withoutMarkBytes(disk.bytes));
}

function withoutMarkBytes(bytes: Uint8Array): Buffer {
  const mark = byteOrderMarkOf(bytes);
  const length = mark === 'none' ? 0 : mark === 'utf8' ? 3 : 2;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(length);
}

function configuredEncoding(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
}

/** Rejects when the system does not let this user change the file. */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, path);
  }
}

/** A file system failure in words for the agent. */
export function fileError(error: unknown, path: string): AcpError {
  if (error instanceof FileProblem) return problemError(error, path);
  const code = systemCode(error);
  const data = { path, reason: code ?? 'unknown' };
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return internal(`No permission to access ${path}.`, data);
    case 'EROFS':
      return internal(`${path} is on a read-only file system.`, data);
    case 'ENOSPC':
    case 'EDQUOT':
      return internal(`${path} couldn't be written: no space left on the disk.`, data);
    case 'EISDIR':
      return internal(`${path} is a directory, not a file.`, data);
    case 'ENOTDIR':
    case 'EEXIST':
      return internal(`${path} can't be created: one of its parent folders is a file.`, data);
    case 'ELOOP':
      return internal(`${path} is a symbolic link that points back to itself.`, data);
    case 'ENAMETOOLONG':
      return internal(`${path} is too long for this system.`, data);
    default:
      return internal(`${path}: ${messageOf(error)}`, data);
  }
}

function problemError({ kind, detail }: FileProblem, path: string): AcpError {
  switch (kind) {
    case 'directory':
      return internal(`${path} is a directory, not a file.`, { path, reason: 'isDirectory' });
    case 'special':
      return internal(`${path} isn't a regular file.`, { path, reason: 'notRegular' });
    case 'tooLarge': {
      const size = Number(detail);
      const megabytes = `${Math.ceil(size / 1024 / 1024)} MB`;
      return internal(
        `${path} is too large: ${megabytes}, and the limit is 50 MB. Use a command to work on parts of it.`,
        {
          path,
          reason: 'tooLarge',
          size,
        },
      );
    }
    case 'moved':
    case 'linkedAway':
      return internal(`${path} now points to a different file. Nothing was read or written.`, {
        path,
        reason: 'moved',
      });
    case 'changed':
      return internal(`${path} keeps changing on disk. Nothing was written. Try again.`, { path, reason: 'busy' });
  }
}

const byteOrderMark = '\uFEFF';

function startsWithMark(bytes: Uint8Array): boolean {
  const [first, second, third] = bytes;
  return (
    (first === 0xef && second === 0xbb && third === 0xbf) ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  );
}
