import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readOrdinary, type GitPlace } from './gitPlace';
import { StandIn } from './gitRoom';
import { harmlessOf } from './harmless';
import { readSettings, type Setting } from './settingsText';

/** A folder that stands in for the one that a repository's worktrees share, and what the repository's own settings say. */
export interface SafeSettings {
  readonly standIn: string;
  /** All settings of the user and the repository, also those that git isn't told. The last one of a key counts. */
  readonly all: readonly Setting[];
  /** The files with what the user and the machine have set, also those that aren't there. */
  readonly files: readonly string[];
}

/** Prints what the user and the machine have set, as `git config --list -z --show-scope --show-origin` does. Undefined if git fails. */
export type ListSettings = (standIn: string) => Promise<Buffer | undefined>;

/** The largest file of settings, in bytes. */
const most = 1_000_000;

/** What the user and the machine have set. */
interface UserSettings {
  readonly settings: readonly Setting[];
  readonly files: readonly string[];
  readonly stamp: string;
  /** What is included depends on the repository. */
  readonly isForOne: boolean;
}

interface Known {
  readonly standIn: StandIn;
  stamp?: string;
  all?: readonly Setting[];
}

const repositories = new Map<string, Known>();
const users = new Map<string, Promise<UserSettings | undefined>>();
const everywhere = '';

/**
 * Returns what git may know of a repository's settings, in a folder that no agent can write. Reads files again only if they have changed.
 * Undefined if the repository has a format that isn't known, or settings that can't be read.
 */
export async function safeSettings(place: GitPlace, list: ListSettings): Promise<SafeSettings | undefined> {
  const { top, gitFolder, common } = place;
  const key = [gitFolder, common, top].join('\0');
  const known: Known = repositories.get(key) ?? { standIn: new StandIn(common) };
  repositories.set(key, known);
  const user = await userSettings(key, known.standIn.folder, list);
  if (!user) return undefined;
  const files = [join(common, 'config'), join(gitFolder, 'config.worktree')];
  const stamp = [user.stamp, ...files.map(stampOf)].join('\n');
  if (known.all === undefined || known.stamp !== stamp) {
    const own = await ownSettings(files);
    const passed = own && harmlessOf(user.settings, own);
    if (!passed) return undefined;
    known.standIn.take([...passed, ['core.bare', String(top === undefined)]]);
    known.all = [...user.settings, ...own];
    known.stamp = stamp;
  }
  return { standIn: known.standIn.folder, all: known.all, files: user.files };
}

async function ownSettings([shared = '', ofWorktree = '']: readonly string[]): Promise<Setting[] | undefined> {
  const own = await settingsIn(shared);
  const hasMore = own?.findLast(([key]) => key === 'extensions.worktreeconfig')?.[1] ?? 'false';
  if (!own || !/^(?:true|yes|on|1)$/i.test(hasMore)) return own;
  const more = await settingsIn(ofWorktree);
  return more && [...own, ...more];
}

/** Reads a file of settings. A missing one has none. */
async function settingsIn(path: string): Promise<Setting[] | undefined> {
  if (stampOf(path) === 'none') return [];
  const text = await readOrdinary(path, most);
  return text && readSettings(text.toString());
}

async function userSettings(key: string, standIn: string, list: ListSettings): Promise<UserSettings | undefined> {
  for (const one of [everywhere, key]) {
    const before = users.get(one);
    const found = await before;
    if (found && (one === key || !found.isForOne) && found.stamp === stampsOf(found.files)) return found;
    if (users.get(one) === before) users.delete(one);
  }
  const asked = list(standIn).then((printed) => printed && userSettingsIn(printed.toString()));
  users.set(key, asked);
  const found = await asked;
  if (found && !found.isForOne) users.set(everywhere, asked);
  return found;
}

function userSettingsIn(printed: string): UserSettings {
  const settings: Setting[] = [];
  const xdg = process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  const files = new Set([
    process.env['GIT_CONFIG_GLOBAL'] || join(homedir(), '.gitconfig'),
    join(xdg, 'git', 'config'),
  ]);
  const fields = printed.split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = '', origin = '', entry = ''] = fields.slice(at, at + 3);
    // These are the ones that it was given.
    if (scope === 'local') continue;
    const file = /^file:(.+)$/s.exec(origin)?.[1];
    if (file !== undefined) files.add(file);
    const end = entry.indexOf('\n');
    const setting: Setting = end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    settings.push(setting);
    // What is included may not exist yet.
    if (/^include(?:if\..+)?\.path$/s.test(setting[0])) files.add(includedFrom(file, setting[1]));
  }
  const watched = [...files].filter((path) => isAbsolute(path));
  return {
    settings,
    files: watched,
    stamp: stampsOf(watched),
    isForOne: settings.some(([name]) => name.startsWith('includeif.')),
  };
}

function includedFrom(file: string | undefined, path: string): string {
  if (path.startsWith('~/')) return join(homedir(), path.slice(2));
  return resolve(file === undefined ? homedir() : dirname(file), path);
}

function stampsOf(files: readonly string[]): string {
  return files.map(stampOf).join('\n');
}

/** Identifies a version of a file. */
function stampOf(path: string): string {
  // Without waiting, because each command of git asks for it.
  try {
    const info = statSync(path, { bigint: true, throwIfNoEntry: false });
    return info ? [info.dev, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ') : 'none';
  } catch {
    return 'none'; // A folder above it can't be read, so git can't read it either.
  }
}
