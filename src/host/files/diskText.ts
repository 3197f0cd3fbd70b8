import { type Stats } from 'node:fs';
import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { internal, type AcpError } from '../../acp/errors';
import { isMissing, systemCode } from './filePaths';

/** The editor itself does not hand larger files to extensions. */
const maxBytes = 50 * 1024 * 1024;

/** A file's text as the editor decodes it, without byte order mark, with the line breaks the file has. */
export interface DiskText {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** What is known about a file without opening it; undefined when it does not exist. Rejects for what is no regular file. */
export async function regularFile(path: string): Promise<Stats | undefined> {
  let found: Stats;
  try {
    found = await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, path);
  }
  if (found.isDirectory()) throw internal(`${path} is a directory, not a file.`, { path, reason: 'isDirectory' });
  // A pipe or a device would never end.
  if (!found.isFile()) throw internal(`${path} is not a regular file.`, { path, reason: 'notRegular' });
  if (found.size > maxBytes) {
    const size = `${Math.ceil(found.size / 1024 / 1024)} MB`;
    throw internal(`${path} is too large (${size}, the limit is 50 MB). Work on parts of it with a command.`, {
      path,
      reason: 'tooLarge',
      size: found.size,
    });
  }
  return found;
}

/**
 * Reads a file the way the editor would, without opening it there: no language feature wakes up. `encoding` is that of
 * the open document if there is one; otherwise settings and the file's first bytes decide. Undefined when it is missing.
 */
export async function readDisk(path: string, uri: vscode.Uri, encoding?: string): Promise<DiskText | undefined> {
  if ((await regularFile(path)) === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, path);
  }
  try {
    const { decode } = vscode.workspace;
    const text = await (encoding === undefined ? decode(bytes, { uri }) : decode(bytes, { encoding }));
    return { text, bytes };
  } catch {
    // The editor refuses to decode nothing but binary content.
    throw internal(`${path} is a binary file, it has no text.`, { path, reason: 'binary' });
  }
}

/** Writes a file and the folders above it, byte for byte. */
export async function writeDisk(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  } catch (error) {
    throw fileError(error, path);
  }
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

/** Rejects when the encoding cannot hold the text: the editor would save question marks in silence. */
export async function assertEncodable(path: string, text: string, encoding: string): Promise<void> {
  if (encoding.startsWith('utf')) return;
  const bytes = await vscode.workspace.encode(text, { encoding });
  if ((await vscode.workspace.decode(bytes, { encoding })) === text) return;
  throw internal(
    `${path} is stored as ${encoding}, which cannot hold every character of the new text. Nothing was written.`,
    {
      path,
      reason: 'encoding',
      encoding,
    },
  );
}

/** Rejects when the file does not come back from its decoded text: saving would damage parts nobody touched. */
export async function assertFaithful(path: string, disk: DiskText, encoding: string): Promise<void> {
  if (!disk.text.includes('\uFFFD')) return;
  const bytes = await vscode.workspace.encode(disk.text, { encoding });
  if (Buffer.from(bytes).equals(disk.bytes)) return;
  throw internal(
    `${path} is not valid ${encoding}, so writing it would damage it. Nothing was written. The user can set the encoding of this file in the editor.`,
    { path, reason: 'encoding', encoding },
  );
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
      return internal(`${path} was not written: no space is left on the disk.`, data);
    case 'EISDIR':
      return internal(`${path} is a directory, not a file.`, data);
    case 'ENOTDIR':
    case 'EEXIST':
      return internal(`${path} cannot exist: one of its parent folders is a file.`, data);
    case 'ELOOP':
      return internal(`${path} is a symbolic link that leads back to itself.`, data);
    case 'ENAMETOOLONG':
      return internal(`${path} is longer than the system allows.`, data);
    default:
      return internal(`${path}: ${error instanceof Error ? error.message : String(error)}`, data);
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
