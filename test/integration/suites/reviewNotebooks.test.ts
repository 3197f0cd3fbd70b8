import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { until } from '../reviewFiles';
import { base, changes, newAgent, undo } from '../reviewSupport';

const notebook = (code: string) =>
  `${JSON.stringify(
    {
      cells: [{ cell_type: 'code', execution_count: null, id: 'one', metadata: {}, outputs: [], source: [code] }],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    },
    undefined,
    // Formatted as Jupyter does it. The editor would use another indentation.
    1,
  )}\n`;

/** Opens a notebook in an editor after an agent has changed its file. */
async function changedNotebook(context: TestContext) {
  const path = await file(await scratchFolder(context), 'a.ipynb', notebook('print(1)'));
  const shown = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
  await vscode.window.showNotebookDocument(shown);
  const agent = await newAgent(context);
  await agent.turn({ write: path, text: notebook('print(2)') });
  await says(shown, 'print(2)');
  await until(
    async () => (await base(path)) === notebook('print(1)'),
    async () => `the base is ${await base(path)}`,
  );
  return {
    path,
    shown,
    undoFile: () => vscode.commands.executeCommand('parley.review.undoFile', vscode.Uri.file(path)),
  };
}

const says = (document: vscode.NotebookDocument, text: string) =>
  until(
    () => document.cellAt(0).document.getText() === text,
    () => `it says ${document.cellAt(0).document.getText()}`,
  );

suite('a notebook is reviewed as a file', () => {
  test('by change, if it is open as text', async (context) => {
    const path = await file(await scratchFolder(context), 'a.ipynb', notebook('print(1)'));
    await (await newAgent(context)).turn({ write: path, text: notebook('print(2)') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    await undo(change);
    assert.equal(await onDisk(path), notebook('print(1)'));
  });

  test('and its notebook editor follows an undo byte for byte', async (context) => {
    const { path, shown, undoFile } = await changedNotebook(context);
    await undoFile();
    assert.equal(await onDisk(path), notebook('print(1)'));
    await says(shown, 'print(1)');
    assert.equal(shown.isDirty, false);
  });

  test('but an undo does not overwrite unsaved cells', async (context) => {
    const { path, shown, undoFile } = await changedNotebook(context);
    const cell = shown.cellAt(0).document;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(cell.uri, new vscode.Position(0, 0), '# mine ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until(
      () => shown.isDirty,
      () => 'the cell was not changed',
    );
    await undoFile();
    assert.equal(await onDisk(path), notebook('print(2)'));
    assert.equal(cell.getText(), '# mine print(2)');
    assert.ok(await shown.save());
    assert.match(await onDisk(path), /# mine/);
    assert.match(await onDisk(path), /print\(2\)/);
  });
});
