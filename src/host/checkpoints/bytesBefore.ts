import type * as vscode from 'vscode';
import { isSameState, stateOf, type FileState } from '../../review/files/fileState';
import type { AgentTouch } from '../review/recording/diskChanges';
import { stateBefore } from '../workspaceFiles/presentState';
import { encodeAsEditor } from '../workspaceFiles/presentFile';

/**
 * A file's content when a turn first touched it. `mode` has the permission bits, or is undefined if they aren't known.
 */
export type Content =
  'absent' | { readonly link: string } | { readonly bytes: Uint8Array; readonly mode: number | undefined };

/**
 * Returns a file's content just before the agent's first touch in a turn, or undefined if it wasn't recorded. The text
 * is what the user saw, saved or not. The bytes are those on disk if they match the text, or those that the editor
 * would save.
 */
export async function bytesBefore({ turn, uri, earlier, before }: AgentTouch): Promise<Content | undefined> {
  if (earlier === undefined) return undefined;
  const seen = stateOf(earlier.text.current, earlier.traits);
  if (seen.kind === 'absent') return 'absent';
  if (seen.kind === 'link') return { link: seen.target };
  const base = await (await turn.baseline).read(uri.fsPath);
  const stored = base?.kind === 'file' ? base : undefined;
  // Restore supports only files and links.
  if (seen.kind !== 'text' && seen.kind !== 'binary') return undefined;
  const mode = seen.mode ?? (stored && (stored.isExecutable ? 0o755 : 0o644));
  for (const bytes of [before, stored?.bytes]) {
    if (bytes && (await readsAs(uri, bytes, seen))) return { bytes, mode };
  }
  if (seen.kind === 'binary') return undefined;
  return { bytes: await encodeAsEditor(uri, seen.text, before ?? stored?.bytes), mode };
}

async function readsAs(uri: vscode.Uri, bytes: Uint8Array, state: FileState): Promise<boolean> {
  const mode = state.kind === 'text' || state.kind === 'binary' ? (state.mode ?? 0) : 0;
  const isExecutable = (mode & 0o111) !== 0;
  const held = await stateBefore(uri, { kind: 'file', bytes, isExecutable, mode });
  return held !== undefined && isSameState(held, state);
}
