import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { wayBelow } from '../../../disk/paths';
import { bestMatches, type Match, type Searchable } from './fuzzyMatch';
import type { HiddenFiles } from './hiddenFiles';
import { Slices } from './slices';

/** A workspace folder that is searched. */
export interface IndexedFolder {
  /** The absolute path. */
  readonly root: string;
  /** What its files' paths begin with: empty, or the folder's name and a slash if there are several folders. */
  readonly prefix: string;
  readonly hidden: HiddenFiles;
}

/** A file or a folder that can be mentioned. */
export interface IndexedFile extends Searchable {
  /** The absolute path. */
  readonly place: string;
  readonly isFolder: boolean;
}

/** The number of folders that are read at a time, because most of the time is spent on waiting for the disk. */
const readTogether = 16;

type Wanted = (file: IndexedFile) => boolean;

/**
 * The files and folders of workspace folders that aren't hidden. Reads the folders once, and then only what has
 * changed. Works in slices, so that the extension host is never blocked.
 */
export class FileIndex {
  private readonly folders: readonly IndexedFolder[];
  private readonly files = new Map<string, IndexedFile>();
  private readonly visited = new Set<string>();
  private readonly slices = new Slices();
  private isStopped = false;
  private done = false;
  /** Resolves once all folders are read. */
  readonly ready: Promise<void>;

  constructor(folders: readonly IndexedFolder[]) {
    this.folders = folders;
    this.ready = this.readAll();
  }

  /** Whether all folders are read. */
  get isComplete(): boolean {
    return this.done;
  }

  /** Stops reading. */
  stop(): void {
    this.isStopped = true;
  }

  /** Returns the best matches among what is read so far, or undefined once `isStale` returns true. */
  search(
    typed: string,
    limit: number,
    isWanted: Wanted,
    isStale?: () => boolean,
  ): Promise<readonly Match<IndexedFile>[] | undefined> {
    return bestMatches(this.wanted(isWanted), typed, limit, isStale);
  }

  /** Returns files in the order of their paths, those in the outer folders first. */
  async list(limit: number, isWanted: Wanted): Promise<readonly Match<IndexedFile>[]> {
    let first: IndexedFile[] = [];
    const cut = () => (first = first.sort(byPath).slice(0, limit));
    const slices = new Slices();
    for (const file of this.wanted(isWanted)) {
      first.push(file);
      if (first.length >= 2 * limit + 100) cut();
      if (slices.isOver) await slices.next();
    }
    return cut().map((item) => ({ item, score: 0, letters: [] }));
  }

  /** Releases what searches made to be fast. The next one makes it again. */
  async release(): Promise<void> {
    const slices = new Slices();
    for (const file of this.files.values()) {
      file.prepared = undefined;
      if (slices.isOver) await slices.next();
    }
  }

  private *wanted(isWanted: Wanted): Iterable<IndexedFile> {
    for (const file of this.files.values()) if (isWanted(file)) yield file;
  }

  /** Handles files and folders that were created or deleted. */
  async update(places: Iterable<string>): Promise<void> {
    await this.ready;
    for (const place of places) {
      if (this.isStopped) return;
      await this.updateOne(place);
      if (this.slices.isOver) await this.slices.next();
    }
  }

  private async updateOne(place: string): Promise<void> {
    const folder = this.folders.find(({ root }) => wayBelow(root, place) !== undefined);
    if (!folder) return;
    const info = await lstat(place).catch(() => undefined);
    if (!info) {
      await this.forget(place);
      return;
    }
    const path = pathIn(folder, place);
    const isFolder = await isFolderAt(place, info);
    if (await isHidden(folder, path, isFolder)) return;
    this.addAbove(folder, path);
    this.add(folder, path, isFolder);
    if (isFolder) await this.read(folder, path);
  }

  private async forget(place: string): Promise<void> {
    const file = this.files.get(place);
    if (!file) return;
    this.files.delete(place);
    if (!file.isFolder) return;
    const above = place + sep;
    for (const one of this.files.keys()) {
      if (one.startsWith(above)) this.files.delete(one);
      if (this.slices.isOver) await this.slices.next();
    }
    for (const one of this.visited) if (one === place || one.startsWith(above)) this.visited.delete(one);
  }

  private async readAll(): Promise<void> {
    for (const folder of this.folders) await this.read(folder, '');
    this.done = true;
  }

  /** Reads a folder and everything in it. */
  private async read(folder: IndexedFolder, start: string): Promise<void> {
    let waiting = [start];
    while (waiting.length > 0 && !this.isStopped) {
      const some = waiting.splice(-readTogether);
      const inner = await Promise.all(some.map((path) => this.readFolder(folder, path)));
      waiting = waiting.concat(...inner);
    }
  }

  /** Reads a folder, and resolves to the folders in it. */
  private async readFolder(folder: IndexedFolder, path: string): Promise<string[]> {
    const place = join(folder.root, path);
    const entries = await readdir(place, { withFileTypes: true }).catch((): Dirent[] => []);
    await folder.hidden.enter(path);
    const inner: string[] = [];
    for (const entry of entries) {
      if (this.isStopped) return [];
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      const isLink = entry.isSymbolicLink();
      const isFolder = isLink ? await isFolderAt(join(place, entry.name)) : entry.isDirectory();
      if (!folder.hidden.hides(below, isFolder)) {
        this.add(folder, below, isFolder);
        if (isFolder && (!isLink || (await this.isNewPlace(join(place, entry.name))))) inner.push(below);
      }
      if (this.slices.isOver) await this.slices.next();
    }
    return inner;
  }

  /** Returns whether a link leads to a folder that is read by no other way, so that no circle is followed. */
  private async isNewPlace(link: string): Promise<boolean> {
    const real = await realpath(link).catch(() => undefined);
    if (real === undefined || this.visited.has(real)) return false;
    if (this.folders.some(({ root }) => isSameOrIn(real, root) || isSameOrIn(root, real))) return false;
    if ([...this.visited].some((other) => isSameOrIn(real, other) || isSameOrIn(other, real))) return false;
    this.visited.add(real);
    return true;
  }

  /** Adds the folders above a path, which may be new as well. */
  private addAbove(folder: IndexedFolder, path: string): void {
    const parts = path.split('/');
    for (let end = 1; end < parts.length; end++) {
      const above = parts.slice(0, end).join('/');
      if (!this.files.has(join(folder.root, above))) this.add(folder, above, true);
    }
  }

  private add({ root, prefix }: IndexedFolder, path: string, isFolder: boolean): void {
    const place = join(root, path);
    const text = prefix + path;
    this.files.set(place, { place, isFolder, text, nameAt: text.lastIndexOf('/') + 1 });
  }
}

async function isHidden({ hidden }: IndexedFolder, path: string, isFolder: boolean): Promise<boolean> {
  if (await hidden.isHidden(path)) return true;
  return isFolder && hidden.hides(path, true);
}

async function isFolderAt(place: string, known?: { isSymbolicLink(): boolean; isDirectory(): boolean }) {
  if (known && !known.isSymbolicLink()) return known.isDirectory();
  const info = await stat(place).catch(() => undefined);
  return info?.isDirectory() === true;
}

function byPath({ text: one }: IndexedFile, { text: other }: IndexedFile): number {
  return depthOf(one) - depthOf(other) || (one < other ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function pathIn({ root }: IndexedFolder, place: string): string {
  return relative(root, place).replaceAll('\\', '/');
}

function isSameOrIn(place: string, folder: string): boolean {
  return place === folder || wayBelow(folder, place) !== undefined;
}
