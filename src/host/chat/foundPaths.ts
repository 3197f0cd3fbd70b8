import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, normalize } from 'node:path';
import * as vscode from 'vscode';
import type { SessionView } from '../../shared/transcript/transcript';
import { Disposable } from '../../shared/values/disposable';
import type { FoundPath, ToWebview } from '../../shared/pages/messages';
import { isPathLike } from '../../shared/text/pathMentions';
import { Coalesced } from '../base/coalesce';
import { isForeignShare } from '../../disk/paths';
import { rootsBeside, workspaceRoots } from '../base/folders';

/** Maximum number of paths to look up for one message. A page never asks for more. */
const most = 200;
/** How many files are looked up at a time, because a folder of a lost network drive blocks a thread for long. */
const atOnce = 2;
/** Maximum number of names in one message. With more, every path is asked for again. */
const mostNames = 500;
/** How long created files are collected, in milliseconds. */
const collectMs = 500;

/** The folders of a session. */
export type SessionFolders = Pick<SessionView, 'cwd' | 'additionalDirectories'>;

/**
 * Finds which paths in agents' texts are files. The answer goes only to the page, which makes links of them: no agent
 * learns which files exist.
 */
export class FoundPaths extends Disposable {
  private readonly post: (message: ToWebview) => void;
  private readonly appeared = new Set<string>();
  private readonly tell = this.register(new Coalesced(() => this.postAppeared(), collectMs));
  private watcher: vscode.FileSystemWatcher | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** `post` sends a message to all pages. */
  constructor(post: (message: ToWebview) => void) {
    super();
    this.post = post;
  }

  /** Resolves to those of the paths that are files, in this session's folders if they are relative. */
  find(folders: SessionFolders, paths: readonly string[]): Promise<readonly FoundPath[]> {
    this.watch();
    // One question after the other, so that all pages together never use more threads than one.
    const found = this.last.then(() => findAll(folders, paths.slice(0, most)));
    // What one question asks can't end the others.
    this.last = found.catch(() => undefined);
    return found;
  }

  private watch(): void {
    if (this.watcher) return;
    this.watcher = this.register(vscode.workspace.createFileSystemWatcher('**/*', false, true, true));
    this.watcher.onDidCreate((uri) => {
      if (this.appeared.size <= mostNames) this.appeared.add(basename(uri.fsPath));
      this.tell.request();
    });
  }

  private postAppeared(): void {
    const names = [...this.appeared];
    this.appeared.clear();
    this.post(names.length > mostNames ? { type: 'filesAppeared' } : { type: 'filesAppeared', names });
  }
}

async function findAll(folders: SessionFolders, paths: readonly string[]): Promise<FoundPath[]> {
  const found: FoundPath[] = [];
  const left = [...new Set(paths)].filter((path) => typeof path === 'string' && isPathLike(path));
  const work = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const file = await fileAt(path, folders);
      if (file !== undefined) found.push({ path, file });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

/** Resolves to the absolute path of a file that a path means, or undefined if there is none. */
async function fileAt(path: string, folders: SessionFolders): Promise<string | undefined> {
  for (const candidate of candidatesOf(path, folders)) {
    if (isForeignShare(candidate, folders.cwd)) continue;
    const info = await stat(candidate).catch(() => undefined);
    if (info?.isFile() === true) return candidate;
  }
  return undefined;
}

/** Returns the absolute paths that a path may mean, the likeliest first. */
export function candidatesOf(
  path: string,
  { cwd, additionalDirectories }: SessionFolders,
  home = homedir(),
  roots = workspaceRoots(),
): readonly string[] {
  if (/^~[\\/]/.test(path)) return [join(home, path.slice(2))];
  if (isAbsolute(path)) return [normalize(path)];
  const bases = new Set([cwd, ...(additionalDirectories ?? rootsBeside(cwd, roots))].filter((folder) => folder !== ''));
  return [...bases].map((folder) => join(folder, path));
}
