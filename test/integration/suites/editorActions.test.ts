import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { insertAtCursor, openLocation } from '../../../src/host/chat/editorActions';
import { suite, test, type TestContext } from '../api';
import { removeFolder } from '../filesSupport';
import { until } from '../poll';

/** Returns a folder with a file of three lines, for one test. */
async function folderWithFile(context: TestContext): Promise<string> {
  const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'parley-editor-'))).fsPath;
  context.after(() => removeFolder(folder));
  context.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  await writeFile(join(folder, 'lines.txt'), 'one\ntwo\nthree\n');
  return folder;
}

/**
 * Opens an editor with this content. Uses a file, because an untitled document's text might reappear in the next one of
 * the same name.
 */
async function showText(context: TestContext, content: string): Promise<vscode.TextEditor> {
  const file = join(await folderWithFile(context), 'shown.txt');
  await writeFile(file, content);
  context.after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  return vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** Returns the cursor's file, line, and column, counted from 0. */
function cursor(): readonly [file: string | undefined, line: number | undefined, column: number | undefined] {
  const editor = vscode.window.activeTextEditor;
  return [editor?.document.fileName, editor?.selection.active.line, editor?.selection.active.character];
}

suite('the editor actions of the chat', () => {
  test("opens a place at its 1-based line, relative to the session's folder", async (context) => {
    const folder = await folderWithFile(context);
    const file = join(folder, 'lines.txt');
    await openLocation('/elsewhere', file, { line: 3 });
    assert.deepEqual(cursor(), [file, 2, 0]);
    await openLocation(folder, 'lines.txt', { line: 2 });
    assert.deepEqual(cursor(), [file, 1, 0]);
    // Without a line, the cursor doesn't move. A line past the end means the last one.
    await openLocation(folder, 'lines.txt');
    assert.deepEqual(cursor(), [file, 1, 0]);
    await openLocation(folder, 'lines.txt', { line: 99 });
    assert.deepEqual(cursor(), [file, 3, 0]);
    await openLocation(folder, 'lines.txt', { line: 0 });
    assert.deepEqual(cursor(), [file, 0, 0]);
  });

  test('reports a missing place and opens nothing', async (context) => {
    const folder = await folderWithFile(context);
    const window = vscode.window as { showWarningMessage: unknown };
    const shows = window.showWarningMessage;
    context.after(() => (window.showWarningMessage = shows));
    const said: string[] = [];
    window.showWarningMessage = (words: string) => Promise.resolve(void said.push(words));
    await openLocation(folder, 'gone.txt', { line: 1 });
    assert.deepEqual(said, [`${join(folder, 'gone.txt')} wasn’t found.`]);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  test('inserts code at the cursor or selection in one undo step', async (context) => {
    const editor = await showText(context, 'first\nsecond\n');
    editor.selection = new vscode.Selection(0, 5, 0, 5);
    await insertAtCursor(' of all');
    assert.equal(editor.document.getText(), 'first of all\nsecond\n');
    editor.selections = [new vscode.Selection(0, 0, 0, 5), new vscode.Selection(1, 0, 1, 6)];
    await insertAtCursor('x');
    assert.equal(editor.document.getText(), 'x of all\nx\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'first of all\nsecond\n');
  });

  test('inserts code into a new file if no editor is open', async (context) => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The extension host is notified slightly after the command has ended.
    await until(() => vscode.window.activeTextEditor === undefined);
    context.after(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
    await insertAtCursor('const a = 1;\n');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), 'const a = 1;\n');
    assert.equal(document.isUntitled, true);
  });
});
