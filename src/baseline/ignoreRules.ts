import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { partsAbove } from './baseline';

/** The paths that a folder's baseline ignores in addition to its `.gitignore` files. */
export interface IgnoredPaths {
  /** Names of files and folders at any depth. */
  readonly names: ReadonlySet<string>;
  /** Names of folders that tools generate. Ignored if they are new or have many files. */
  readonly generated?: ReadonlySet<string>;
  /** Patterns in the format of the setting `files.watcherExclude`. */
  readonly globs: readonly string[];
}

const ignorecase = process.platform !== 'linux';

/**
 * Decides which paths a folder's baseline ignores. Paths are relative to the folder, with `/` as separator. The rules of a `.gitignore` are
 * fixed when its folder is first entered, even if the file changes later.
 */
export class IgnoreRules {
  private readonly folder: string;
  private readonly names: ReadonlySet<string>;
  private readonly globs: Ignore;
  /** The `.gitignore` rules by folder; null for a folder without any. */
  private readonly entered = new Map<string, Ignore | null>();

  constructor(folder: string, { names, globs }: IgnoredPaths) {
    this.folder = folder;
    this.names = names;
    this.globs = ignore({ ignorecase }).add(globs.flatMap((glob) => gitPatterns(glob, folder)));
  }

  /** Reads the `.gitignore` of a folder. Must be called before checking paths inside it. The top folder is an empty path. */
  async enter(below: string): Promise<void> {
    if (this.entered.has(below)) return;
    const text = await readFile(join(this.folder, below, '.gitignore'), 'utf8').catch(() => undefined);
    // If the folder was entered twice concurrently, the first one wins.
    if (!this.entered.has(below)) this.entered.set(below, text === undefined ? null : ignore({ ignorecase }).add(text));
  }

  /** Records that a folder has no `.gitignore`. One created later doesn't apply. */
  passBy(below: string): void {
    if (!this.entered.has(below)) this.entered.set(below, null);
  }

  /** Returns whether a file, or a folder with all its contents, is ignored. Doesn't check the folders above it. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const parts = path.split('/');
    if (this.names.has(parts.at(-1) ?? '')) return true;
    const end = isFolder ? '/' : '';
    if (this.globs.ignores(path + end)) return true;
    // The innermost file with a matching rule wins (https://git-scm.com/docs/gitignore).
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = this.entered.get(parts.slice(0, depth).join('/'));
      if (!rules) continue;
      const { ignored, unignored } = rules.test(parts.slice(depth).join('/') + end);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** Returns the topmost ignored folder above a path. In folders that weren't entered, no `.gitignore` applies. */
  ignoredFolderAbove(path: string): string | undefined {
    return partsAbove(path)
      .slice(0, -1)
      .find((folder) => this.isIgnored(folder, true));
  }
}

/**
 * Converts a glob of VS Code's settings to `.gitignore` patterns. A glob is anchored at the folder unless it begins with `**`. One that
 * matches everything in a folder also matches the folder, so that the walk doesn't enter it.
 */
export function gitPatterns(glob: string, folder: string): string[] {
  return withoutBraces(glob.replaceAll('\\', '/')).flatMap((one) => {
    const root = `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`;
    const isAbsolute = one.startsWith('/') || /^[a-z]:\//i.test(one);
    const isOwn = ignorecase ? one.toLowerCase().startsWith(root.toLowerCase()) : one.startsWith(root);
    if (isAbsolute && !isOwn) return [];
    const below = isAbsolute ? one.slice(root.length) : one;
    const anchored = below.startsWith('**/') ? below : `/${below}`;
    return anchored.endsWith('/**') ? [anchored, anchored.slice(0, -2)] : [anchored];
  });
}

/** Expands `{a,b}` to separate patterns, because `.gitignore` doesn't support braces. */
function withoutBraces(glob: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (!match) return [glob];
  const [, before = '', choices = '', behind = ''] = match;
  return choices.split(',').flatMap((choice) => withoutBraces(before + choice + behind));
}
