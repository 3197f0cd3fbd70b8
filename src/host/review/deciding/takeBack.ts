import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSameState, stateOf } from '../../../review/files/fileState';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { move } from '../../workspaceFiles/workspaceFile';
import type { DiskChanges } from '../recording/diskChanges';
import { carryOut } from './undoChanges';
import type { UndoneFile } from '../../fileChanges/undoneFiles';

/** Returns whether the last decision can be taken back. */
export function canUndoLast(log: ReviewLog, disk: DiskChanges): boolean {
  return log.marks.keeps.length > 0 || disk.undone.last !== undefined;
}

/** Takes back the last keep or undo, whichever is later. Its changes wait for review again. */
export async function undoLast(log: ReviewLog, disk: DiskChanges): Promise<void> {
  const undo = disk.undone.last;
  const keep = log.marks.keeps.at(-1);
  if (undo && (keep === undefined || keep < undo.nextKeep)) await takeBack(log, disk, undo.files);
  else log.undoLastKeep();
}

/** Makes the decided changes of one file wait for review again. */
export async function reviewAgain(log: ReviewLog, disk: DiskChanges, uri: string): Promise<void> {
  if (log.unkeep(uri)) return;
  const undone = disk.undone.find(uri);
  if (undone) await takeBack(log, disk, [undone]);
}

/** Restores files to before their undo. Rejects for files that were changed since, without touching them. */
export async function takeBack(log: ReviewLog, disk: DiskChanges, files: readonly UndoneFile[]): Promise<void> {
  const failed: unknown[] = [];
  // In the opposite order, because folders were removed last.
  for (const file of files.toReversed()) {
    try {
      await disk.whileUndoing(file.uri, () => restore(log, disk, file));
    } catch (error) {
      failed.push(error);
    }
  }
  disk.undone.remove(files);
  if (failed.length > 0) throw failed[0];
}

async function restore(log: ReviewLog, disk: DiskChanges, { uri, now, before, after }: UndoneFile): Promise<void> {
  const current = log.file(now)?.current ?? after;
  if (!isSameState(current, after)) {
    throw new Error(l10n.t('{0} was changed since. Nothing was restored.', vscode.Uri.parse(now).fsPath));
  }
  // Without a tracked file, nothing follows what is on disk.
  log.track(now, after);
  const result = stateOf(before.text.current, before.traits);
  await carryOut(log, disk, now, { result, hunks: [], hasUserText: false });
  if (now !== uri) {
    const isMoved = await disk.during(now, () =>
      disk.during(uri, () => move(vscode.Uri.parse(now), vscode.Uri.parse(uri))),
    );
    if (!isMoved) throw new Error(l10n.t('The editor couldn’t rename the file.'));
    disk.bases.rename(now, uri);
    log.putBack(now, undefined);
  }
  log.putBack(uri, before);
}
