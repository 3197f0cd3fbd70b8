import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { internal, type AcpError } from '../../acp/base/errors';
import { byteOrderMarkOf } from '../../review/files/byteOrderMark';
import { messageOf } from '../../shared/values/messageOf';
import { diskFiles, type Fingerprint } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';
import { isMissing, systemCode } from '../base/filePaths';

/** The editor doesn't provide larger files to extensions. */
const maxBytes = 50 * 1024 * 1024;
/** Space for a file's name and blocks, in addition to its bytes. */
const spareBytes = 16 * 1024;

/** A file's text as the editor decodes it, without the byte order mark, with the file's line breaks. */
export interface DiskText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly fingerprint: Fingerprint;
}

/**
 * Reads a file as the editor would, without opening it, so no language feature starts. `encoding` is that of the open
 * document, if there is one. Otherwise, settings and the file's first bytes decide. Resolves to undefined if the file
 * is missing.
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
    // The editor refuses to decode only binary content.
    throw internal(`${path} is a binary file.`, { path, reason: 'binary' });
  }
}

/** Writes bytes to a file atomically. Resolves to false if the file no longer matches what was read. */
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
 * Rejects if the disk has no room for a file of `bytes` bytes. The editor empties a file before it writes it, so
 * content that doesn't fit must be rejected earlier.
 */
export async function assertRoom(path: string, bytes: number): Promise<void> {
  const disk = await statfs(dirname(path)).catch(() => undefined);
  // Some file systems don't report their size.
  if (disk === undefined || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes + spareBytes) return;
  throw fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), path);
}

/**
 * Returns the bytes of a text for a new file, in the encoding from the settings. Preserves a byte order mark in the
 * text.
 */
export async function encodeNew(uri: vscode.Uri, content: string): Promise<Uint8Array> {
  const hasMark = content.startsWith(byteOrderMark);
  const text = hasMark ? content.slice(1) : content;
  const bytes = await vscode.workspace.encode(text, { uri });
  if (!hasMark || startsWithMark(bytes)) return bytes;
  return vscode.workspace.encode(text, { encoding: 'utf8bom' });
}

/** Removes the byte order mark that some agents send. Documents keep their own. */
export function withoutMark(content: string): string {
  return content.startsWith(byteOrderMark) ? content.slice(1) : content;
}

/**
 * Rejects if the encoding can't represent the text, because the editor would silently save question marks. Resolves to
 * the number of bytes.
 */
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

/** Rejects if the decoded text doesn't encode back to the file's bytes, because saving would damage untouched parts. */
export async function assertFaithful(path: string, disk: DiskText, encoding: string): Promise<void> {
  if (await isFaithful(disk, { encoding })) return;
  throw internal(
    `${path} isn't valid ${encoding}, so writing it would corrupt it. Nothing was written. The user can set this file's encoding in the editor.`,
    { path, reason: 'encoding', encoding },
  );
}

/**
 * Rejects if the decoded text has replacement characters for bytes that are invalid in the file's encoding, because an
 * agent would write them back.
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

/** Rejects if the system doesn't let this user change the file. */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, path);
  }
}

/** Converts a file system failure into an error message for the agent. */
export function fileError(error: unknown, path: string): AcpError {
  if (error instanceof FileProblem) return problemError(error, path);
  const code = systemCode(error);
  const data = { path, reason: code ?? 'unknown' };
  switch (code) {
    case 'EBUSY':
      return internal(`${path} is in use by another program.`, data);
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
