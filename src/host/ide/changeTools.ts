import { basename } from 'node:path';
import * as vscode from 'vscode';
import { editorTools, type EditorToolName } from '../../shared/pages/editorTools';
import { sessionFolders } from '../files/documents';
import { guardedReason, guardedWords } from '../workspaceFiles/guarded';
import { editDocuments, versionsOf } from '../fileChanges/editorStep';
import { ChangeRefused } from '../fileChanges/fileChange';
import { allowed } from './permission';
import { documentOf, fileOf, placeOf, shownPath } from './places';
import { countOf, requiredText, ToolProblem, type ToolCall, type ToolResult, type ToolRun } from './tool';

/** Maximum number of code actions in a result. */
const mostActions = 30;

/** The tools that change files. Each change is one undo step and waits for review. */
export const changeTools = {
  renameSymbol: rename,
  listCodeActions: listActions,
  applyCodeAction: applyAction,
  formatFile: format,
} as const satisfies Partial<Record<EditorToolName, ToolRun>>;

async function listActions(call: ToolCall): Promise<ToolResult> {
  const { actions } = await actionsAt(call);
  const found = actions.slice(0, mostActions).map(({ title, kind }) => ({ title, kind: kind?.value ?? '' }));
  const lines = found.map(({ title }) => title);
  const text = lines.length === 0 ? 'The editor offers nothing for this line.' : lines.join('\n');
  return { text, data: { actions: found } };
}

async function rename(call: ToolCall): Promise<ToolResult> {
  const [symbol, newName] = [requiredText(call, 'symbol'), requiredText(call, 'newName')];
  const { document, position } = await placeOf(call);
  let edit: vscode.WorkspaceEdit | undefined;
  try {
    edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      position,
      newName,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolProblem(`“${symbol}” can't be renamed: ${reason}. Check “line” and “symbol”.`);
  }
  return change(call, 'renameSymbol', editorTools.renameSymbol.words().request(symbol, newName), edit);
}

async function actionsAt(call: ToolCall) {
  const document = await documentOf(call);
  const number = countOf(call, 'line', 1, 1);
  if (number > document.lineCount) throw new ToolProblem(`The file has only ${document.lineCount} lines.`);
  const { range } = document.lineAt(number - 1);
  // Quick fixes are for problems, so these must be known.
  const found = await call.language.withProblems(document, call.signal, async () =>
    vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[] | undefined>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      undefined,
      mostActions,
    ),
  );
  // Commands could do anything, so only what is an edit is offered.
  const actions = (found ?? [])
    .filter((one) => one instanceof vscode.CodeAction)
    .filter(({ edit }) => edit !== undefined);
  return { document, actions };
}

async function applyAction(call: ToolCall): Promise<ToolResult> {
  const title = requiredText(call, 'title');
  const { actions } = await actionsAt(call);
  const action = actions.find((one) => one.title === title);
  if (!action?.edit) {
    throw new ToolProblem(`The editor doesn't offer “${title}” here. Use a title that listCodeActions returns.`);
  }
  return change(call, 'applyCodeAction', title, action.edit);
}

async function format(call: ToolCall): Promise<ToolResult> {
  const document = await documentOf(call);
  const editing = vscode.workspace.getConfiguration('editor', document);
  const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
    'vscode.executeFormatDocumentProvider',
    document.uri,
    { tabSize: editing.get('tabSize', 4), insertSpaces: editing.get('insertSpaces', true) },
  );
  // The editor says the same in both cases.
  if (!edits || edits.length === 0) {
    const text = 'There is nothing to change, or the editor has no formatter for this kind of file.';
    return { text, data: { changed: [] } };
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return change(call, 'formatFile', editorTools.formatFile.words().request(basename(document.uri.fsPath)), edit);
}

/** Makes a change in one undo step once it is allowed, and saves its files. */
async function change(
  call: ToolCall,
  tool: EditorToolName,
  title: string,
  edit: vscode.WorkspaceEdit | undefined,
): Promise<ToolResult> {
  const entries = (edit?.entries() ?? []).filter(([, edits]) => edits.length > 0);
  if (!edit || entries.length === 0) {
    return { text: 'There is nothing to change.', data: { changed: [] } };
  }
  const folders = await sessionFolders(call.context.cwd, call.folders);
  const paths = [];
  const content = [];
  const keys = new Set<string>();
  let isGuarded = false;
  for (const [uri, edits] of entries) {
    if (uri.scheme !== 'file') throw new ToolProblem(`The change affects ${uri.toString()}, which isn't a file.`);
    const target = await fileOf(call, uri.fsPath);
    if (keys.has(target.key))
      throw new ToolProblem('The change reaches one file by two paths. Edit the file yourself.');
    keys.add(target.key);
    const document = await vscode.workspace.openTextDocument(uri);
    // Saving would also save what the user is still writing.
    if (document.isDirty) {
      const shown = shownPath(call, uri.fsPath);
      throw new ToolProblem(`${shown} has unsaved changes. Nothing was changed. Ask the user to save the file first.`);
    }
    const guarded = guardedReason(target, folders);
    if (guarded !== undefined) {
      isGuarded = true;
      content.push({ type: 'content', content: { type: 'text', text: guardedWords(guarded) } } as const);
    }
    const oldText = document.getText();
    content.push({ type: 'diff', path: target.path, oldText, newText: edited(document, edits) } as const);
    paths.push(uri.fsPath);
  }
  // What isn't text, such as the new name of a file, can't be shown and reviewed here.
  if (edit.size > entries.length) {
    throw new ToolProblem(
      'The change also creates, renames, or deletes files. Nothing was changed. Edit the files yourself.',
    );
  }
  const versions = versionsOf(entries.map(([uri]) => uri));
  await allowed(call, { tool, title, kind: 'edit', paths, content, isGuarded });
  try {
    await call.services.change(call.context, paths, async () => {
      // The user may have typed while the question was open, or while other writes of these files were waited for.
      const unsaved = await editDocuments(edit, versions);
      if (!unsaved) return;
      const shown = shownPath(call, unsaved.fsPath);
      throw new ToolProblem(`${shown} was changed but couldn't be saved. Ask the user to save it.`);
    });
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    throw new ToolProblem(
      error.reason === 'editor'
        ? "The editor couldn't make the change. Call the tool again."
        : 'The files changed in the meantime. Nothing was changed. Call the tool again.',
    );
  }
  const changed = entries.map(([uri, edits]) => ({ path: shownPath(call, uri.fsPath), edits: edits.length }));
  return { text: changed.map((one) => `${one.path}: ${one.edits} edits`).join('\n'), data: { changed } };
}

/** Returns a document's text after edits, which don't overlap. */
function edited(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  let text = document.getText();
  const sorted = [...edits].sort((a, b) => b.range.start.compareTo(a.range.start));
  for (const { range, newText } of sorted) {
    text = text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
  }
  return text;
}
