import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EditorUse } from '../../../src/host/follow/follow';
import { FollowedEditor } from '../../../src/host/follow/followedEditor';
import { emptyView } from '../../unit-support/emptyView';
import { suite, test, type TestContext } from '../api';
import { removeFolder } from '../filesSupport';
import { until } from '../poll';

const lines = Array.from({ length: 400 }, (_, index) => `line ${String(index + 1)}`).join('\n');

/** A session's folder with two long files, and the editor that follows its agent. */
async function setUp(context: TestContext) {
  const folder = vscode.Uri.file(await realpath(await mkdtemp(join(tmpdir(), 'parley-follow-')))).fsPath;
  context.after(() => removeFolder(folder));
  context.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  for (const name of ['own.txt', 'a.txt', 'b.txt']) await writeFile(join(folder, name), lines);
  const editor = new FollowedEditor();
  context.after(() => editor.dispose());
  const uses: EditorUse[] = [];
  editor.onDidUse((use) => uses.push(use));
  const view = { ...emptyView, cwd: folder };
  const show = (name: string, line?: number) =>
    editor.show({ path: join(folder, name), ...(line !== undefined && { line }) }, view);
  return { folder, uses, show };
}

const shown = (path: string) => vscode.window.visibleTextEditors.find(({ document }) => document.fileName === path);

async function untilInSight(path: string, line: number): Promise<void> {
  await until(
    () => shown(path)?.visibleRanges.some(({ start, end }) => start.line < line && line <= end.line) === true,
  );
}

suite('the editor that follows an agent', () => {
  test('shows lines of several files in one preview tab', async (context) => {
    const { folder, show, uses } = await setUp(context);
    assert.equal(await show('a.txt', 200), true);
    await untilInSight(join(folder, 'a.txt'), 200);
    assert.equal(await show('b.txt', 300), true);
    await untilInSight(join(folder, 'b.txt'), 300);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual(
      tabs.map(({ label, isPreview }) => [label, isPreview]),
      [['b.txt', true]],
    );
    assert.equal(await show('b.txt', 20), true);
    await untilInSight(join(folder, 'b.txt'), 20);
    assert.deepEqual(uses, []);
  });

  test('shows nothing that is outside, guarded, or missing', async (context) => {
    const { folder, show } = await setUp(context);
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode', 'tasks.json'), '{}');
    await writeFile(join(folder, '.env'), 'KEY=1');
    for (const name of ['../outside.txt', '.vscode/tasks.json', '.env', 'gone.txt']) {
      assert.equal(await show(name), false, name);
    }
    assert.deepEqual(vscode.window.visibleTextEditors, []);
  });

  test('leaves the focus alone, and notices when the user types', async (context) => {
    const { folder, show, uses } = await setUp(context);
    await show('a.txt', 200);
    const own = vscode.Uri.file(join(folder, 'own.txt'));
    const { document } = await vscode.window.showTextDocument(own, { viewColumn: vscode.ViewColumn.Two });
    await show('b.txt', 300);
    await untilInSight(join(folder, 'b.txt'), 300);
    assert.deepEqual([vscode.window.activeTextEditor?.document, uses], [document, []]);
    await vscode.commands.executeCommand('type', { text: 'x' });
    await until(() => uses.length > 0);
    assert.equal(uses[0], 'typed');
    assert.match(document.getText(), /^xline 1\n/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  test('notices when the user scrolls away from the line', async (context) => {
    const { folder, show, uses } = await setUp(context);
    await show('a.txt', 200);
    await untilInSight(join(folder, 'a.txt'), 200);
    await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'a.txt')));
    await vscode.commands.executeCommand('editorScroll', { to: 'down', by: 'line', value: 5 });
    await until(() => uses.length > 0);
    assert.deepEqual(uses, ['scrolled']);
  });

  test("doesn't take a write of the agent for scrolling", async (context) => {
    const { folder, show, uses } = await setUp(context);
    await show('a.txt', 200);
    await untilInSight(join(folder, 'a.txt'), 200);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(vscode.Uri.file(join(folder, 'a.txt')), new vscode.Position(190, 0), 'new\n'.repeat(50));
    await vscode.workspace.applyEdit(edit);
    await show('a.txt', 300);
    await untilInSight(join(folder, 'a.txt'), 300);
    assert.deepEqual(uses, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
