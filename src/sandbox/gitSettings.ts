import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../shared/attempt';
import { isBelow } from '../shared/isBelow';

/** Where git's settings of the user are. */
export interface GitSettingsFiles {
  readonly home?: string;
}

/** Settings that name a program, a folder of programs, or a file with more settings. */
const naming =
  /^\s*(?:hooksPath|path|attributesFile|fsmonitor|editor|pager|sshCommand|askPass|gitProxy|program|helper|textconv|command|external|clean|smudge|process|driver|cmd|template|templateDir|defaultKeyCommand)\s*=\s*"?!?([^\s";#]+)/i;

/**
 * Returns what git's settings of the user and of a repository name inside of its folder, such as a folder of hooks: who
 * changes it decides which programs git starts.
 */
export function placesOfGitSettings(folder: string, { home }: GitSettingsFiles): readonly string[] {
  const git = join(folder, '.git');
  const own = home === undefined ? [] : [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')];
  const files = ['/etc/gitconfig', ...own, join(git, 'config'), join(git, 'config.worktree')];
  const found = files.flatMap((file) => {
    const text = attempt(() => readFileSync(file, 'utf8')) ?? '';
    return text.split('\n').flatMap((line) => {
      const name = naming.exec(line)?.[1];
      if (name === undefined) return [];
      const path = home !== undefined && name.startsWith('~/') ? join(home, name.slice(2)) : name;
      return [resolve(folder, path), resolve(dirname(file), path)];
    });
  });
  // Those of the repository's own folder are held by their names.
  return [...new Set(found)].filter(
    (path) => path !== folder && isBelow(path, [folder]) && !isBelow(path, [git]) && existsSync(path),
  );
}
