import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { patiently } from '../../disk/patiently';
import { asList, asNumber, asObject, asString, compact } from '../../shared/values/decodeValue';
import { notesFolder, type Repository } from '../repository/repository';

/** How a worktree was saved: the commit on its branch, and the one before if what wasn't committed became a commit. */
export interface SavedWorktree {
  readonly commit: string;
  readonly before: string;
  /** The repositories that were inside, and that Parley has moved to a place beside its notes. */
  readonly kept?: readonly string[];
  /** The commit with what was staged, if the files had changed since. No branch has it. */
  readonly staged?: string;
}

/** What Parley notes about a worktree that it made, in the repository's own folder. */
export interface WorktreeRecord {
  readonly id: string;
  /** The real path of the worktree. */
  readonly path: string;
  readonly branch: string;
  /** The commit that the worktree started from, with the changes that were brought along. */
  readonly base: string;
  /** The commit whose changes were brought to the user's folder last. */
  readonly brought?: string;
  /** The branch that the worktree started from. Undefined if there was none. */
  readonly baseBranch?: string;
  /** The working tree whose files were current. */
  readonly from: string;
  readonly createdAt: number;
  /** Set while the folder is removed and the branch has everything. */
  readonly saved?: SavedWorktree;
}

export function newRecordId(): string {
  return randomBytes(6).toString('hex');
}

/** The name of the commit that a worktree started from, so that git keeps it. */
export function baseRef(id: string): string {
  return `refs/parley/base/${id}`;
}

/** The name of the commit whose changes were brought last. */
export function broughtRef(id: string): string {
  return `refs/parley/brought/${id}`;
}

/** The name of the commit that a try is compared with once its agent has merged files of the user. */
export function startRef(id: string): string {
  return `refs/parley/start/${id}`;
}

/** The name of the commit with what was staged when a worktree was saved. */
export function stagedRef(id: string): string {
  return `refs/parley/staged/${id}`;
}

/** Reads the notes about a repository's worktrees. Skips damaged ones. */
export async function readRecords(common: string): Promise<readonly WorktreeRecord[]> {
  const folder = join(common, 'parley', 'worktrees');
  const names = await readdir(folder).catch(() => []);
  const found: WorktreeRecord[] = [];
  for (const name of names.filter((one) => /^[0-9a-f]+\.json$/.test(one))) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    const record = decodeRecord(name.slice(0, -'.json'.length), text);
    if (record) found.push(record);
  }
  return found;
}

export async function writeRecord(repository: Pick<Repository, 'common'>, record: WorktreeRecord): Promise<void> {
  const { id, ...fields } = record;
  const path = join(await notesFolder(repository), `${id}.json`);
  const fresh = `${path}.${newRecordId()}`;
  await writeFile(fresh, `${JSON.stringify(fields, undefined, 2)}\n`, { flag: 'wx' });
  await patiently(() => rename(fresh, path));
}

export async function deleteRecord(common: string, id: string): Promise<void> {
  await rm(join(common, 'parley', 'worktrees', `${id}.json`), { force: true });
}

/** Reads a note. Returns undefined if it is damaged. */
export function decodeRecord(id: string, text: string): WorktreeRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fields = asObject(value);
  const read = (name: string) => asString(fields?.[name]);
  const [path, branch, base, from] = [read('path'), read('branch'), read('base'), read('from')];
  const createdAt = asNumber(fields?.['createdAt']);
  if (path === undefined || branch === undefined || base === undefined || from === undefined) return undefined;
  // What another program writes here must not become an option of git.
  const isId = (one: string | undefined) => one === undefined || /^[0-9a-f]{40,64}$/.test(one);
  const saved = asObject(fields?.['saved']);
  const [commit, before] = [asString(saved?.['commit']), asString(saved?.['before'])];
  const staged = asString(saved?.['staged']);
  const kept = asList(saved?.['kept'], asString)?.filter(isPlainPath);
  if (createdAt === undefined || !isAbsolute(path) || ![base, read('brought'), commit, before, staged].every(isId))
    return undefined;
  const more = compact({
    brought: read('brought'),
    baseBranch: read('baseBranch'),
    saved: commit === undefined || before === undefined ? undefined : { commit, before, ...compact({ kept, staged }) },
  });
  return { id, path, branch, base, from, createdAt, ...more };
}

/** Returns whether a path can only be a file below the root that isn't git's own. */
export function isPlainPath(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && part.toLowerCase() !== '.git');
}
