import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionView } from '../../shared/transcript/transcript';
import { editorUri, sessionFolders } from '../files/documents';
import { targetColumn } from '../ui/targetColumn';
import type { AgentPlace } from './agentPlace';
import type { EditorUse, PlaceEditor } from './follow';
import { ScrollWatch } from './scrollWatch';
import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasStrangeName, isForeignShare } from '../../disk/paths';
import { isSecretFile } from '../../shared/limits/secretFile';
import { fileKey, isInside, resolveTarget, type FileTarget } from '../base/filePaths';
import { guardedReason, type NamedFolder } from '../workspaceFiles/guarded';

/** The preview editor that shows where an agent works, without ever taking the focus. */
export class FollowedEditor extends Disposable implements PlaceEditor {
  private readonly used = this.register(new Emitter<EditorUse>());
  readonly onDidUse = this.used.event;
  private readonly mark = this.register(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    }),
  );
  private column: vscode.ViewColumn | undefined;
  private watched: { readonly uri: string; readonly scroll: ScrollWatch | undefined } | undefined;

  constructor() {
    super();
    this.register(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (!this.watched || !isOwnEditor(textEditor)) return;
        if (kind === vscode.TextEditorSelectionChangeKind.Keyboard) this.used.fire('typed');
        // The next file would open below the cursor.
        if (kind === vscode.TextEditorSelectionChangeKind.Mouse) this.used.fire('clicked');
      }),
    );
    this.register(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (this.isWatched(textEditor) && this.isScrolled(textEditor)) this.used.fire('scrolled');
      }),
    );
  }

  async show({ path, line }: AgentPlace, view: SessionView): Promise<boolean> {
    const folders = await sessionFolders(view.cwd, view.additionalDirectories);
    const target = await openableFile(path, view.cwd, folders);
    if (!target || this.isDisposed) return false;
    const uri = await editorUri(target);
    const address = uri.toString();
    const find = () =>
      vscode.window.visibleTextEditors.find((one) => isOwnEditor(one) && one.document.uri.toString() === address);
    const at = line === undefined ? undefined : Math.max(0, line - 1);
    this.clearMark();
    this.watched = { uri: address, scroll: line === undefined ? undefined : new ScrollWatch(line) };
    // `vscode.open` also selects the right editor for images and notebooks.
    await vscode.commands.executeCommand('vscode.open', uri, {
      preview: true,
      preserveFocus: true,
      viewColumn: find()?.viewColumn ?? this.lastColumn() ?? targetColumn(),
      ...(at !== undefined && { selection: new vscode.Range(at, 0, at, 0) }),
    });
    const editor = find();
    this.column = editor?.viewColumn;
    if (editor && this.isWatched(editor)) {
      if (at !== undefined) editor.setDecorations(this.mark, [new vscode.Range(at, 0, at, 0)]);
      // The editor may be there already, without an event to come.
      this.isScrolled(editor);
    }
    return true;
  }

  /** The column of the file before, if it is still there. The user may work in another one. */
  private lastColumn(): vscode.ViewColumn | undefined {
    const { all } = vscode.window.tabGroups;
    return all.some(({ viewColumn }) => viewColumn === this.column) ? this.column : undefined;
  }

  leave(): void {
    this.watched = undefined;
    this.column = undefined;
    this.clearMark();
  }

  private clearMark(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
  }

  private isWatched(editor: vscode.TextEditor): boolean {
    return isOwnEditor(editor) && editor.document.uri.toString() === this.watched?.uri;
  }

  private isScrolled({ visibleRanges, document: { version } }: vscode.TextEditor): boolean {
    const [top, bottom] = [visibleRanges[0], visibleRanges.at(-1)];
    if (!top || !bottom) return false;
    const sight = { first: top.start.line + 1, last: bottom.end.line + 1, version };
    return this.watched?.scroll?.isScrolled(sight) === true;
  }
}

/** Whether an editor fills its tab. Input fields, the output panel, and the sides of diffs don't. */
function isOwnEditor({ viewColumn }: vscode.TextEditor): boolean {
  return viewColumn !== undefined;
}

/**
 * Resolves to the file of a path if it may be opened without the user: an existing file in one of these folders, links
 * followed, that isn't guarded and has no secrets.
 */
export async function openableFile(
  path: string,
  cwd: string,
  folders: readonly NamedFolder[],
): Promise<FileTarget | undefined> {
  if (hasStrangeName(path) || isForeignShare(path, cwd)) return undefined;
  const target = await resolveTarget(path);
  const around = folders.filter(({ realPath }) => isInside(fileKey(realPath), target.key));
  if (around.length === 0 || guardedReason(target, folders) !== undefined) return undefined;
  // Folders of secrets are guarded, so only the name counts.
  if ([target.path, target.realPath].some((one) => isSecretFile(basename(one)))) return undefined;
  const found = await lstat(target.realPath).catch(() => undefined);
  return found?.isFile() === true ? target : undefined;
}
