import * as l10n from '@vscode/l10n';
import type { PageTry, TriesReport } from '../../shared/triesPage';
import { showHiddenOnOneLine } from '../../shared/visibleText';
import type { TryGroup } from '../../tries/tryGroup';
import { removeWorktree } from '../../worktree/endWorktree';
import { lossOf, ownWorktrees, worktreeName, type WorktreeLoss } from '../../worktree/worktreeList';
import type { WorktreeRecord } from '../../worktree/worktreeRecord';
import { askModal, showInformation, showWarning } from '../ui/notifications';
import { branchLossWords, folderLossWords } from '../worktrees/lossWords';

/** A file of a try of which not everything was taken. */
export interface LeftFile {
  readonly path: string;
  readonly isPartlyTaken: boolean;
}

/** Returns what each try changed and the user didn't take, in the order of the tries. A file that another try has alike is taken with it. */
export function leftFiles({ tries, rows }: Pick<TriesReport, 'tries' | 'rows'>): readonly (readonly LeftFile[])[] {
  return tries.map((_, at) =>
    rows.flatMap(({ path, cells }) => {
      const cell = cells[at];
      const first = cell?.sameAs ?? at;
      const isTaken = cells.some((one, other) => one?.taken === 'all' && (other === first || one.sameAs === first));
      if (!cell || isTaken) return [];
      return [{ path, isPartlyTaken: cell.taken !== undefined }];
    }),
  );
}

/** Maximum number of files that the list names for each try. */
const mostNamed = 8;

/**
 * Lists what isn't taken, and removes the worktrees and branches of a task's tries if the user agrees. `end` is called before a worktree is
 * removed, for its session. Resolves to true if all are gone.
 */
export async function cleanUpTries(
  group: TryGroup,
  report: TriesReport,
  end: (session: TryGroup['tries'][number]['session']) => void,
): Promise<boolean> {
  const busy = report.tries.find(({ state, check }) => state !== 'ended' || check?.state === 'running');
  if (busy) {
    void showWarning(l10n.t('{0} is still working. Stop it first, or wait.', showHiddenOnOneLine(busy.name)));
    return false;
  }
  const own = await ownWorktrees(group.common);
  const left = leftFiles(report);
  const found: { record: WorktreeRecord; loss: WorktreeLoss }[] = [];
  const paragraphs: string[] = [];
  for (const [at, one] of group.tries.entries()) {
    const worktree = own.find(({ record }) => record.id === one.worktree);
    if (!worktree?.listed) continue;
    const loss = await lossOf(worktree.listed);
    found.push({ record: worktree.record, loss });
    const shown = report.tries[at];
    // Uncommitted files are the changes above, unless it can't be compared or counts from what the user's files had at some time.
    const isAllListed = shown?.problem === undefined && one.start === undefined;
    const lines = [
      `${shown?.name ?? one.agentName} (${worktreeName(worktree.record)})`,
      ...leftWords(shown, left[at] ?? []),
      ...folderLossWords({ uncommitted: isAllListed ? [] : loss.uncommitted, ignored: loss.ignored }),
      ...branchLossWords(loss),
    ];
    paragraphs.push(lines.join('\n'));
  }
  // The user has removed them elsewhere, so there is nothing to ask about.
  if (found.length === 0) return true;
  const remove = l10n.t('Remove Worktrees');
  const question =
    found.length === 1
      ? l10n.t('Remove the worktree and the branch of this try?')
      : l10n.t('Remove the worktrees and branches of {0} tries?', found.length);
  const note = l10n.t('What you took stays in your files. The conversations stay in the list of sessions.');
  const answer = await askModal(question, { detail: [...paragraphs, note].join('\n\n'), items: [remove] });
  if (answer !== remove) return false;
  for (const { session } of group.tries) end(session);
  for (const { record, loss } of found) await removeWorktree(group.common, record, loss, true);
  if (found.length === 1) void showInformation(l10n.t('Removed 1 worktree.'));
  else void showInformation(l10n.t('Removed {0} worktrees.', found.length));
  return true;
}

function leftWords(one: PageTry | undefined, files: readonly LeftFile[]): string[] {
  if (one?.problem !== undefined) return [l10n.t('It couldn’t be compared: {0}', one.problem)];
  if (one?.files === 0) return [l10n.t('No changes.')];
  if (files.length === 0) return [l10n.t('Everything is taken.')];
  const named = files
    .slice(0, mostNamed)
    .map(({ path, isPartlyTaken }) => (isPartlyTaken ? l10n.t('{0} (in part)', path) : path));
  const more = files.length - named.length;
  const list = [...named, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
  return [l10n.t('Not taken: {0}', list)];
}
