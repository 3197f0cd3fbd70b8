import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { gitPatterns } from '../../baseline/ignoreRules';

/** Folders whose files nobody wrote by hand, whatever the settings say. */
const generated = ['node_modules', '.git', '.hg', '.svn'];

/**
 * Decides which files of a workspace folder are no choice for a mention: those that a `.gitignore` or the settings `files.exclude` and
 * `search.exclude` leave out. Each `.gitignore` is read once.
 */
export class HiddenFiles {
  private readonly folder: string;
  private readonly globs: Ignore;
  private readonly rules = new Map<string, Promise<Ignore | undefined>>();

  /** `folder`: absolute; `globs`: patterns of the settings that are switched on. */
  constructor(folder: string, globs: readonly string[]) {
    this.folder = folder;
    this.globs = ignore().add(globs.flatMap((glob) => gitPatterns(glob, folder)));
  }

  /** Whether a file is left out; `path` is below the folder, with slashes. */
  async isHidden(path: string): Promise<boolean> {
    const parts = path.split('/');
    if (parts.some((part) => generated.includes(part))) return true;
    if (this.globs.ignores(path)) return true;
    // A folder that is ignored takes all that is in it along, so the outer ones are asked first.
    for (let end = 1; end <= parts.length; end++) {
      if (await this.isIgnored(parts.slice(0, end), end < parts.length)) return true;
    }
    return false;
  }

  private async isIgnored(parts: readonly string[], isFolder: boolean): Promise<boolean> {
    // The innermost file that says something about it counts (https://git-scm.com/docs/gitignore).
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = await this.rulesOf(parts.slice(0, depth).join('/'));
      const result = rules?.test(parts.slice(depth).join('/') + (isFolder ? '/' : ''));
      if (result && (result.ignored || result.unignored)) return result.ignored;
    }
    return false;
  }

  private rulesOf(below: string): Promise<Ignore | undefined> {
    let rules = this.rules.get(below);
    if (!rules) {
      rules = readFile(join(this.folder, below, '.gitignore'), 'utf8').then(
        (text) => ignore().add(text),
        () => undefined,
      );
      this.rules.set(below, rules);
    }
    return rules;
  }
}
