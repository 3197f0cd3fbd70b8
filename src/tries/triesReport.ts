import * as l10n from '@vscode/l10n';
import { compact } from '../shared/values/decodeValue';
import type { SessionKey } from '../shared/values/ids';
import { messageOf } from '../shared/values/messageOf';
import type { PageCell, PageRow, PageTry, TriesReport } from '../shared/changes/triesPage';
import { triedFiles, type TriedFile } from './triedFiles';
import { tryNames, type Try, type TryGroup } from './tryGroup';
import { tryRows, type TryCell } from './tryTable';

/** What is known of a try besides what is stored. */
export interface TryState {
  readonly state: PageTry['state'];
  readonly isChecking: boolean;
}

/** The files of a try, or why they can't be read. */
export type TryFiles = readonly TriedFile[] | { readonly problem: string };

/** Lists what each try changed, one after the other. */
export async function filesOfTries({ tries }: TryGroup): Promise<readonly TryFiles[]> {
  const found: TryFiles[] = [];
  for (const one of tries) {
    found.push(await triedFiles(one).catch((error: unknown) => ({ problem: messageOf(error) })));
  }
  return found;
}

/** Returns what the page shows. Tries are in the order in which they were started. */
export function triesReport(
  group: TryGroup,
  files: readonly TryFiles[],
  stateOf: (session: SessionKey) => TryState,
): TriesReport {
  const { message, branch, commit, tries } = group;
  const names = tryNames(group);
  const readable = files.map((one) => ('problem' in one ? [] : one));
  const short = commit.slice(0, 7);
  const rows = tryRows(readable).map(({ path, cells }) => ({
    path,
    cells: cells.map((cell, at) => cell && cellOf(cell, path, tries[at])),
  }));
  return {
    message,
    from: branch === undefined ? l10n.t('from {0}', short) : l10n.t('from {0} at {1}', branch, short),
    ...compact({ command: group.check }),
    tries: tries.map((one, at) => pageTry(one, names[at] ?? '', files[at] ?? [], stateOf(one.session))),
    rows,
    taken: takenOf(rows),
  };
}

function pageTry(one: Try, name: string, files: TryFiles, { state, isChecking }: TryState): PageTry {
  const { session, agentName, preset, model, check, use } = one;
  const list = 'problem' in files ? [] : files;
  const sum = (key: 'added' | 'removed') => list.reduce((all, file) => all + (file[key] ?? 0), 0);
  return {
    session,
    agentName,
    name,
    detail: preset ?? model ?? '',
    state,
    ms: use.ms,
    costs: use.costs,
    files: list.length,
    added: sum('added'),
    removed: sum('removed'),
    ...compact({
      tokens: use.tokens,
      problem: 'problem' in files ? files.problem : undefined,
      check: isChecking ? ({ state: 'running' } as const) : check && ({ state: 'ended', ...check } as const),
    }),
  };
}

function cellOf(cell: TryCell, path: string, one: Try | undefined): PageCell {
  const file = one?.taken.find((each) => each.path === path);
  if (!file) return cell;
  const { changes, count } = file;
  return { ...cell, taken: changes ? { count: changes.length, of: count ?? changes.length } : 'all' };
}

/** Sums up what was taken. A file counts once, also if parts of it are of several tries. */
function takenOf(rows: readonly PageRow[]): TriesReport['taken'] {
  const parts = rows.flatMap(({ cells }) => cells.map((cell) => cell?.taken));
  const changes = parts.reduce((sum, taken) => sum + (typeof taken === 'object' ? taken.count : 0), 0);
  const tries = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell, at) => (cell?.taken ? [at] : []))));
  return {
    files: rows.filter(({ cells }) => cells.some((cell) => cell?.taken === 'all')).length,
    changes,
    tries: tries.size,
  };
}
