import * as vscode from 'vscode';
import { hashOf } from '../../baseline/blobStore';
import type { FileRef } from '../../review/files/fileRef';
import { fileRootsAround } from '../base/folders';
import { openDocument } from './openDocument';
import { diskFiles } from './diskFile';
import { FileProblem } from './fileProblem';
import { guardedReason } from './guarded';
import type { GuardedReason } from '../../shared/limits/guardedPlaces';
import { ownPlace } from './ownPlace';

/** A file's current state. Unsaved text in the editor counts as its content. */
export interface PresentFile {
  readonly ref: FileRef;
  /** Undefined if the file doesn't exist. */
  readonly bytes: Uint8Array | undefined;
  readonly isUnsaved: boolean;
}

/** Reads a file as the user sees it. Rejects if it can't be read. */
export async function presentFile(uri: vscode.Uri): Promise<PresentFile> {
  const disk = await fileOnDisk(uri);
  const document = openDocument(uri);
  if (document?.isDirty !== true) return disk;
  // A link in the file's place leads to another file, whatever text the editor shows.
  if (disk.ref.kind === 'link') return { ...disk, isUnsaved: true };
  const bytes = await encodeAsEditor(uri, document.getText(), disk.bytes);
  const permissions = disk.ref.kind === 'stored' ? disk.ref.permissions : undefined;
  return { ref: refOf(bytes, permissions), bytes, isUnsaved: true };
}

/**
 * Reads a file on disk, regardless of the editor. Doesn't follow a link. Returns an absent file if the entry isn't a
 * file, or if a link in the path now leads out of the workspace.
 */
export async function fileOnDisk(uri: vscode.Uri): Promise<PresentFile> {
  const nothing = { ref: { kind: 'absent' }, bytes: undefined, isUnsaved: false } as const;
  try {
    const place = await placeOf(uri);
    const found = await diskFiles.look(place);
    if (found.kind === 'link') return { ...nothing, ref: { kind: 'link', target: found.target } };
    const file = found.kind === 'file' ? await diskFiles.read(place) : undefined;
    if (!file) return nothing;
    return { ref: refOf(file.bytes, file.mode), bytes: file.bytes, isUnsaved: false };
  } catch (error) {
    if (error instanceof FileProblem && error.kind === 'linkedAway') return nothing;
    throw error;
  }
}

/**
 * Returns the real path of a URI's file without following a link in the last name. Rejects if the path now leads out of
 * the workspace.
 */
export function placeOf(uri: vscode.Uri): Promise<string> {
  return ownPlace(uri.fsPath, fileRootsAround(uri.fsPath));
}

/** Returns why a change of this file needs the user's own answer, or undefined if it doesn't. */
export async function guardedReasonOf(uri: vscode.Uri): Promise<GuardedReason | undefined> {
  const path = uri.fsPath;
  const realPath = await placeOf(uri).catch(() => path);
  return guardedReason(
    { path, realPath },
    fileRootsAround(path).map((folder) => ({ path: folder, realPath: folder })),
  );
}

/** Returns the hash of a content, with its permission bits if known. Windows has none. */
export function refOf(bytes: Uint8Array, permissions: number | undefined): FileRef {
  const ref = { kind: 'stored', hash: hashOf(bytes), size: bytes.byteLength } as const;
  if (permissions === undefined || process.platform === 'win32') return ref;
  return { ...ref, mode: (permissions & 0o111) === 0 ? 0o644 : 0o755, permissions };
}

/**
 * Encodes a text as the editor would save it. `like` is the file's content at another time, for its byte order mark.
 */
export async function encodeAsEditor(uri: vscode.Uri, text: string, like: Uint8Array | undefined): Promise<Uint8Array> {
  const document = openDocument(uri);
  if (document) return vscode.workspace.encode(text, { encoding: document.encoding });
  const hasMark = like?.[0] === 0xef && like[1] === 0xbb && like[2] === 0xbf;
  return hasMark ? vscode.workspace.encode(text, { encoding: 'utf8bom' }) : vscode.workspace.encode(text, { uri });
}
