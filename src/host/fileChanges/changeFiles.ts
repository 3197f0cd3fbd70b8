import * as vscode from 'vscode';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { openDocument } from '../workspaceFiles/openDocument';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import { applyChange } from './applyChange';
import { assertExpected } from './expectedFile';
import { ChangeRefused, type FileChange } from './fileChange';

/** What became of a plan. */
export interface ChangeOutcome<Change> {
  readonly done: readonly Change[];
  /** Files that were left as they were. */
  readonly left: readonly { readonly change: Change; readonly refused: ChangeRefused }[];
  /** Files that couldn't be written, or only in part. */
  readonly failed: readonly { readonly change: Change; readonly cause: string }[];
  /** What comes after a failure, if the plan stops there. */
  readonly notTried: readonly Change[];
}

/** How a plan goes on. */
export interface ChangeOptions<Change> {
  /** Whether the first failure ends it. */
  readonly stops: boolean;
  /** Called after each change that was made. */
  readonly onDone?: (change: Change) => void;
}

/**
 * The door to the user's files: makes the changes of a plan one at a time, removals first, because they make room. Each file is checked just
 * before it's written, and left if it isn't what the plan was made for. What the undo needs has been stored before (`backUp`).
 */
export async function changeFiles<Change extends FileChange>(
  plan: readonly Change[],
  { stops, onDone }: ChangeOptions<Change>,
): Promise<ChangeOutcome<Change>> {
  const removals = plan.filter(({ next }) => next.kind === 'absent');
  const waiting = [...removals, ...plan.filter((one) => !removals.includes(one))];
  const done: Change[] = [];
  const left: ChangeOutcome<Change>['left'][number][] = [];
  const failed: ChangeOutcome<Change>['failed'][number][] = [];
  for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
    try {
      await changeFile(change);
      done.push(change);
      onDone?.(change);
    } catch (error) {
      if (error instanceof ChangeRefused) left.push({ change, refused: error });
      else failed.push({ change, cause: causeOf(error) });
      if (stops && failed.length > 0) break;
    }
  }
  return { done, left, failed, notTried: waiting };
}

/** Makes one change. Rejects with `ChangeRefused` if the file was left as it was. */
export async function changeFile({ uri: key, expected, next, record, then }: FileChange): Promise<void> {
  const uri = vscode.Uri.parse(key);
  let version: number | undefined;
  await record({
    check: async () => {
      // A notebook wouldn't follow its file.
      if (isUnsavedNotebook(uri)) throw new ChangeRefused('notebook');
      version = expected && openDocument(uri)?.version;
      if (expected) await assertExpected(uri, expected);
    },
    apply: () => applyChange(uri, next, version),
  });
  if (then) await changeFile(then);
}
