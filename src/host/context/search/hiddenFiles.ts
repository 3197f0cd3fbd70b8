import { access, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { IgnoreRules } from '../../../baseline/ignoreRules';

/** Folders of packages and of version control, which are hidden whatever the settings say. */
const never = ['node_modules', 'bower_components', '.git', '.hg', '.svn'];
/** Folders that tools generate, which are hidden where nobody says what git ignores. */
const generated = ['dist', 'coverage', '__pycache__', '.venv', '.next', '.nuxt', '.cache', '.tox', '.gradle'];

/** The rules of git for a workspace folder. */
interface GitRules {
  readonly rules: IgnoreRules;
  /** The path from the top of the repository to the workspace folder. Empty, or ends in a slash. */
  readonly prefix: string;
  /** The repository's own list of ignored files, which isn't shared. */
  readonly own: Ignore | undefined;
}

/**
 * Decides which files of a workspace folder aren't offered for a mention: those excluded by git, also by a `.gitignore`
 * above the workspace folder, or by the settings `files.exclude` and `search.exclude`. Reads each `.gitignore` once.
 */
export class HiddenFiles {
  private readonly settings: IgnoreRules;
  private readonly git: Promise<GitRules>;
  private known: GitRules | undefined;

  /** `folder` is absolute. `globs` are the enabled patterns of the settings. */
  constructor(folder: string, globs: readonly string[]) {
    this.settings = new IgnoreRules(folder, { names: new Set(never), globs });
    this.git = gitRules(folder);
  }

  /** Returns true if a file is hidden. `path` is relative to the folder and has slashes. */
  async isHidden(path: string): Promise<boolean> {
    const parts = path.split('/');
    await this.enter('');
    // An ignored folder excludes everything in it, so check the outer folders first.
    for (let end = 1; end < parts.length; end++) {
      const folder = parts.slice(0, end).join('/');
      if (this.hides(folder, true)) return true;
      await this.enter(folder);
    }
    return this.hides(path, false);
  }

  /** Reads the `.gitignore` of a folder. Must be called before the entries of the folder are checked. */
  async enter(folder: string): Promise<void> {
    this.known ??= await this.git;
    await this.known.rules.enter((this.known.prefix + folder).replace(/\/$/, ''));
  }

  /** Returns true if a file, or a folder with everything in it, is hidden. Doesn't check the folders above it. */
  hides(path: string, isFolder: boolean): boolean {
    if (this.settings.isIgnored(path, isFolder)) return true;
    if (!this.known) return false;
    const { rules, prefix, own } = this.known;
    const below = prefix + path;
    return rules.isIgnored(below, isFolder) || own?.ignores(isFolder ? `${below}/` : below) === true;
  }
}

async function gitRules(folder: string): Promise<GitRules> {
  const top = await repositoryAround(folder);
  const hasRules = top !== undefined || (await exists(join(folder, '.gitignore')));
  const root = top ?? folder;
  const rules = new IgnoreRules(root, { names: new Set(hasRules ? [] : generated), globs: [] });
  const path = relative(root, folder).replaceAll('\\', '/');
  const prefix = path === '' ? '' : `${path}/`;
  const parts = prefix.split('/');
  for (let end = 0; end < parts.length - 1; end++) await rules.enter(parts.slice(0, end).join('/'));
  const exclude =
    top === undefined ? undefined : await readFile(join(top, '.git/info/exclude'), 'utf8').catch(() => '');
  return { rules, prefix, own: exclude === undefined ? undefined : ignore().add(exclude) };
}

/** Resolves to the repository that a folder belongs to, which may begin above the folder. */
async function repositoryAround(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
