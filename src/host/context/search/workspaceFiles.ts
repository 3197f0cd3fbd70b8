import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, normalize, relative } from 'node:path';
import * as vscode from 'vscode';
import { rootsBeside, workspacePath } from '../../base/folders';
import { wayBelow } from '../../../disk/paths';
import { Disposable } from '../../../shared/values/disposable';
import { FileIndex, type IndexedFile } from './fileIndex';
import { bestMatches } from './fuzzyMatch';
import { HiddenFiles } from './hiddenFiles';

/** A file or a folder of the workspace. */
export interface FoundFile {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** The path relative to the workspace, with slashes. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Whether it's open, or was open a moment ago. */
  readonly isRecent: boolean;
  /** The positions of the typed letters in the name. */
  readonly letters: readonly number[];
}

/** Which files are searched. */
export type FileKind = 'all' | 'file' | 'folder';

/** Maximum number of files that were in the active editor and are remembered. */
const remembered = 20;
/** How many open and recent files are offered before the user has typed anything. */
const recentShown = 8;
/** How well an open file must match to be offered before all others. */
const goodEnough = 0.5;
/** After this time without a search, the memory that makes searches fast is released, in milliseconds. */
const idleMs = 5 * 60_000;
/** With more changes at once, the workspace is read again. */
const mostChanges = 2000;

/**
 * Finds files and folders of the workspace by letters of their path. Files that are open or were open come first. Ignored
 * files are found only by their whole path. The workspace is read when it's first searched, and then kept up to date.
 */
export class WorkspaceFiles extends Disposable {
  private index: FileIndex | undefined;
  private changed = new Set<string>();
  private updating: Promise<void> | undefined;
  private isWatching = false;
  private readonly recent = new Map<string, vscode.Uri>();
  private idle: NodeJS.Timeout | undefined;
  readonly folder: string | undefined;

  /** `folder`: the folder of a session in a worktree, which is searched instead of the folders that it replaces. */
  constructor(folder?: string) {
    super();
    this.folder = folder;
    this.register(vscode.window.onDidChangeActiveTextEditor((editor) => this.remember(editor)));
    this.register({ dispose: () => this.index?.stop() });
    this.register({ dispose: () => clearTimeout(this.idle) });
  }

  /** Resolves once the whole workspace is read, to whether it wasn't before. */
  async settled(): Promise<boolean> {
    const index = this.current();
    if (index.isComplete) return false;
    await index.ready;
    return true;
  }

  /** Returns at most `limit` files, best first, among what is read so far. Undefined once `isStale` returns true. */
  async find(
    typed: string,
    limit: number,
    kind: FileKind = 'all',
    isStale?: () => boolean,
  ): Promise<readonly FoundFile[] | undefined> {
    await this.updating;
    const index = this.current();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.index?.release(), idleMs).unref();
    const first = kind === 'folder' ? [] : await this.findRecent(typed, limit);
    const known = new Set(first.map(({ uri }) => uri.fsPath));
    const wanted = ({ place, isFolder }: IndexedFile) =>
      !known.has(place) && (kind === 'all' || isFolder === (kind === 'folder'));
    const matches = typed === '' ? await index.list(limit, wanted) : await index.search(typed, limit, wanted, isStale);
    return (
      matches && [...first, ...matches.map(({ item, letters }) => foundFile(item, letters, false))].slice(0, limit)
    );
  }

  /** Returns the open and recent files that match what is typed. */
  async findRecent(typed: string, limit = recentShown): Promise<readonly FoundFile[]> {
    const recent = await existing([...this.recent.values()].reverse());
    const isSearched = ({ fsPath }: vscode.Uri) =>
      this.folder === undefined || this.roots().some(({ root }) => wayBelow(root, fsPath) !== undefined);
    const uris = new Map([...openFiles(), ...recent].filter(isSearched).map((uri) => [uri.fsPath, uri]));
    const files = [...uris.values()].map((uri) => indexed(uri));
    if (typed === '') return files.slice(0, Math.min(limit, recentShown)).map((file) => foundFile(file, [], true));
    const matches = (await bestMatches(files, typed, limit)) ?? [];
    return matches
      .filter(({ score }) => score >= goodEnough)
      .map(({ item, letters }) => foundFile(item, letters, true));
  }

  /** Returns the file or folder whose whole path is typed, in the workspace or absolute, even if it is ignored. */
  async at(typed: string, kind: FileKind = 'all'): Promise<FoundFile | undefined> {
    const way = typed.replaceAll('\\', '/').replace(/^\.\//, '');
    if (!way.includes('/') && !way.includes('.')) return undefined;
    for (const { root, prefix } of this.roots()) {
      const ways = [way, ...(prefix !== '' && way.startsWith(prefix) ? [way.slice(prefix.length)] : [])];
      for (const one of ways) {
        const below = wayBelow(root, isAbsolute(one) ? normalize(one) : join(root, one));
        const path = below?.replaceAll('\\', '/').replace(/\/$/, '');
        if (!path) continue;
        const place = join(root, path);
        const info = await stat(place).catch(() => undefined);
        const isFolder = info?.isDirectory() === true;
        if (!info || (kind !== 'all' && isFolder !== (kind === 'folder'))) continue;
        const text = prefix + path;
        return foundFile({ place, isFolder, text, nameAt: text.lastIndexOf('/') + 1 }, [], false);
      }
    }
    return undefined;
  }

  private roots() {
    return indexedFolders(this.folder);
  }

  private current(): FileIndex {
    this.watch();
    this.index ??= new FileIndex(this.roots());
    return this.index;
  }

  /** Keeps the index up to date. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    for (const within of this.folder === undefined ? [undefined] : [undefined, vscode.Uri.file(this.folder)]) {
      const all = (glob: string) => (within ? new vscode.RelativePattern(within, glob) : glob);
      const watcher = this.register(vscode.workspace.createFileSystemWatcher(all('**'), false, true, false));
      this.register(watcher.onDidCreate(({ fsPath }) => this.onChanged(fsPath)));
      this.register(watcher.onDidDelete(({ fsPath }) => this.onChanged(fsPath)));
      const rules = this.register(vscode.workspace.createFileSystemWatcher(all('**/.gitignore')));
      this.register(rules.onDidChange(() => this.startOver()));
    }
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.startOver()));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude') || event.affectsConfiguration('search.exclude'))
          this.startOver();
      }),
    );
  }

  private onChanged(place: string): void {
    if (!this.index) return;
    if (basename(place) === '.gitignore') {
      this.startOver();
      return;
    }
    this.changed.add(place);
    if (this.changed.size > mostChanges) this.startOver();
    else this.updating ??= this.update(this.index);
  }

  private async update(index: FileIndex): Promise<void> {
    await index.ready;
    while (this.changed.size > 0 && index === this.index) {
      const some = this.changed;
      this.changed = new Set();
      await index.update(some);
    }
    this.updating = undefined;
  }

  /** Lets the next search read the workspace again. */
  private startOver(): void {
    this.index?.stop();
    this.index = undefined;
    this.changed.clear();
  }

  private remember(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    if (uri?.scheme !== 'file') return;
    this.recent.delete(uri.fsPath);
    this.recent.set(uri.fsPath, uri);
    const [oldest] = this.recent.keys();
    if (this.recent.size > remembered && oldest !== undefined) this.recent.delete(oldest);
  }
}

