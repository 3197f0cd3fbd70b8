import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { partsAbove } from './baseline';

/** What a baseline of a folder leaves out beside what the folder's `.gitignore` files say. */
export interface LeftOut {
  /** Names of files and folders, wherever they are. */
  readonly names: ReadonlySet<string>;
  /** Names of folders that tools may have made: left out when they are new or hold many files. */
  readonly made?: ReadonlySet<string>;
  /** Patterns as in the setting `files.watcherExclude`. */
  readonly globs: readonly string[];
}

const ignorecase = process.platform !== 'linux';

/**
 * Decides what a baseline of one folder leaves out. Paths are below the folder, with `/` between their parts. The rules of a
 * `.gitignore` stay as they were when its folder was first entered, whatever becomes of the file.
 */
export class IgnoreRules {
  private readonly folder: string;
  private readonly names: ReadonlySet<string>;
  private readonly globs: Ignore;
  /** Rules of `.gitignore` files by the folder they are in; null for a folder that has none. */
  private readonly entered = new Map<string, Ignore | null>();

  constructor(folder: string, { names, globs }: LeftOut) {
    this.folder = folder;
    this.names = names;
    this.globs = ignore({ ignorecase }).add(globs.flatMap((glob) => gitPatterns(glob, folder)));
  }

  /** Reads the `.gitignore` of a folder, before what is in it is asked about; the top folder is an empty path. */
  async enter(below: string): Promise<void> {
    if (this.entered.has(below)) return;
    const text = await readFile(join(this.folder, below, '.gitignore'), 'utf8').catch(() => undefined);
    // Entered twice at the same time: the first one counts.
    if (!this.entered.has(below)) this.entered.set(below, text === undefined ? null : ignore({ ignorecase }).add(text));
  }

  /** Says that a folder has no `.gitignore`; one that comes later does not count. */
  passBy(below: string): void {
    if (!this.entered.has(below)) this.entered.set(below, null);
  }

  /** Whether a file, or a folder with all that is in it, is left out; folders above it are not asked. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const parts = path.split('/');
    if (this.names.has(parts.at(-1) ?? '')) return true;
    const end = isFolder ? '/' : '';
    if (this.globs.ignores(path + end)) return true;
    // The innermost file that says something about it counts (https://git-scm.com/docs/gitignore).
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = this.entered.get(parts.slice(0, depth).join('/'));
      if (!rules) continue;
      const { ignored, unignored } = rules.test(parts.slice(depth).join('/') + end);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** The topmost folder above a path that is left out; in folders that were not entered, no `.gitignore` is known. */
  folderLeftOut(path: string): string | undefined {
    return partsAbove(path)
      .slice(0, -1)
      .find((folder) => this.isIgnored(folder, true));
  }
}

/**
 * A glob of VS Code's settings as patterns of a `.gitignore`. A glob is anchored at the folder unless it begins with two
 * stars, and one for all that is in a folder means the folder, too, which need not be entered then.
 */
export function gitPatterns(glob: string, folder: string): string[] {
  return withoutBraces(glob.replaceAll('\\', '/')).flatMap((one) => {
    const root = `${folder.replaceAll('\\', '/')}/`;
    const isAbsolute = one.startsWith('/') || /^[a-z]:\//i.test(one);
    if (isAbsolute && !one.startsWith(root)) return [];
    const below = isAbsolute ? one.slice(root.length) : one;
    const anchored = below.startsWith('**/') ? below : `/${below}`;
    return anchored.endsWith('/**') ? [anchored, anchored.slice(0, -2)] : [anchored];
  });
}

/** `{a,b}` as patterns of its own for each, since a `.gitignore` has no such thing. */
function withoutBraces(glob: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (!match) return [glob];
  const [, before = '', choices = '', behind = ''] = match;
  return choices.split(',').flatMap((choice) => withoutBraces(before + choice + behind));
}
