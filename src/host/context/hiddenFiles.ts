import { access, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { gitPatterns } from '../../baseline/ignoreRules';

/** Folders with generated files, which are hidden whatever the settings say. */
const generated = ['node_modules', '.git', '.hg', '.svn'];

/** The rules of a folder around the workspace folder, in the same repository. */
interface OuterRules {
  /** The path from there to the workspace folder. */
  readonly prefix: string;
  readonly rules: Ignore;
}

/**
 * Decides which files of a workspace folder aren't offered for a mention: those excluded by a `.gitignore` or by the
 * settings `files.exclude` and `search.exclude`. Reads each `.gitignore` once.
 */
export class HiddenFiles {
  private readonly folder: string;
  private readonly globs: Ignore;
  private readonly rules = new Map<string, Promise<Ignore | undefined>>();
  private outer: Promise<readonly OuterRules[]> | undefined;

  /** `folder` is absolute. `globs` are the enabled patterns of the settings. */
  constructor(folder: string, globs: readonly string[]) {
    this.folder = folder;
    this.globs = ignore().add(globs.flatMap((glob) => gitPatterns(glob, folder)));
  }

  /** Returns true if a file is hidden. `path` is relative to the folder and has slashes. */
  async isHidden(path: string): Promise<boolean> {
    const parts = path.split('/');
    if (parts.some((part) => generated.includes(part))) return true;
    if (this.globs.ignores(path)) return true;
    // An ignored folder excludes everything in it, so check the outer folders first.
    for (let end = 1; end <= parts.length; end++) {
      if (await this.isIgnored(parts.slice(0, end), end < parts.length)) return true;
    }
    return false;
  }

  /** Returns true if a file or folder is hidden in a folder that isn't hidden itself. */
  async isHiddenIn(path: string, isFolder: boolean): Promise<boolean> {
    const parts = path.split('/');
    if (generated.includes(parts.at(-1) ?? '')) return true;
    if (this.globs.ignores(isFolder ? `${path}/` : path) || (isFolder && this.globs.ignores(path))) return true;
    return this.isIgnored(parts, isFolder);
  }

  private async isIgnored(parts: readonly string[], isFolder: boolean): Promise<boolean> {
    // The innermost file with a matching pattern decides (https://git-scm.com/docs/gitignore).
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = await this.rulesOf(parts.slice(0, depth).join('/'));
      const result = rules?.test(parts.slice(depth).join('/') + (isFolder ? '/' : ''));
      if (result && (result.ignored || result.unignored)) return result.ignored;
    }
    for (const { prefix, rules } of await (this.outer ??= outerRules(this.folder))) {
      const result = rules.test(`${prefix}/${parts.join('/')}${isFolder ? '/' : ''}`);
      if (result.ignored || result.unignored) return result.ignored;
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

/** Returns the rules of the folders around a folder, up to the root of its repository, the innermost first. */
async function outerRules(folder: string): Promise<readonly OuterRules[]> {
  const found: OuterRules[] = [];
  let at = folder;
  while (!(await exists(join(at, '.git')))) {
    const parent = dirname(at);
    // It isn't in a repository.
    if (parent === at) return [];
    at = parent;
    const text = await readFile(join(at, '.gitignore'), 'utf8').catch(() => undefined);
    const prefix = relative(at, folder).replaceAll('\\', '/');
    if (text !== undefined) found.push({ prefix, rules: ignore().add(text) });
  }
  return found;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
