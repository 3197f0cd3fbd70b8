import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { renamedBetween } from '../../worktree/bring/worktreeChanges';
import { hasCommit, snapshot } from '../../worktree/made/createWorktree';
import { listWorktrees } from '../../worktree/made/worktreeList';
import type { FolderWorktree } from '../../worktree/made/worktreeOf';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { fileKey, isInside } from '../base/filePaths';
import { fileRoots } from '../base/folders';

/**
 * Resolves to the root of the working tree that changes are brought to: the one that the worktree was made from, or another one of the
 * repository that is open here.
 */
export async function targetRoot({ record, common, isCopy }: FolderWorktree): Promise<string> {
  // Parley's own repository about a copy has no other working tree.
  const listed = (await listWorktrees(isCopy ? record.from : common))
    .map(({ path }) => path)
    .filter((path) => path !== record.path);
  // A folder without a repository is listed nowhere.
  if (isCopy && !listed.includes(record.from)) listed.push(record.from);
  const roots = await Promise.all(fileRoots().map((root) => realpath(root).catch(() => root)));
  const isOpen = (tree: string) =>
    roots.some((root) => isInside(fileKey(tree), fileKey(root)) || isInside(fileKey(root), fileKey(tree)));
  const open = listed.filter(isOpen).sort((a, b) => b.length - a.length);
  const target = open.find((tree) => tree === record.from) ?? open[0];
  if (target !== undefined) return target;
  throw new WorktreeProblem(l10n.t('No folder of this repository is open here. Open {0} and try again.', record.from));
}

/** The URI of a file as this window names it. */
export async function uriOf(root: string, path: string): Promise<vscode.Uri> {
  const place = join(root, path);
  for (const folder of fileRoots()) {
    const real = await realpath(folder).catch(() => folder);
    if (isInside(fileKey(real), fileKey(place))) return vscode.Uri.file(join(folder, relative(real, place)));
  }
  return vscode.Uri.file(place);
}

/** Where the user has moved files since the worktree was made. Found out only if a file is missing. */
export class MovedHere {
  private readonly worktree: FolderWorktree;
  private readonly root: string;
  private readonly base: string;
  private found: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(worktree: FolderWorktree, root: string, base: string) {
    this.worktree = worktree;
    this.root = root;
    this.base = base;
  }

  async of(path: string): Promise<string | undefined> {
    this.found ??= this.find();
    return (await this.found).get(path);
  }

  private async find(): Promise<ReadonlyMap<string, string>> {
    const { record, isCopy } = this.worktree;
    // Without a repository, nothing says where a file has gone.
    if (isCopy && !(await hasCommit(this.root))) return new Map();
    const now = await snapshot(this.root);
    // Only Parley's own repository has what a copy started from. It borrows the user's objects.
    return renamedBetween(isCopy ? record.path : this.root, this.base, now);
  }
}
