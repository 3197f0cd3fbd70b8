import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import { ownIdentity } from '../made/createWorktree';
import { gitFolderOf } from '../repository/innerRepositories';
import { lineOf, plainGit } from '../repository/userGit';
import { forgetWorktrees, type FolderWorktree } from '../made/worktreeOf';
import { reportedProblem } from '../repository/worktreeProblem';
import { broughtRef, newRecordId, startRef, writeRecord } from '../made/worktreeRecord';

/** A file that counts as brought with this content, whatever the worktree has. */
export interface BroughtFile {
  /** Its path when the worktree was made. */
  readonly path: string;
  /** Its path in the worktree, if it was renamed there. */
  readonly to?: string;
  readonly bytes: Uint8Array;
}

/** What the next merge starts from where it isn't the commit that was merged. */
export interface OtherStarts {
  readonly files?: readonly BroughtFile[];
  /** Files that weren't brought. Their next merge starts from the same commit as the last one. */
  readonly unbrought?: { readonly base: string; readonly paths: readonly string[] };
}

/**
 * Notes that the changes of a worktree up to a commit are in the user's folder, so that only later ones are merged next. Resolves to the
 * commit that the next merge starts from.
 */
export async function noteBrought(
  { record, common }: FolderWorktree,
  commit: string,
  { files = [], unbrought }: OtherStarts = {},
): Promise<string> {
  const isWhole = files.length + (unbrought?.paths.length ?? 0) === 0;
  const brought = isWhole ? commit : await withOtherStarts(record.path, commit, { files, ...compact({ unbrought }) });
  const failed = l10n.t('Couldn’t note what was brought from the worktree');
  const kept = await plainGit(common, ['update-ref', broughtRef(record.id), brought]);
  if (kept.code !== 0) throw reportedProblem(failed, kept);
  await writeRecord({ common }, { ...record, brought });
  forgetWorktrees();
  return brought;
}

/**
 * Creates a commit like another one, with the user's content of files that an agent merges with its own. Git keeps it as long as Parley has a
 * note about the worktree. Resolves to its id.
 */
export async function startWith(
  { record, common }: FolderWorktree,
  commit: string,
  files: readonly BroughtFile[],
): Promise<string> {
  const start = await withOtherStarts(record.path, commit, { files });
  const kept = await plainGit(common, ['update-ref', startRef(record.id), start]);
  if (kept.code !== 0) throw reportedProblem(l10n.t('Couldn’t note what the agent merges'), kept);
  return start;
}

/** Creates a commit like another one, in which some files are different. Resolves to its id. */
async function withOtherStarts(
  worktree: string,
  commit: string,
  { files = [], unbrought }: OtherStarts,
): Promise<string> {
  const failed = l10n.t('Couldn’t note what was brought from the worktree');
  const gitFolder = await gitFolderOf(worktree);
  const index = join(gitFolder, `parley-index-${newRecordId()}`);
  const own = { GIT_INDEX_FILE: index };
  const run = async (args: readonly string[], input: string | Uint8Array = '') => {
    const output = await plainGit(worktree, args, input, { ...own, ...ownIdentity });
    if (output.code !== 0) throw reportedProblem(failed, output);
    return output;
  };
  try {
    await run(['read-tree', commit]);
    for (const { path, to, bytes } of files) {
      const modeOf = async (name: string) =>
        lineOf(await run(['ls-files', '--stage', '--', `:(top,literal)${name}`])).slice(0, 6);
      const mode = (await modeOf(path)) || (to === undefined ? '' : await modeOf(to)) || '100644';
      // As Git would add it, so that the same content in the worktree isn't a change.
      const add = ['-c', 'core.safecrlf=false', 'hash-object', '-w', '--stdin', `--path=${path}`];
      const blob = lineOf(await run(add, bytes));
      if (to !== undefined) await run(['update-index', '--force-remove', '--', to]);
      await run(['update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`]);
    }
    for (const path of unbrought?.paths ?? []) {
      const entry = lineOf(await run(['ls-tree', '--full-tree', unbrought?.base ?? commit, '--', path]));
      const [mode, , blob] = entry.split(/\s/);
      if (mode && blob) await run(['update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`]);
      else await run(['update-index', '--force-remove', '--', path]);
    }
    const tree = lineOf(await run(['write-tree']));
    return lineOf(await run(['commit-tree', tree, '-p', commit, '-m', 'Files brought from a Parley worktree']));
  } finally {
    await rm(index, { force: true });
  }
}
