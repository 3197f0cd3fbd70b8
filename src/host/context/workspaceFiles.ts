import { basename, relative } from 'node:path';
import * as vscode from 'vscode';
import type { MentionedFile } from '../../shared/messages';
import { HiddenFiles } from './hiddenFiles';
import { rankFiles } from './rankFiles';

/** Maximum number of workspace files that can be searched. */
const maxFiles = 20_000;
/** How long a list of files is reused, in milliseconds: while a word is being typed, and a little longer. */
const keepMs = 15_000;
/** Maximum number of options in the popup. */
const shown = 40;

/**
 * Finds files of the workspace by a part of their path. Files in open editors come first. Ignored files are skipped.
 */
export class WorkspaceFiles {
  private listed: { readonly at: number; readonly files: Promise<readonly MentionedFile[]> } | undefined;

  /** Returns at most `limit` files, best first. */
  async find(query: string, limit = shown): Promise<MentionedFile[]> {
    const open = openFiles();
    const known = new Set(open.map(({ uri }) => uri));
    const first = rankFiles(open, query, limit);
    const others = (await this.all()).filter(({ uri }) => !known.has(uri));
    return [...first, ...rankFiles(others, query, limit - first.length)];
  }

  private all(): Promise<readonly MentionedFile[]> {
    if (!this.listed || Date.now() - this.listed.at > keepMs) {
      // Excluded in the search itself. Otherwise, they would use up the limit.
      const files = Promise.resolve(vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxFiles))
        .then(withoutHidden)
        .then((uris) => uris.map(toMentionedFile).sort((a, b) => (a.path < b.path ? -1 : 1)));
      this.listed = { at: Date.now(), files };
    }
    return this.listed.files;
  }
}

/** Returns the files that are excluded neither by git nor by the settings. */
async function withoutHidden(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const folders = new Map<string, HiddenFiles>();
  const isHidden = uris.map(async (uri) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== 'file') return false;
    const root = folder.uri.fsPath;
    const hidden = folders.get(root) ?? hiddenFilesOf(folder);
    folders.set(root, hidden);
    return hidden.isHidden(pathIn(folder, uri));
  });
  const answers = await Promise.all(isHidden);
  return uris.filter((_, index) => answers[index] !== true);
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
function openFiles(): MentionedFile[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const inTabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    ),
  );
  const uris = [...(active ? [active] : []), ...inTabs].filter(({ scheme }) => scheme === 'file');
  return [...new Map(uris.map((uri) => [uri.toString(), toMentionedFile(uri)])).values()];
}

/** Returns a file with its display name. */
function toMentionedFile(uri: vscode.Uri): MentionedFile {
  const path = vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  return { uri: uri.toString(), name: basename(uri.path), path };
}
