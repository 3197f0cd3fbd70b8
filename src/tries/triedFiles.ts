import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { snapshot } from '../worktree/made/createWorktree';
import { checkedOut } from '../worktree/repository/checkedOut';
import { partsOf, plainGit } from '../worktree/repository/userGit';
import { reportedProblem } from '../worktree/repository/worktreeProblem';
import { startOf, type Try } from './tryGroup';

/** A file that a try changed. */
export interface TriedFile {
  /** Relative to the worktree, separated by `/`. */
  readonly path: string;
  /** The path before a rename. */
  readonly from?: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  /** The same for the same content and mode. */
  readonly content: string;
  /** The numbers of lines. Undefined if the file isn't text. */
  readonly added?: number;
  readonly removed?: number;
}

/** A file as one side of a comparison. `other` is anything without lines. */
export type TrySide =
  { readonly kind: 'absent' } | { readonly kind: 'text'; readonly bytes: Uint8Array } | { readonly kind: 'other' };

type Place = Pick<Try, 'path' | 'base' | 'start'>;

/** Larger files aren't compared by lines, in bytes. */
const largest = 5_000_000;

/** Lists the files of a try that differ from what it started from, in the order of their paths. */
export async function triedFiles(one: Place): Promise<readonly TriedFile[]> {
  const { path } = one;
  const plain = ['--no-ext-diff', '--no-textconv', '--full-index', '--find-renames'];
  const args = ['-c', 'diff.renameLimit=2000', 'diff-tree', '-r', '--raw', '--numstat', '-z', ...plain];
  const diff = await plainGit(path, [...args, startOf(one), await snapshot(path), '--']);
  if (diff.code !== 0) throw reportedProblem(l10n.t('Couldn’t compare the worktree'), diff);
  const parts = partsOf(diff);
  const found = new Map<string, TriedFile>();
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      const [, mode = '', , blob = '', status = ''] = part.split(' ');
      const from = status.startsWith('R') ? parts[++at] : undefined;
      const file = parts[++at] ?? '';
      // What has this mode is another repository.
      if (mode === '160000' || part.startsWith(':160000')) continue;
      const kind = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'changed';
      found.set(file, { path: file, kind, content: `${mode} ${blob}`, ...(from === undefined ? {} : { from }) });
      continue;
    }
    const [, added = '', removed = '', named = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(part) ?? [];
    // The paths of a rename are parts of their own.
    if (named === '') at += 2;
    const file = named === '' ? (parts[at] ?? '') : named;
    const before = found.get(file);
    if (before && added !== '-') {
      found.set(file, { ...before, added: Number(added), removed: Number(removed) });
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reads a file of a worktree as it is now. */
export async function sideOfTry({ path }: Place, file: string): Promise<TrySide> {
  const full = join(path, file);
  const stat = await lstat(full).catch(() => undefined);
  if (stat === undefined || stat.isDirectory()) return { kind: 'absent' };
  if (!stat.isFile() || stat.size > largest) return { kind: 'other' };
  return sideOf(await readFile(full));
}

/** Reads a file as the try started from it, with the line breaks that Git gives it on disk. */
export async function sideOfBase(one: Place, file: string): Promise<TrySide> {
  const { path } = one;
  const base = startOf(one);
  const listed = partsOf(await plainGit(path, ['ls-tree', '-z', '-l', '--full-tree', base, '--', `:(literal)${file}`]));
  const [, mode = '', size = ''] = /^(\d+) \S+ \S+ +(\S+)\t/.exec(listed[0] ?? '') ?? [];
  if (mode === '') return { kind: 'absent' };
  if (!mode.startsWith('100') || Number(size) > largest) return { kind: 'other' };
  const read = await checkedOut(path, base, file);
  if (read.code !== 0) throw reportedProblem(l10n.t('Couldn’t read {0}', file), read);
  return sideOf(read.out);
}

function sideOf(bytes: Uint8Array): TrySide {
  // Git, too, looks for a zero only there.
  return bytes.subarray(0, 8000).includes(0) ? { kind: 'other' } : { kind: 'text', bytes };
}
