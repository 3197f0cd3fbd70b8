import * as vscode from 'vscode';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { openDocument } from '../workspaceFiles/openDocument';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import { applyChange } from './applyChange';
import { assertExpected } from './expectedFile';
import { ChangeRefused, type FileChange, type RefusedReason } from './fileChange';

/** A file that was left as it was. */
export interface LeftFile {
  readonly uri: string;
  readonly reason: RefusedReason;
}

/** A file that couldn't be written, and why. */
export interface FailedFile {
  readonly uri: string;
  readonly cause: string;
}

/** What became of a plan, by the URIs of its changes. */
export interface ChangeOutcome {
  readonly done: readonly string[];
  readonly left: readonly LeftFile[];
  readonly failed: readonly FailedFile[];
  /** Files after a failure, if the plan stops there. */
  readonly notTried: readonly string[];
}

/** How a plan goes on. */
export interface ChangeOptions {
  /** Whether the first failure ends it. */
  readonly stops: boolean;
  /** Called after each change that was made. */
  readonly onDone?: (change: FileChange) => void;
}

/**
 * The door to the user's files: makes the changes of a plan one at a time, removals first, because they make room. Each file is checked just
 * before it's written, and left if it isn't what the plan was made for. What the undo needs has been stored before (`backUp`).
 */
export async function changeFiles(
  plan: readonly FileChange[],
  { stops, onDone }: ChangeOptions,
): Promise<ChangeOutcome> {
  const waiting = removalsFirst(plan, ({ next }) => next.kind === 'absent');
  const [done, left, failed]: [string[], LeftFile[], FailedFile[]] = [[], [], []];
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const { uri } = one;
    try {
      await changeFile(one);
      done.push(uri);
      onDone?.(one);
    } catch (error) {
      if (error instanceof ChangeRefused) left.push({ uri, reason: error.reason });
      else failed.push({ uri, cause: causeOf(error) });
      if (stops && failed.length > 0) break;
    }
  }
  return { done, left, failed, notTried: waiting.map(({ uri }) => uri) };
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

/** Returns the changes in an order in which each finds its place free. */
export function removalsFirst<T>(all: readonly T[], isRemoval: (one: T) => boolean): T[] {
  return [...all.filter(isRemoval), ...all.filter((one) => !isRemoval(one))];
}