/** Returns true if a file of a workspace folder is excluded by git or by the settings. Reads the rules again. */
export async function isHiddenIn(folder: Pick<SearchedFolder, 'uri'>, uri: vscode.Uri): Promise<boolean> {
  if (folder.uri.scheme !== 'file') return false;
  return hiddenFilesOf(folder).isHidden(relative(folder.uri.fsPath, uri.fsPath).replaceAll('\\', '/'));
}

function indexedFolders(own: string | undefined) {
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const folders = own === undefined ? open : [folderOf(own), ...foldersBeside(own, open)];
  return folders.map((folder) => ({
    // Without a slash at the end, which a drive has.
    root: join(folder.uri.fsPath, '.'),
    prefix: folders.length > 1 ? `${folder.name}/` : '',
    hidden: hiddenFilesOf(folder),
  }));
}

interface SearchedFolder {
  readonly uri: vscode.Uri;
  readonly name: string;
}

function folderOf(path: string): SearchedFolder {
  return { uri: vscode.Uri.file(path), name: basename(path) };
}

function foldersBeside(own: string, open: readonly SearchedFolder[]): readonly SearchedFolder[] {
  const beside = rootsBeside(
    own,
    open.map(({ uri }) => uri.fsPath),
  );
  return open.filter(({ uri }) => beside.includes(uri.fsPath));
}

function hiddenFilesOf(folder: Pick<SearchedFolder, 'uri'>): HiddenFiles {
  return new HiddenFiles(folder.uri.fsPath, excludePatterns(folder.uri));
}

/** Returns the enabled patterns of `files.exclude` and `search.exclude`. */
function excludePatterns(scope: vscode.Uri): string[] {
  const lists: unknown[] = [
    vscode.workspace.getConfiguration('files', scope).get('exclude'),
    vscode.workspace.getConfiguration('search', scope).get('exclude'),
  ];
  return lists.flatMap((globs) => {
    return Object.entries(globs ?? {}).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  });
}

/** Returns the files that weren't deleted. */
async function existing(uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
  const found = await Promise.all(uris.map(({ fsPath }) => stat(fsPath).catch(() => undefined)));
  return uris.filter((_, at) => found[at] !== undefined);
}

/** Returns the files in open editors, the active one first. */
function openFiles(): vscode.Uri[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const inTabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    ),
  );
  return [...(active ? [active] : []), ...inTabs].filter(({ scheme }) => scheme === 'file');
}

function indexed(uri: vscode.Uri): IndexedFile {
  const path = workspacePath(uri).replaceAll('\\', '/');
  return { place: uri.fsPath, isFolder: false, text: path, nameAt: path.lastIndexOf('/') + 1 };
}

function foundFile({ place, isFolder, text, nameAt }: IndexedFile, letters: readonly number[], isRecent: boolean) {
  return {
    uri: vscode.Uri.file(place),
    name: text.slice(nameAt),
    path: text,
    isFolder,
    isRecent,
    letters: letters.filter((at) => at >= nameAt).map((at) => at - nameAt),
  };
}
