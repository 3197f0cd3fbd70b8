import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isBelow } from '../shared/limits/isBelow';
import { harmless } from './harmless';
import { gitPlaceOf, readOrdinary, type GitPlace } from './gitPlace';
import { readSettings, type Setting } from './settingsText';

/** What git would start a program by in a repository. */
export interface RepositoryProgram {
  /** As git and its users call it, such as `core.fsmonitor` or `hooks/pre-commit`. */
  readonly name: string;
  /** Identifies what it is now. */
  readonly print: string;
  /** What a setting says, or where a pointer leads. */
  readonly value?: string;
  /** Whether all working trees of the repository have it, or this one alone. */
  readonly scope: 'shared' | 'tree';
  /** Set if git would still start it without the settings and hooks of the repository itself. */
  readonly isElsewhere?: true;
}

/** What the user's own settings say about a repository. */
export interface UserParts {
  /** All settings; the last one of a key counts. */
  readonly all: readonly Setting[];
  /** The files with the user's own settings, also those that aren't there. */
  readonly files: readonly string[];
}

/** The largest file that is read whole, in bytes. */
const most = 1_000_000;
/** How many files of settings may include each other, as in git. */
const deepest = 10;

/** Settings of a repository that are data: names, addresses, and how something is shown. */
const data: readonly RegExp[] = [
  /^branch\..+\.(?:remote|pushremote|merge|rebase|description|vscode-merge-base|github-pr-owner-number|gk-.+)$/s,
  /^remote\..+\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipfetchall|gh-resolved)$/s,
  /^submodule\..+\.(?:url|active|branch|ignore|shallow)$/s,
  /^user\.(?:name|email|useconfigonly)$/,
  /^core\.(?:bare|logallrefupdates|safecrlf|quotepath|commentchar|whitespace)$/,
  /^(?:pull|push|fetch|rebase|merge|init|status|color|advice|gc|rerere|log|branch|tag|stash)\.(?:rebase|ff|default|autosetupremote|prune|autosquash|autostash|conflictstyle|defaultbranch|ui|auto|autodetach|enabled|autoupdate|date|sort|gpgsign|renames|followtags)$/,
  /^(?:submodule\.(?:active|recurse|fetchjobs)|lfs\.repositoryformatversion|lfs\..+\.(?:access|locksverify)|commit\.(?:gpgsign|status|verbose)|diff\.(?:renames|renamelimit|mnemonicprefix|colormoved))$/s,
];

/** Returns everything in a repository that can make the user's own git start a program. Starts none. */
export async function programsOf(
  place: GitPlace,
  user: UserParts,
  gitlinks: readonly string[],
): Promise<readonly RepositoryProgram[]> {
  const found: RepositoryProgram[] = [];
  const { top, common } = place;
  const add = (one: RepositoryProgram) => found.push(one);
  // The folder of git in a working tree of its own leads nowhere.
  if (top !== undefined && (common !== join(top, '.git') || place.gitFolder !== common)) {
    const value = place.gitFolder === common ? common : `${place.gitFolder} (${common})`;
    add({ name: '.git', print: printOf(value), value, scope: 'tree' });
  }
  const [ofAll, ofTree] = [
    await settingsIn(join(common, 'config')),
    await settingsIn(join(place.gitFolder, 'config.worktree')),
  ];
  const settings = [...ofAll, ...ofTree];
  for (const [list, scope] of [
    [ofAll, 'shared'],
    [ofTree, 'tree'],
  ] as const) {
    for (const [name, values] of grouped(list.filter(isCounted)))
      add({ name, print: printOf(values.join('\n')), value: values.join(', '), scope });
  }
  if (top === undefined) return found;
  const isOfTree = (path: string) => isBelow(path, [top]) && !isBelow(path, [common, place.gitFolder]);
  // A program that settings name in the working tree is what its file is.
  const named = [...settings, ...user.all].filter(isCounted).flatMap(([, value]) => pathsIn(value, top));
  for (const path of new Set(named.filter(isOfTree))) {
    const print = await filePrint(path);
    if (print !== undefined) add({ name: relative(top, path), print, scope: 'tree' });
  }
  for (const path of user.files.filter(isOfTree)) {
    const print = await filePrint(path);
    if (print !== undefined) add({ name: relative(top, path), print, scope: 'tree', isElsewhere: true });
  }
  const configured = new Map(user.all).get('core.hookspath');
  const hooks = configured === undefined ? join(common, 'hooks') : resolve(top, expanded(configured));
  // What Husky puts there runs the files beside it.
  const folders = basename(hooks) === '_' ? [hooks, dirname(hooks)] : [hooks];
  for (const folder of folders) {
    const isShared = isBelow(folder, [common]);
    if (!isShared && !isOfTree(folder)) continue;
    for (const name of await namesIn(folder)) {
      const print = name.endsWith('.sample') ? undefined : await filePrint(join(folder, name));
      const shown = isShared ? `hooks/${name}` : relative(top, join(folder, name));
      if (print !== undefined) add({ name: shown, print, scope: isShared ? 'shared' : 'tree' });
    }
  }
  for (const link of gitlinks) {
    const inner = await gitPlaceOf(join(top, link));
    if (inner?.top === undefined || inner.top === top) continue;
    const all = await settingsIn(join(inner.common, 'config'));
    const own = await programsOf(inner, { all, files: [] }, []);
    for (const one of own) add({ ...one, name: `${link}: ${one.name}`, scope: 'tree', isElsewhere: true });
  }
  return unique(found);
}

function isCounted([key]: Setting): boolean {
  return !harmless.has(key) && !data.some((pattern) => pattern.test(key));
}

/** Returns the settings of a file, with those that it includes, whether or not git would include them now. */
async function settingsIn(file: string, depth = 0): Promise<readonly Setting[]> {
  const bytes = await readOrdinary(file, most);
  if (!bytes) return [];
  const own = readSettings(bytes.toString());
  // Git may read more of it than this.
  if (!own) return [[basename(file), printOf(bytes)]];
  const included = own.filter(([key]) => /^include(?:if\..+)?\.path$/s.test(key)).map(([, value]) => value);
  if (depth === deepest) return own;
  const more = await Promise.all(included.map((path) => settingsIn(resolve(dirname(file), expanded(path)), depth + 1)));
  return [...own, ...more.flat()];
}

function grouped(settings: readonly Setting[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of settings) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}

/** Returns the paths that a setting's words are, if they are paths. */
function pathsIn(value: string, top: string): readonly string[] {
  const words = value
    .replace(/^!/, '')
    .split(/[\s"']+/)
    .slice(0, 20);
  return words.filter((word) => word !== '' && !word.startsWith('-')).map((word) => resolve(top, expanded(word)));
}

function expanded(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Returns what identifies a file, and where it leads; undefined if it's no file. */
async function filePrint(path: string): Promise<string | undefined> {
  try {
    const [own, target] = [await lstat(path), await stat(path)];
    if (!target.isFile()) return undefined;
    const to = own.isSymbolicLink() ? await readlink(path) : '';
    const bytes = await readOrdinary(path, most);
    const content = bytes ? printOf(bytes) : [target.ino, target.size, target.mtimeMs].join(' ');
    return printOf([(target.mode & 0o111) !== 0 ? 'x' : '', to, content].join('\n'));
  } catch {
    return undefined; // It isn't there.
  }
}

function printOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function unique(programs: readonly RepositoryProgram[]): readonly RepositoryProgram[] {
  return [...new Map(programs.map((one) => [`${one.scope} ${one.name}`, one])).values()];
}
