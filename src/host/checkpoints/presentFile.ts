import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hashOf } from '../../baseline/blobStore';
import type { FileRef } from '../../review/fileRef';
import { openDocument } from '../review/presentState';

/** A file as it is now: unsaved text in the editor counts as its content. */
export interface PresentFile {
  readonly ref: FileRef;
  /** Undefined when there is no file. */
  readonly bytes: Uint8Array | undefined;
  readonly isUnsaved: boolean;
  /** All permission bits of the file on disk, where there are any. */
  readonly mode: number | undefined;
}

/** Reads a file as the user sees it; rejects when it cannot be read. */
export async function presentFile(uri: vscode.Uri): Promise<PresentFile> {
  const disk = await fileOnDisk(uri);
  const document = openDocument(uri);
  if (document?.isDirty !== true) return disk;
  const bytes = await encodeAsEditor(uri, document.getText(), disk.bytes);
  return { ref: refOf(bytes, disk.mode), bytes, isUnsaved: true, mode: disk.mode };
}

/** A file on disk, whatever the editor shows. */
export async function fileOnDisk(uri: vscode.Uri): Promise<PresentFile> {
  try {
    const { mode } = await stat(uri.fsPath);
    const bytes = await readFile(uri.fsPath);
    return { ref: refOf(bytes, mode), bytes, isUnsaved: false, mode: mode & 0o777 };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A folder that stands there now is not the file.
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) throw error;
    return { ref: { kind: 'absent' }, bytes: undefined, isUnsaved: false, mode: undefined };
  }
}

/** The name of a content. Of the permission bits only those that allow execution count; Windows has none. */
export function refOf(bytes: Uint8Array, mode: number | undefined): FileRef {
  const ref = { kind: 'stored', hash: hashOf(bytes), size: bytes.byteLength } as const;
  if (mode === undefined || process.platform === 'win32') return ref;
  return { ...ref, mode: (mode & 0o111) === 0 ? 0o644 : 0o755 };
}

/** Bytes of a text as the editor would save it; `like` is what the file held at another time, for its byte order mark. */
export async function encodeAsEditor(uri: vscode.Uri, text: string, like: Uint8Array | undefined): Promise<Uint8Array> {
  const document = openDocument(uri);
  if (document) return vscode.workspace.encode(text, { encoding: document.encoding });
  const hasMark = like?.[0] === 0xef && like[1] === 0xbb && like[2] === 0xbf;
  return hasMark ? vscode.workspace.encode(text, { encoding: 'utf8bom' }) : vscode.workspace.encode(text, { uri });
}
