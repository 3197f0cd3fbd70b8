import * as l10n from '@vscode/l10n';
import type { SessionKey } from '../../shared/values/ids';
import { commonOf } from './tryPlace';
import { messageOf } from '../../shared/values/messageOf';
import type { PageTry, TriesReport, TryToCleanUp } from '../../shared/changes/triesPage';
import type { Try, TryGroup } from '../../tries/tryGroup';
import { assertRemovable, removeWorktree, saveWorktree } from '../../worktree/end/endWorktree';
import { ownWorktrees, worktreeName, type OwnWorktree } from '../../worktree/made/worktreeList';
import { lossOf, type WorktreeLoss } from '../../worktree/end/worktreeLoss';
import type { WorktreeRecord } from '../../worktree/made/worktreeRecord';
import { showInformation } from '../ui/notifications';
import { savedMessage } from '../worktrees/cleanUpWorktrees';
import { branchLossWords, folderLossWords, keptWords } from '../worktrees/lossWords';

/** A file of a try of which not everything was taken. */
export interface LeftFile {
  readonly path: string;
  readonly isPartlyTaken: boolean;
  readonly added: number;
  readonly removed: number;
}

/** Returns what each try changed and the user didn't take, in the order of the tries. A file that another try has alike is taken with it. */
export function leftFiles({ tries, rows }: Pick<TriesReport, 'tries' | 'rows'>): readonly (readonly LeftFile[])[] {
  return tries.map((_, at) =>
    rows.flatMap(({ path, cells }) => {
      const cell = cells[at];
      const first = cell?.sameAs ?? at;
      const isTaken = cells.some((one, other) => one?.taken === 'all' && (other === first || one.sameAs === first));
      if (!cell || isTaken) return [];
      const { taken, added = 0, removed = 0 } = cell;
      return [{ path, isPartlyTaken: taken !== undefined, added, removed }];
    }),
  );
}

/** Maximum number of files that the list names for each try. */
const mostNamed = 8;

/** The worktrees of a task's tries, and what the user has seen of each that can be removed. */
export interface CleanUpList {
  readonly tries: readonly TryToCleanUp[];
  readonly seen: ReadonlyMap<SessionKey, { readonly record: WorktreeRecord; readonly loss: WorktreeLoss }>;
}

/** Lists the worktrees of a task's tries with what would be lost. `problems` says of some why they couldn't be removed. */
export async function listTries(
  group: TryGroup,
  report: TriesReport,
  problems: ReadonlyMap<SessionKey, string> = new Map(),
): Promise<CleanUpList> {
  const places = new Set(group.tries.map((one) => commonOf(group, one)));
  const own = (await Promise.all([...places].map((common) => ownWorktrees(common)))).flat();
  const left = leftFiles(report);
  const tries: TryToCleanUp[] = [];
  const seen = new Map<SessionKey, { record: WorktreeRecord; loss: WorktreeLoss }>();
  for (const [at, one] of group.tries.entries()) {
    const worktree = own.find(({ record }) => record.id === one.worktree);
    if (!worktree?.listed) continue;
    const shown = report.tries[at];
    const files = left[at] ?? [];
    const { details, reason, loss } = await lookAt(one, shown, files, { common: commonOf(group, one), ...worktree });
    if (reason === undefined && loss) seen.set(one.session, { record: worktree.record, loss });
    const problem = problems.get(one.session);
    tries.push({
      session: one.session,
      agentName: one.agentName,
      name: shown?.name ?? one.agentName,
      folder: worktreeName(worktree.record),
      files: files.length,
      added: files.reduce((sum, { added }) => sum + added, 0),
      removed: files.reduce((sum, { removed }) => sum + removed, 0),
      details,
      ...(reason === undefined ? {} : { reason }),
      ...(problem === undefined ? {} : { problem }),
    });
  }
  return { tries, seen };
}

/** Returns what would be lost with a try, and why it can't be removed. */
async function lookAt(
  one: Try,
  shown: PageTry | undefined,
  files: readonly LeftFile[],
  { common, record, listed }: OwnWorktree & Pick<TryGroup, 'common'>,
): Promise<{ readonly details: readonly string[]; readonly reason?: string; readonly loss?: WorktreeLoss }> {
  const details = leftWords(shown, files);
  if (shown && isBusy(shown)) return { details, reason: busyWords() };
  try {
    if (!listed) return { details };
    await assertRemovable(common, record, listed);
    const loss = await lossOf({ record, listed });
    // Uncommitted files are the changes above, unless it can't be compared or counts from what the user's files had at some time.
    const isAllListed = shown?.problem === undefined && one.start === undefined;
    const ofFolder = folderLossWords(isAllListed ? { ...loss, uncommitted: [] } : loss);
    return { details: [...details, ...ofFolder, ...branchLossWords(loss)], loss };
  } catch (error) {
    return { details, reason: messageOf(error) };
  }
}

function isBusy({ state, check }: Pick<PageTry, 'state' | 'check'>): boolean {
  return state !== 'ended' || check?.state === 'running';
}

function busyWords(): string {
  return l10n.t('Still working. Stop it first, or wait.');
}

/** What the user decided about some tries, and what happens to their sessions. */
export interface CleanUpChoice {
  readonly tries: readonly SessionKey[];
  /** Keeps the work of each try on its branch. */
  readonly keepsBranches: boolean;
  /** The tries as they are now. */
  readonly now: TriesReport['tries'];
  /** Called before a worktree is removed, for its session. */
  readonly end: (session: SessionKey) => void;
}

/** Removes the worktrees of the tries that the user selected. Resolves to why some are left. */
export async function cleanUpTries(
  { common }: Pick<TryGroup, 'common'>,
  { seen }: Pick<CleanUpList, 'seen'>,
  { tries, keepsBranches, now, end }: CleanUpChoice,
): Promise<ReadonlyMap<SessionKey, string>> {
  const problems = new Map<SessionKey, string>();
  const branches: string[] = [];
  const notes: string[] = [];
  for (const session of tries) {
    const known = seen.get(session);
    if (!known) continue;
    const { record, loss } = known;
    try {
      const one = now.find((each) => each.session === session);
      if (one && isBusy(one)) {
        problems.set(session, busyWords());
        continue;
      }
      end(session);
      if (keepsBranches) {
        const saved = await saveWorktree(commonOf({ common }, record), record, savedMessage(record), loss);
        branches.push(saved.branch);
        notes.push(...keptWords(common, saved));
      } else {
        await removeWorktree(commonOf({ common }, record), record, loss, true);
        branches.push(record.branch);
      }
    } catch (error) {
      problems.set(session, messageOf(error));
    }
  }
  if (branches.length > 0) void showInformation([doneWords(branches, keepsBranches), ...notes].join(' '));
  return problems;
}

function doneWords(branches: readonly string[], isKept: boolean): string {
  const [first = ''] = branches;
  const count = branches.length;
  if (isKept && count === 1) return l10n.t('Removed 1 worktree. Its work is on the branch “{0}”.', first);
  if (isKept) return l10n.t('Removed {0} worktrees. Their work is on the branches {1}.', count, branches.join(', '));
  // A copy has no branch in the user's repository.
  return count === 1 ? l10n.t('Removed the files of 1 try.') : l10n.t('Removed the files of {0} tries.', count);
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
