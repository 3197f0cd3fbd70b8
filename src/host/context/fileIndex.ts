import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fuzzysort, { type KeyResult, type Prepared } from 'fuzzysort';
import { HiddenFiles } from './hiddenFiles';

/** A workspace folder to index. */
export interface IndexRoot {
  /** The absolute path of the folder. */
  readonly folder: string;
  /** What is shown before the paths in this folder, with a slash at the end: empty if it is the only folder. */
  readonly prefix: string;
  /** The enabled patterns of `files.exclude` and `search.exclude`. */
  readonly globs: readonly string[];
}

/** A file or folder of the workspace. */
export interface IndexedPath {
  /** Absolute. */
  readonly path: string;
  /** Relative to its workspace folder, with slashes, and with the folder's prefix. */
  readonly shown: string;
  readonly isFolder: boolean;
}

interface Item extends IndexedPath {
  readonly root: Root;
  /** The path relative to its root, with slashes. */
  readonly relative: string;
  readonly name: Prepared;
  readonly whole: Prepared;
}

interface Root extends IndexRoot {
  readonly hidden: HiddenFiles;
}

/** A search works this long at a time, in milliseconds, so that it doesn't hold up anything else. */
const sliceMs = 8;
/** How many items are compared between two looks at the clock. */
const step = 1000;
/** How many entries of a folder are taken over at a time. */
const entriesAtOnce = 500;

/**
 * The files and folders of the workspace that can be mentioned, found by the letters of their names and paths: also by
 * the first letters of words and by capitals. It is built once, in the background, and then follows what is created and
 * deleted. Folders aren't entered through links.
 */
export class FileIndex {
  private readonly roots: readonly Root[];
  private readonly items = new Map<string, Item>();
  private list: readonly Item[] | undefined;
  private built: Promise<void> | undefined;
  private isDisposed = false;
  /** Whether everything has been read. */
  isBuilt = false;

  constructor(roots: readonly IndexRoot[]) {
    this.roots = roots.map((root) => ({ ...root, hidden: new HiddenFiles(root.folder, root.globs) }));
  }

  /** Resolves once everything has been read. */
  build(): Promise<void> {
    return (this.built ??= Promise.all(this.roots.map((root) => this.walk(root, ''))).then(() => {
      this.isBuilt = true;
    }));
  }

  /** Takes over a file or folder that was created, with what is in it. */
  async added(path: string): Promise<void> {
    const place = this.placeOf(path);
    if (!place || place.relative === '') return;
    const { root, relative } = place;
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => undefined,
    );
    if (isFolder === undefined || (await root.hidden.isHidden(isFolder ? `${relative}/` : relative))) return;
    this.take(root, relative, isFolder);
    if (isFolder) await this.walk(root, relative);
  }

  /** Forgets a file or folder that was deleted, with what was in it. */
  removed(path: string): void {
    const place = this.placeOf(path);
    if (!place) return;
    const item = this.items.get(path);
    if (!item) return;
    this.items.delete(path);
    if (item.isFolder) {
      const inside = `${item.relative}/`;
      for (const [key, { root, relative }] of this.items)
        if (root === item.root && relative.startsWith(inside)) this.items.delete(key);
    }
    this.list = undefined;
  }

  /** Stops reading folders. */
  dispose(): void {
    this.isDisposed = true;
  }

  /**
   * Returns at most `limit` files and folders, best first: by their names, then by their paths. Those for which
   * `isPreferred` returns true come before others that match about as well. With an empty query, those of outer folders come first. Returns
   * undefined if `isOver` returns true meanwhile, because the user has typed on.
   */
  async search(
    query: string,
    limit: number,
    isPreferred: (path: string) => boolean = () => false,
    isOver: () => boolean = () => false,
  ): Promise<readonly IndexedPath[] | undefined> {
    await this.build();
    const list = (this.list ??= [...this.items.values()]);
    const wanted = query.replaceAll('\\', '/');
    if (wanted === '') return list.slice(0, limit);
    const found = new Map<Item, number>();
    const take = ({ obj, score }: KeyResult<Item>, weight: number) => {
      const own = score * weight + (isPreferred(obj.path) ? 0.25 : 0) - obj.shown.length / 10_000;
      found.set(obj, Math.max(found.get(obj) ?? 0, own));
    };
    let until = performance.now() + sliceMs;
    for (const [key, weight] of keysOf(wanted)) {
      if (key === 'whole' && found.size >= limit) break;
      for (let at = 0; at < list.length; at += step) {
        const part = list.slice(at, at + step);
        for (const result of fuzzysort.go(wanted, part, { key, limit, threshold: 0.2 })) take(result, weight);
        if (performance.now() < until) continue;
        await new Promise(setImmediate);
        if (isOver()) return undefined;
        until = performance.now() + sliceMs;
      }
    }
    return [...found]
      .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || (a.shown < b.shown ? -1 : 1))
      .slice(0, limit)
      .map(([item]) => item);
  }

  private async walk(root: Root, below: string): Promise<void> {
    const entries = await readdir(join(root.folder, below), { withFileTypes: true }).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders: string[] = [];
    for (const [at, entry] of entries.entries()) {
      if (this.isDisposed) return;
      if (at > 0 && at % entriesAtOnce === 0) await new Promise(setImmediate);
      const relative = below === '' ? entry.name : `${below}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) continue;
      if (await root.hidden.isHiddenIn(relative, isFolder)) continue;
      this.take(root, relative, isFolder);
      if (isFolder) folders.push(relative);
    }
    for (const folder of folders) await this.walk(root, folder);
  }

  private take(root: Root, relative: string, isFolder: boolean): void {
    const path = join(root.folder, relative);
    const name = relative.slice(relative.lastIndexOf('/') + 1);
    const shown = root.prefix + relative;
    this.items.set(path, {
      path,
      shown,
      isFolder,
      root,
      relative,
      name: fuzzysort.prepare(name),
      whole: fuzzysort.prepare(shown),
    });
    this.list = undefined;
  }

  private placeOf(path: string): { readonly root: Root; readonly relative: string } | undefined {
    // The innermost of nested workspace folders.
    const roots = this.roots.filter(({ folder }) => path === folder || path.startsWith(join(folder, '/')));
    const root = roots.sort((a, b) => b.folder.length - a.folder.length)[0];
    return root && { root, relative: path.slice(root.folder.length + 1).replaceAll('\\', '/') };
  }
}

/** Returns what is compared with a query, and how much it counts. A query with a slash is a path. */
function keysOf(wanted: string): readonly (readonly [key: 'name' | 'whole', weight: number])[] {
  if (wanted.includes('/')) return [['whole', 1]];
  return [
    ['name', 1],
    ['whole', 0.6],
  ];
}
