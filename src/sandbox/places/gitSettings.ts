import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';

/** Where git's settings of the user are. */
export interface GitSettingsFiles {
  readonly home?: string;
}

/** Settings that name a program, a folder of programs, or a file with more settings. */
const naming =
  /^\s*(?:\[[^\]]*\]\s*)?(hooksPath|path|attributesFile|fsmonitor|editor|pager|sshCommand|askPass|gitProxy|program|helper|textconv|command|external|clean|smudge|process|driver|cmd|template|templateDir|defaultKeyCommand)\s*=\s*(?:"!?([^"]+)"|!?([^\s";#]+))/i;

/** How many files of settings may include each other, as in git. */
const deepest = 10;

/** What git's settings name in a folder. */
export interface NamedPlaces {
  readonly present: readonly string[];
  /** Files with settings, and folders with hooks, that aren't there: git would use them as soon as somebody makes them. */
  readonly missingFiles: readonly string[];
  readonly missingFolders: readonly string[];
}

interface Named {
  readonly key: string;
  readonly paths: readonly string[];
}

/**
 * Returns what git's settings of the user and of a repository name inside of its folder, such as a folder of hooks: who
 * changes it decides which programs git starts. Reads the files that these include, too.
 */
export function placesOfGitSettings(folder: string, { home }: GitSettingsFiles): NamedPlaces {
  const git = join(folder, '.git');
  const own = home === undefined ? [] : [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')];
  const files = ['/etc/gitconfig', ...own, join(git, 'config'), join(git, 'config.worktree')];
  const named = files.flatMap((file) => namedIn(file, folder, home));
  // Those of the repository's own folder are held by their names.
  const isMeant = (path: string) => path !== folder && isBelow(path, [folder]) && !isBelow(path, [git]);
  const all = (pattern: RegExp) =>
    [...new Set(named.filter(({ key }) => pattern.test(key)).flatMap(({ paths }) => paths))].filter(isMeant);
  const isMissing = (path: string) => !existsSync(path);
  return {
    present: all(/./).filter((path) => existsSync(path)),
    missingFiles: all(/^path$/).filter(isMissing),
    missingFolders: all(/^hookspath$/).filter(isMissing),
  };
}

function namedIn(file: string, folder: string, home: string | undefined, depth = 0): readonly Named[] {
  const text = depth > deepest ? '' : (attempt(() => readFileSync(file, 'utf8')) ?? '');
  return text.split('\n').flatMap((line): readonly Named[] => {
    const [, word = '', quoted, bare] = naming.exec(line) ?? [];
    const key = word.toLowerCase();
    // A path may have spaces. In a command, the first word is the program.
    const isPath = /path$|file$|dir$|^template$/.test(key);
    const name = isPath ? (quoted ?? bare) : (quoted ?? bare)?.split(/\s/)[0];
    if (name === undefined) return [];
    const path = home !== undefined && name.startsWith('~/') ? join(home, name.slice(2)) : name;
    const beside = resolve(dirname(file), path);
    if (key !== 'path') return [{ key, paths: [resolve(folder, path), ...(key === 'hookspath' ? [] : [beside])] }];
    // What is included is relative to the file.
    return [{ key, paths: [beside] }, ...namedIn(beside, folder, home, depth + 1)];
  });
}
