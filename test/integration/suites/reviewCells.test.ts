import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { bytes, until } from '../reviewFiles';
import { base, changes, newAgent, type Step } from '../reviewSupport';

interface Cell {
  readonly id: string;
  readonly source: string;
  readonly type?: string;
  readonly outputs?: readonly unknown[];
}

const cell = ({ id, source, type = 'code', outputs = [] }: Cell) => ({
  cell_type: type,
  ...(type === 'code' ? { execution_count: null } : {}),
  id,
  metadata: {},
  ...(type === 'code' ? { outputs } : {}),
  source: source.split(/(?<=\n)/),
});

/** Formatted as Jupyter does it. */
const notebook = (cells: readonly Cell[]) =>
  `${JSON.stringify({ cells: cells.map(cell), metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

const a: Cell = { id: 'a', source: '# Title', type: 'markdown' };
const b: Cell = { id: 'b', source: 'x = 1\nprint(x)' };
const c: Cell = { id: 'c', source: 'y = 2' };
const before = notebook([a, b, c]);

const sources = (shown: vscode.NotebookDocument) => shown.getCells().map(({ document }) => document.getText());
const shows = (shown: vscode.NotebookDocument, ...texts: string[]) =>
  until(
    () => sources(shown).join('|') === texts.join('|'),
    () => `it shows ${sources(shown).join('|')}`,
  );

/** Opens a notebook in its editor, then lets an agent write the file in the agent's own format. */
async function changedNotebook(context: TestContext, after: readonly Cell[], ...more: Step[]) {
  const path = await file(await scratchFolder(context), 'a.ipynb', before);
  const uri = vscode.Uri.file(path);
  const shown = await vscode.workspace.openNotebookDocument(uri);
  await vscode.window.showNotebookDocument(shown);
  await (await newAgent(context)).turn({ write: path, text: notebook(after) }, ...more);
  await shows(shown, ...after.map(({ source }) => source));
  /** Selects a cell in the active notebook. */
  const select = async (index: number) => {
    const editor = await vscode.window.showNotebookDocument(shown);
    editor.selection = new vscode.NotebookRange(index, index + 1);
    await until(
      () => vscode.window.activeNotebookEditor?.selection.start === index,
      () => 'the cell was not selected',
    );
  };
  /** Resolves once these cells are the last kept version. */
  const accepted = (cells: readonly Cell[]) =>
    until(
      async () => (await base(path)) === notebook(cells),
      async () => `accepted is ${await base(path)}`,
    );
  await accepted([a, b, c]);
  const cellOf = (index: number) => shown.cellAt(index);
  return { path, shown, select, accepted, cellOf };
}

const keepCell = (target: vscode.NotebookCell) => vscode.commands.executeCommand('parley.review.keepChange', target);
const undoCell = (target: vscode.NotebookCell) => vscode.commands.executeCommand('parley.review.undoChange', target);

suite('a notebook is reviewed by cell', () => {
  test("one cell is kept, another undone, and the editor's undo reverts that", async (context) => {
    const after = [{ ...a, source: '# New title' }, { ...b, source: 'x = 1\nprint(x + 1)' }, c];
    const { path, shown, accepted, cellOf, select } = await changedNotebook(context, after);
    await keepCell(cellOf(0));
    await accepted([{ ...a, source: '# New title' }, b, c]);
    await undoCell(cellOf(1));
    await shows(shown, '# New title', b.source, c.source);
    assert.equal(await onDisk(path), notebook([{ ...a, source: '# New title' }, b, c]));
    assert.equal(shown.isDirty, false);
    await select(1);
    await vscode.commands.executeCommand('notebook.cell.edit');
    await vscode.commands.executeCommand('undo');
    await shows(shown, '# New title', 'x = 1\nprint(x + 1)', c.source);
  });

  test('removes a cell that the agent added and restores a deleted one', async (context) => {
    const added = { id: 'n', source: 'new = 1' };
    const { path, shown, cellOf } = await changedNotebook(context, [a, added, b]);
    await undoCell(cellOf(1));
    await shows(shown, a.source, b.source);
    await undoCell(cellOf(1));
    await shows(shown, a.source, b.source, c.source);
    assert.equal(await onDisk(path), before);
    assert.equal(shown.cellAt(2).document.languageId, 'python');
  });

  test('outputs that the agent removed are restored with the file', async (context) => {
    const outputs = [{ name: 'stdout', output_type: 'stream', text: ['1\n'] }];
    const path = await file(await scratchFolder(context), 'a.ipynb', notebook([a, { ...b, outputs }]));
    const shown = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(shown);
    const agent = await newAgent(context);
    await agent.turn({ write: path, text: notebook([a]) });
    await shows(shown, a.source);
    await vscode.commands.executeCommand('parley.review.undoFile', shown.uri);
    await shows(shown, a.source, b.source);
    assert.equal(await onDisk(path), notebook([a, { ...b, outputs }]));
    await until(
      () => shown.cellAt(1).outputs.length === 1,
      () => 'the output is not there',
    );
  });

  test('commands default to the selected cell, and navigation moves by cell', async (context) => {
    const after = [{ ...a, source: '# T' }, b, { ...c, source: 'y = 3' }];
    const { path, shown, select } = await changedNotebook(context, after);
    await select(1);
    const at = () => vscode.window.activeNotebookEditor?.selection.start;
    const goes = async (command: string, index: number) => {
      await vscode.commands.executeCommand(`parley.review.${command}`);
      await until(
        () => at() === index,
        () => `${command} went to ${at()}`,
      );
    };
    await goes('nextChange', 2);
    await goes('nextChange', 0);
    await goes('previousChange', 2);
    await vscode.commands.executeCommand('parley.review.undoChange');
    await shows(shown, '# T', b.source, c.source);
    assert.equal(await onDisk(path), notebook([{ ...a, source: '# T' }, b, c]));
  });

  test("cells that the user saves during a turn are not the agent's", async (context) => {
    const path = await file(await scratchFolder(context), 'a.ipynb', before);
    const shown = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(shown);
    const agent = await newAgent(context);
    const [gate, started, other] = [`${path}.go`, `${path}.started`, `${path}.txt`];
    const turn = agent.turn({ write: started, text: '' }, { awaits: gate }, { write: other, text: 'agent\n' });
    await until(
      async () => (await bytes(started)) !== null,
      () => 'no turn runs',
    );
    const edit = new vscode.WorkspaceEdit();
    edit.insert(shown.cellAt(1).document.uri, new vscode.Position(0, 0), '# mine\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await shown.save());
    await writeFile(gate, '');
    await turn;
    await until(
      async () => (await bytes(other)) !== null,
      () => 'the agent did not write',
    );
    await changes(other, 1);
    assert.equal(await base(path), '', 'nothing of the notebook waits for review');
    assert.match(await onDisk(path), /# mine/);
  });
});
