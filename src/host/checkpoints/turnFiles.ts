import * as vscode from 'vscode';
import type { Checkpoint } from '../../review/checkpoints/checkpoint';
import { isSameRef } from '../../review/files/fileRef';
import type { TurnFiles } from '../../shared/pages/messages';
import { fileKey } from '../base/filePaths';
import { shownPaths, type SessionTurn } from '../review/recording/toolCallFiles';

/** The most paths of a turn that a page gets. It only counts the others. */
const maxPaths = 20;

/** Returns the absolute paths of the files that a turn changed, whichever program wrote them. */
export function changedFilesOf({ files, unrecorded }: Checkpoint): string[] {
  const changed = [...files].filter(([, { before, after }]) => !isSameRef(before, after)).map(([uri]) => uri);
  return [...changed, ...unrecorded].map((uri) => vscode.Uri.parse(uri).fsPath);
}

/** Returns what the turns changed whose tool calls don't show all of it: commands write files, too. */
export function hiddenWork(session: SessionTurn['session'], checkpoints: readonly Checkpoint[]): TurnFiles[] {
  const shown = shownPaths(session);
  return checkpoints.flatMap((checkpoint) => {
    const { turn } = checkpoint;
    const ofCalls = new Set([...(shown.get(turn) ?? [])].map((path) => fileKey(path)));
    const paths = changedFilesOf(checkpoint);
    const hidden = paths.filter((path) => !ofCalls.has(fileKey(path)));
    if (hidden.length === 0) return [];
    return [
      { turn, count: ofCalls.size + hidden.length, paths: [...new Set([...hidden, ...paths])].slice(0, maxPaths) },
    ];
  });
}
