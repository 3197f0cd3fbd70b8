import { basename, relative } from 'node:path';
import * as vscode from 'vscode';
import type { MentionedFile } from '../../shared/messages';
import { HiddenFiles } from './hiddenFiles';
import { rankFiles } from './rankFiles';

/** So many files of a workspace can be found by a word. */
const maxFiles = 20_000;
/** A list of files is good for so long (ms): while a word is being typed, and a little more. */
const keepMs = 15_000;
/** A popup of more options is read by nobody. */
const shown = 40;

/** Finds files of the workspace by a part of their path; those in open editors come first. Ignored files are left out. */
export class WorkspaceFiles {
  private listed: { readonly at: number; readonly files: Promise<readonly MentionedFile[]> } | undefined;

  /** At most `limit`, best first. */
  async find(query: string, limit = shown): Promise<MentionedFile[]> {
    const open = openFiles();
    const known = new Set(open.map(({ uri }) => uri));
    const first = rankFiles(open, query, limit);
    const others = (await this.all()).filter(({ uri }) => !known.has(uri));
    return [...first, ...rankFiles(others, query, limit - first.length)];
  }

  private all(): Promise<readonly MentionedFile[]> {
    if (!this.listed || Date.now() - this.listed.at > keepMs) {
      // Left out by the search already, or they would use up the number of files.
      const files = Promise.resolve(vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', maxFiles))
        .then(withoutHidden)
        .then((uris) => uris.map(mentioned).sort((a, b) => (a.path < b.path ? -1 : 1)));
      this.listed = { at: Date.now(), files };
    }
    return this.listed.files;
  }
}

/** The files that the user would look for: none that git or the settings leave out. */
async function withoutHidden(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const folders = new Map<string, HiddenFiles>();
  const isHidden = uris.map(async (uri) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.scheme !== 'file') return false;
    const root = folder.uri.fsPath;
    const hidden = folders.get(root) ?? new HiddenFiles(root, excluded(folder.uri));
    folders.set(root, hidden);
    return hidden.isHidden(relative(root, uri.fsPath).replaceAll('\\', '/'));
  });
  const answers = await Promise.all(isHidden);
  return uris.filter((_, index) => answers[index] !== true);
}

/** The patterns that are switched on in `files.exclude` and `search.exclude`. */
function excluded(scope: vscode.Uri): string[] {
  const lists: unknown[] = [
    vscode.workspace.getConfiguration('files', scope).get('exclude'),
    vscode.workspace.getConfiguration('search', scope).get('exclude'),
  ];
  return lists.flatMap((globs) => {
    return Object.entries(globs ?? {}).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
  });
}

/** The files in open editors, the one in front first. */
function openFiles(): MentionedFile[] {
  const active = vscode.window.activeTextEditor?.document.uri;
  const inTabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    ),
  );
  const uris = [...(active ? [active] : []), ...inTabs].filter(({ scheme }) => scheme === 'file');
  return [...new Map(uris.map((uri) => [uri.toString(), mentioned(uri)])).values()];
}

/** A file as people read it. */
function mentioned(uri: vscode.Uri): MentionedFile {
  const path = vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  return { uri: uri.toString(), name: basename(uri.path), path };
}
