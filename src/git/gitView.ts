import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { allSettings, safeGit } from './git';
import { gitPlaceOf, readOrdinary, type GitPlace } from './gitPlace';
import type { CommittedFile, GitView } from '../shared/limits/sandbox';

/** How many files are shown as git has them, and how large one can be, in bytes. */
const mostFiles = 200;
const mostBytes = 1_000_000;

/**
 * Returns those of the files that git tracks, with what its index has of them: who can read the repository can read that anyway. The others are
 * ignored, besides what the user's own settings ignore.
 */
export async function gitViewOf(paths: readonly string[], home: string): Promise<GitView> {
  const byFolder = new Map<string, string[]>();
  for (const path of paths.slice(0, mostFiles)) {
    if ((await stat(path).catch(() => undefined))?.isFile() !== true) continue;
    byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path]);
  }
  const found: CommittedFile[] = [];
  const untracked: string[] = [];
  let own: string | undefined;
  for (const [folder, files] of byFolder) {
    const place = await gitPlaceOf(folder);
    const top = place?.top;
    if (place === undefined || top === undefined) continue;
    own ??= (await usersIgnored(place, home)) ?? '';
    const names = new Map(files.map((path) => [relative(top, path).split(sep).join('/'), path]));
    const literal = { more: { GIT_LITERAL_PATHSPECS: '1' } };
    const listed = await safeGit(top, ['ls-files', '-z', '--stage', '--', ...names.keys()], literal);
    const tracked = new Set<string>();
    for (const line of listed.out.toString().split('\0')) {
      const [, mode, name = ''] = /^(100644|100755) [0-9a-f]+ 0\t(.+)$/s.exec(line) ?? [];
      const path = names.get(name);
      if (path === undefined) continue;
      tracked.add(name);
      // As git would write it, without programs. A file that needs one stays hidden.
      const { code, out } = await safeGit(top, ['cat-file', '--filters', `:${name}`]);
      if (code !== 0 || out.length > mostBytes) continue;
      found.push({ path, base64: out.toString('base64'), isProgram: mode === '100755' });
    }
    for (const name of names.keys())
      if (!tracked.has(name)) untracked.push(`/${name.replace(/[\\*?[\]!# ]/g, '\\$&')}`);
  }
  return { committed: found, ...(untracked.length > 0 ? { ignored: [own ?? '', ...untracked, ''].join('\n') } : {}) };
}

/** Reads the patterns that the user's own settings ignore in every repository. */
async function usersIgnored(place: GitPlace, home: string): Promise<string | undefined> {
  const set = new Map(await allSettings(place)).get('core.excludesfile') ?? '~/.config/git/ignore';
  const path = set.startsWith('~/') ? join(home, set.slice(2)) : set;
  return (await readOrdinary(path, mostBytes))?.toString();
}
