import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import type { RestoreStep } from '../../review/checkpoint';
import { isSameRef, type FileRef } from '../../review/fileRef';
import type { ReviewLog } from '../../review/reviewLog';
import type { TrackedFileData } from '../../review/trackedFileData';
import type { FileState } from '../../review/fileState';
import type { DiskChanges } from '../review/diskChanges';
import { presentState } from '../workspaceFiles/presentState';
import { presentFile } from '../workspaceFiles/presentFile';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import type { WriteOutcome } from './restoreWords';
import { putBytesOver, putLink, takeAway, type Permissions } from '../workspaceFiles/workspaceFile';

/** The services that restoring uses for writing. */
export interface WriteServices {
  readonly contents: BlobStore;
  readonly disk: DiskChanges;
  readonly log: ReviewLog;
}

/** A file to write. `expected` is the state it must still have. */
export interface WriteStep {
  readonly step: RestoreStep;
  readonly expected: FileRef;
  /** Returns the review state of the file after the write. If undefined, the log records the change as the user's. */
  readonly review: (state: FileState) => TrackedFileData | undefined;
}

/**
 * Writes files one at a time, deletions first, because a folder may have to make room for a file. Stops at the first
 * failure. Skips files that changed since the plan was made.
 */
export function writeSteps(services: WriteServices, all: readonly WriteStep[]): Promise<WriteOutcome> {
  return services.disk.together(() => writeEach(services, all));
}

async function writeEach(services: WriteServices, all: readonly WriteStep[]): Promise<WriteOutcome> {
  const waiting = [...all].sort((a, b) => Number(b.step.action === 'delete') - Number(a.step.action === 'delete'));
  const done: string[] = [];
  const left: string[] = [];
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const { uri } = one.step;
    try {
      const list = (await carryOut(services, one)) ? done : left;
      list.push(uri);
    } catch (error) {
      const failed = { uri, cause: causeOf(error) };
      return { done, failed, notTried: waiting.map(({ step }) => step.uri), left };
    }
  }
  return { done, failed: undefined, notTried: [], left };
}

async function carryOut({ contents, disk, log }: WriteServices, one: WriteStep): Promise<boolean> {
  const { step, expected, review } = one;
  const uri = vscode.Uri.parse(step.uri);
  const bytes = step.ref.kind === 'stored' ? await contents.get(step.ref.hash) : undefined;
  if (step.ref.kind === 'stored' && !bytes) throw new Error(l10n.t('Its previous version is no longer available.'));
  return disk.during(step.uri, async () => {
    if (!isSameRef((await presentFile(uri)).ref, expected)) return false;
    // An untracked file that changes is the change of an agent that is running.
    if (!log.file(step.uri)) log.track(step.uri, await presentState(uri));
    if (step.ref.kind === 'link') await putLink(uri, step.ref.target);
    else if (bytes) await putBytesOver(uri, bytes, permissionsOf(step.ref));
    // The current content was stored for the undo of the restore.
    else await takeAway(uri);
    if (step.ref.kind === 'absent') await disk.tidyAbove(uri.fsPath);
    const state = await presentState(uri);
    const data = review(state);
    if (data) log.putBack(step.uri, data);
    else log.userEdit(step.uri, state);
    return true;
  });
}

function permissionsOf(ref: FileRef): Permissions | undefined {
  if (ref.kind !== 'stored') return undefined;
  if (ref.permissions !== undefined) return { mode: ref.permissions };
  return ref.mode === undefined ? undefined : { isExecutable: (ref.mode & 0o111) !== 0 };
}
