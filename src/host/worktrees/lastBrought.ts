import type * as vscode from 'vscode';
import { asList, asObject, asString } from '../../shared/values/decodeValue';
import type { DirtyFile, Repository } from '../../worktree/repository/repository';
import { dirtyFiles, ignoredFiles } from '../../worktree/repository/repository';

/** What the user last wanted to bring along from a repository. */
export interface Brought {
  /** Whether uncommitted changes were brought along. */
  readonly changes: boolean;
  /** Ignored files, relative to the repository's root. */
  readonly ignored: readonly string[];
}

/** Where it was brought: agents in their own copy have no other way to these files. */
export type BroughtTo = 'worktree' | 'copy';

type Memory = Pick<vscode.Memento, 'get' | 'update'>;

const keys = { worktree: 'parley.worktrees.brought', copy: 'parley.copies.brought' };
/** Maximum number of repositories whose answers are remembered. */
const mostKept = 20;

/** Remembers what the user wants to bring along from a repository, as far as they were asked. */
export async function rememberBrought(
  memory: Memory,
  to: BroughtTo,
  root: string,
  asked: Partial<Brought>,
): Promise<void> {
  const brought = { ...lastBrought(memory, to, root), ...asked };
  const others = Object.entries(asObject(memory.get(keys[to])) ?? {}).filter(([other]) => other !== root);
  await memory.update(keys[to], Object.fromEntries([...others, [root, brought]].slice(-mostKept)));
}

/** Returns what the user last wanted to bring along from a repository: nothing, if they weren't asked. */
export function lastBrought(memory: Memory, to: BroughtTo, root: string): Brought {
  const fields = asObject(asObject(memory.get(keys[to]))?.[root]);
  return { changes: fields?.['changes'] === true, ignored: asList(fields?.['ignored'], asString) ?? [] };
}

/** Resolves to the ignored files to bring along as the last time: those that are still there, and still match the globs. */
export async function ignoredAsBefore(
  memory: Memory,
  to: BroughtTo,
  repository: Pick<Repository, 'root' | 'isBare'>,
  globs: readonly string[],
): Promise<readonly string[]> {
  const { ignored } = lastBrought(memory, to, repository.root);
  if (ignored.length === 0) return [];
  return (await ignoredFiles(repository, globs)).filter((path) => ignored.includes(path));
}

/** Resolves to the uncommitted changes to bring along as the last time, and to the number of those that stay. */
export async function changesAsBefore(
  memory: Memory,
  repository: Repository,
): Promise<{ readonly changes: readonly DirtyFile[]; readonly left: number }> {
  if (lastBrought(memory, 'worktree', repository.root).changes) {
    return { changes: await dirtyFiles(repository), left: 0 };
  }
  // Changes that can't be brought along don't matter here.
  return { changes: [], left: (await dirtyFiles(repository).catch(() => [])).length };
}
