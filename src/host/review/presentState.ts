import { lstat, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hashOf } from '../../baseline/blobStore';
import type { FileBefore } from '../../baseline/baseline';
import { byteOrderMarkOf } from '../../review/byteOrderMark';
import type { FileState } from '../../review/fileState';

/** Larger files are compared by their hash alone; bytes. */
const textLimit = 50_000_000;
/** A zero among the first so many bytes says that a file is no text. */
const sniffed = 8192;

/** What the user sees of a file: the text in the editor when it has unsaved changes, else the file on disk. */
export async function presentState(uri: vscode.Uri): Promise<FileState> {
  const document = openDocument(uri);
  if (document?.isDirty === true) return { kind: 'text', text: document.getText() };
  try {
    const info = await lstat(uri.fsPath);
    if (!info.isFile()) return { kind: 'absent' };
    const bytes = await readFile(uri.fsPath);
    return await stateOfBytes(uri, bytes, (info.mode & 0o111) !== 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    throw error;
  }
}

/** The document of a file that is open in this window. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key && !document.isClosed);
}

/** Bytes as the editor would show them; undefined when a baseline cannot tell. */
export async function stateBefore(uri: vscode.Uri, before: FileBefore): Promise<FileState | undefined> {
  switch (before.kind) {
    case 'absent':
      return { kind: 'absent' };
    case 'skipped':
      return undefined;
    case 'file':
      return stateOfBytes(uri, before.bytes, before.isExecutable);
  }
}

async function stateOfBytes(uri: vscode.Uri, bytes: Uint8Array, isExecutable: boolean): Promise<FileState> {
  // Windows has no such bit.
  const mode = process.platform === 'win32' ? {} : { mode: isExecutable ? 0o755 : 0o644 };
  if (isBinary(bytes)) return { kind: 'binary', hash: hashOf(bytes), size: bytes.byteLength, ...mode };
  const text = await vscode.workspace.decode(bytes, { uri });
  return { kind: 'text', text, ...mode, mark: byteOrderMarkOf(bytes) };
}

function isBinary(bytes: Uint8Array): boolean {
  if (bytes.byteLength > textLimit) return true;
  const isUtf16 = byteOrderMarkOf(bytes).startsWith('utf16');
  return !isUtf16 && bytes.subarray(0, sniffed).includes(0);
}
