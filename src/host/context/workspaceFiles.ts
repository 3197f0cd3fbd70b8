import { basename, relative } from 'node:path';
import * as vscode from 'vscode';
import type { MentionedFile } from '../../shared/messages';
import { Disposable, DisposableStore } from '../../shared/disposable';
import { FileIndex } from './fileIndex';
import { HiddenFiles } from './hiddenFiles';

/** Maximum number of options in the popup. */
const shown = 40;
/** How many of the files that the user had in front last are remembered. */
const remembered = 50;

/**
 * Finds files and folders of the workspace by their names and paths. Files in open editors, and those that were, come
 * first. Hidden ones are left out. The first search reads the workspace.
 */
export class WorkspaceFiles extends Disposable {
  private index: { readonly files: FileIndex; readonly watchers: DisposableStore } | undefined;
  /** Paths of files that were in front, the newest last. */
  private readonly recent = new Set<string>();
  private searches = 0;

  constructor() {
    super();
    this.register(vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor)));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.forget()));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude') || event.affectsConfiguration('search.exclude')) this.forget();
      }),
    );
  }

  override dispose(): void {
    this.forget();
    super.dispose();
  }

  /** Returns at most `limit` files and folders, best first. Returns nothing if another search has begun meanwhile. */
  async find(query: string, limit = shown): Promise<MentionedFile[]> {
    const search = ++this.searches;
    return this.findUnless(() => search !== this.searches, query, limit);
  }

  /** Returns all files and folders. */
  all(): Promise<MentionedFile[]> {
    return this.findUnless(() => false, '', Infinity);
  }

  private async findUnless(isOver: () => boolean, query: string, limit: number): Promise<MentionedFile[]> {
    const open = openFiles();
    const before = [...this.recent].reverse().map((path) => vscode.Uri.file(path));
    const first = [...new Map([...open, ...before].map((uri) => [uri.fsPath, uri])).values()];
    const preferred = new Set(first.map(({ fsPath }) => fsPath));
    const opened = first.map((uri) => toMentionedFile(uri.fsPath, displayPath(uri), false));
    const index = this.indexed();
    if (query === '' && limit === shown && opened.length > 0 && !index.isBuilt) {
      // The user needn't wait for all others to be read.
      void index.build();
      return opened.slice(0, limit);
    }
    const found = await index.search(query, limit, (path) => preferred.has(path), isOver);
    if (!found) return [];
    const files = found.map(({ path, shown: name, isFolder }) => toMentionedFile(path, name, isFolder));
    if (query !== '') return files;
    const known = new Set(opened.map(({ uri }) => uri));
    return [...opened, ...files.filter(({ uri }) => !known.has(uri))].slice(0, limit);
  }

  private indexed(): FileIndex {
    if (this.index) return this.index.files;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const files = new FileIndex(
      folders.map(({ uri, name }) => ({
        folder: uri.fsPath,
        prefix: folders.length > 1 ? `${name}/` : '',
        globs: excludePatterns(uri),
      })),
    );
    const watchers = new DisposableStore();
    watchers.add(files);
    // Only new and deleted files matter, except for ignore files, whose content decides about others.
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    watchers.add(watcher);
    watchers.add(watcher.onDidCreate((uri) => void this.changed(files, uri, true)));
    watchers.add(watcher.onDidDelete((uri) => void this.changed(files, uri, false)));
    const rules = vscode.workspace.createFileSystemWatcher('**/.gitignore', true, false, true);
    watchers.add(rules);
    watchers.add(rules.onDidChange(() => this.forget()));
    this.index = { files, watchers };
    return files;
  }

  private async changed(files: FileIndex, uri: vscode.Uri, isNew: boolean): Promise<void> {
    if (uri.path.endsWith('/.gitignore')) {
      this.forget();
      return;
    }
    if (isNew) await files.added(uri.fsPath);
    else files.removed(uri.fsPath);
  }

  /** The next search reads the workspace again. */
  private forget(): void {
    this.index?.watchers.dispose();
    this.index = undefined;
  }

  private note(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    if (uri?.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return;
    this.recent.delete(uri.fsPath);
    this.recent.add(uri.fsPath);
    const [oldest] = this.recent;
    if (this.recent.size > remembered && oldest !== undefined) this.recent.delete(oldest);
  }
}

/** Returns true if a file of a workspace folder is excluded by git or by the settings. Reads the rules again. */
export async function isHiddenIn(folder: vscode.WorkspaceFolder, uri: vscode.Uri): Promise<boolean> {
  return folder.uri.scheme === 'file' && hiddenFilesOf(folder).isHidden(pathIn(folder, uri));
}

function hiddenFilesOf(folder: vscode.WorkspaceFolder): HiddenFiles {
  return new HiddenFiles(folder.uri.fsPath, excludePatterns(folder.uri));
}

function pathIn(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return relative(folder.uri.fsPath, uri.fsPath).replaceAll('\\', '/');
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

function displayPath(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
}

function toMentionedFile(fsPath: string, path: string, isFolder: boolean): MentionedFile {
  const uri = vscode.Uri.file(fsPath).toString();
  const name = basename(path);
  return isFolder ? { uri: `${uri}/`, name, path, isFolder: true } : { uri, name, path };
}
