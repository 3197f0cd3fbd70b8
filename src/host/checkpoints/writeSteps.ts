import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import type { RestoreStep } from '../../review/checkpoints/checkpoint';
import type { FileRef } from '../../review/files/fileRef';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { TrackedFileData } from '../../review/log/trackedFileData';
import type { FileState } from '../../review/files/fileState';
import { compact } from '../../shared/values/decodeValue';
import { changeFiles } from '../fileChanges/changeFiles';
import type { FileChange, NextFile } from '../fileChanges/fileChange';
import type { DiskChanges } from '../review/recording/diskChanges';
import { presentState } from '../workspaceFiles/presentState';
import type { Permissions } from '../workspaceFiles/workspaceFile';
import type { WriteOutcome } from './restoreWords';

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

/** Writes files one at a time. Stops at the first failure. Skips files that changed since the plan was made. */
export async function writeSteps(services: WriteServices, all: readonly WriteStep[]): Promise<WriteOutcome> {
  const plan = all.map((one) => changeOf(services, one));
  const { done, left, failed, notTried } = await services.disk.together(() => changeFiles(plan, { stops: true }));
  const urisOf = (changes: readonly FileChange[]) => changes.map(({ uri }) => uri);
  const [first] = failed;
  return {
    done: urisOf(done),
    failed: first && { uri: first.change.uri, cause: first.cause },
    notTried: urisOf(notTried),
    left: left.map(({ change }) => change.uri),
  };
}

function changeOf({ contents, disk, log }: WriteServices, { step, expected: ref, review }: WriteStep): FileChange {
  const uri = vscode.Uri.parse(step.uri);
  return {
    uri: step.uri,
    expected: { ref },
    next: nextOf(step.ref, contents, disk),
    record: ({ check, apply }) =>
      disk.during(step.uri, async () => {
        await check();
        // An untracked file that changes is the change of an agent that is running.
        if (!log.file(step.uri)) log.track(step.uri, await presentState(uri));
        await apply();
        const state = await presentState(uri);
        const data = review(state);
        if (data) log.putBack(step.uri, data);
        else log.userEdit(step.uri, state);
      }),
  };
}

/** Whatever is there has been stored for the undo of the restore, also text that isn't saved. */
function nextOf(ref: FileRef, contents: BlobStore, disk: DiskChanges): NextFile {
  if (ref.kind === 'link') return ref;
  if (ref.kind === 'absent') return { kind: 'absent', tidy: (path) => disk.tidyAbove(path) };
  const bytes = async () => {
    const stored = await contents.get(ref.hash);
    if (stored) return stored;
    throw new Error(l10n.t('Its previous version is no longer available.'));
  };
  return { kind: 'file', bytes, unsaved: 'replaced', ...compact({ permissions: permissionsOf(ref) }) };
}

function permissionsOf(ref: FileRef): Permissions | undefined {
  if (ref.kind !== 'stored') return undefined;
  if (ref.permissions !== undefined) return { mode: ref.permissions };
  return ref.mode === undefined ? undefined : { isExecutable: (ref.mode & 0o111) !== 0 };
}
