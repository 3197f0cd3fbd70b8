import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder, show, tabs } from '../filesSupport';
import { bytes, until } from '../reviewFiles';
import { base, changes, eight, keep, lenses, newAgent, undo } from '../reviewSupport';

/** The editor with all changes. Other tests may have left pending changes. */
const isOfAll = (label: string) => /^Agent Changes \(\d+ files\)$/.test(label);
const command = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(`parley.review.${name}`, ...args);

/** A change in the form that the editor's diff passes to peek commands. Lines count from 1. */
const lineChange = (original: readonly [number, number], modified: readonly [number, number]) => ({
  originalStartLineNumber: original[0],
  originalEndLineNumber: original[1],
  modifiedStartLineNumber: modified[0],
  modifiedEndLineNumber: modified[1],
});

suite('review works from', () => {
  test("the editor's peek, also for lines that are only deleted", async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const uri = vscode.Uri.file(path);
    const after = eight
      .replace('two', 'TWO')
      .replace('four\n', '')
      .replace('six', 'SIX\nand more')
      .replace('eight\n', '');
    await (await newAgent(context)).turn({ write: path, text: after });
    await changes(path, 4);
    const shown = [
      lineChange([2, 2], [2, 2]),
      lineChange([4, 4], [3, 0]),
      lineChange([6, 6], [5, 6]),
      lineChange([8, 8], [7, 0]),
    ];
    await command('keepChange', uri, shown, 1);
    await changes(path, 3);
    assert.equal(await base(path), eight.replace('four\n', ''));
    const left = [lineChange([2, 2], [2, 2]), lineChange([5, 5], [5, 6]), lineChange([7, 7], [7, 0])];
    await command('undoChange', uri, left, 2);
    await changes(path, 2);
    await command('undoChange', uri, left.slice(0, 2), 1);
    const [last] = await changes(path, 1);
    assert.equal(last?.line, 1);
    await until(
      async () => (await onDisk(path)) === eight.replace('two', 'TWO').replace('four\n', ''),
      () => onDisk(path),
    );
  });

  test('one row of lenses above the file and each change', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    await (await newAgent(context)).turn({ write: path, text: eight.replace('two', 'TWO').replace('seven\n', '') });
    await changes(path, 2);
    const titles = new Map<number, string[]>();
    for (const { range, command: shown } of await lenses(path)) {
      // Other tests may have left pending changes.
      const title = shown?.title.replace(/\$\(.*?\)\s/, '').replace(/^\d+ of \d+$/, 'position') ?? '';
      titles.set(range.start.line, [...(titles.get(range.start.line) ?? []), title]);
    }
    const five = ['Keep', 'Undo', 'Comment', '1 line removed', 'position'];
    assert.deepEqual(
      [...titles],
      [
        [0, ['Told changed 2 places', 'Keep file', 'Undo file', 'Next']],
        [1, five],
        [6, five],
      ],
    );
  });

  test('lenses that stay where a change was decided', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    await (await newAgent(context)).turn({ write: path, text: eight.replace('two', 'TWO').replace('seven', 'SEVEN') });
    const [first, second] = await changes(path, 2);
    assert.ok(first && second);
    const rows = async () =>
      (await lenses(path)).flatMap(({ range, command: shown }) =>
        /^(?:Kept|Undone|No changes left.*)$/.test(shown?.title ?? '') ? [`${range.start.line} ${shown?.title}`] : [],
      );
    await show(path);
    await keep(first);
    await changes(path, 1);
    assert.deepEqual(await rows(), ['1 Kept']);
    const above = new vscode.WorkspaceEdit();
    above.insert(vscode.Uri.file(path), new vscode.Position(0, 0), 'new\n');
    assert.ok(await vscode.workspace.applyEdit(above));
    await until(
      async () => (await rows()).join() === '2 Kept',
      async () => (await rows()).join(),
    );
    await undo(second);
    await until(
      async () => (await rows()).join() === '0 No changes left in this file,2 Kept,7 Undone',
      async () => (await rows()).join(),
    );
    await vscode.workspace.save(vscode.Uri.file(path));
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap((group) => group.tabs));
    await until(
      async () => (await rows()).length === 0,
      async () => (await rows()).join(),
    );
  });

  test('commands for all changes or one file', async (context) => {
    const folder = await scratchFolder(context);
    const [a, b] = [await file(folder, 'a.txt', eight), await file(folder, 'b.txt', eight)];
    const created = join(folder, 'c.txt');
    const after = eight.replace('two', 'TWO').replace('seven', 'SEVEN');
    await (
      await newAgent(context)
    ).turn({ write: a, text: after }, { write: b, text: after }, { write: created, text: 'new\n' });
    for (const [path, count] of [
      [a, 2],
      [b, 2],
      [created, 1],
    ] as const)
      await changes(path, count);
    await command('openMultiDiff');
    await until(
      () => tabs().some(isOfAll),
      () => tabs().join(),
    );
    await show(a);
    await command('compare');
    await until(
      () => tabs().includes('a.txt (agent changes)'),
      () => tabs().join(),
    );
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.deepEqual([input.original.scheme, input.modified.fsPath], ['parley-base', a]);
    await show(a);
    await command('keepFile');
    await changes(a, 0);
    assert.deepEqual([await base(a), await onDisk(a)], [after, after]);
    await show(b);
    await command('undoFile');
    await changes(b, 0);
    assert.equal(await onDisk(b), eight);
    await command('undoFile', vscode.Uri.file(created));
    assert.equal(await bytes(created), null);
    assert.equal(await onDisk(a), after, 'nothing else was undone');
  });
});

suite('review does not disturb the user', () => {
  test('tabs, focus, cursor, and selection stay while an agent writes', async (context) => {
    const folder = await scratchFolder(context);
    const [open, other] = [await file(folder, 'open.txt', eight), await file(folder, 'other.txt', eight)];
    const agent = await newAgent(context);
    await show(other);
    const editor = await show(open);
    const selected = new Promise<unknown>((resolve) => {
      const listener = vscode.window.onDidChangeTextEditorSelection(resolve);
      context.after(() => listener.dispose());
    });
    editor.selection = new vscode.Selection(4, 1, 5, 2);
    await selected;
    const seen = () => {
      const { activeTextEditor, visibleTextEditors } = vscode.window;
      const visible = visibleTextEditors.map(({ document }) => document.uri.toString());
      const { anchor, active } = activeTextEditor?.selection ?? {};
      return { tabs: tabs(), visible, active: activeTextEditor?.document.uri.toString(), at: [anchor, active] };
    };
    const before = seen();
    const moved: string[] = [];
    const listeners = [
      vscode.window.onDidChangeActiveTextEditor((to) => moved.push(`to ${to?.document.uri.path}`)),
      vscode.window.onDidChangeTextEditorSelection(({ selections }) => moved.push(JSON.stringify(selections))),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) =>
        moved.push(...[...opened, ...closed].map(({ label }) => label)),
      ),
    ];
    context.after(() => vscode.Disposable.from(...listeners).dispose());
    await agent.turn(
      { edit: open, from: 'two', to: 'TWO' },
      { edit: other, from: 'six', to: 'SIX' },
      { write: join(folder, 'new.txt'), text: 'new\n' },
    );
    await changes(open, 1);
    await changes(other, 1);
    await changes(join(folder, 'new.txt'), 1);
    await until(
      () => editor.document.getText().includes('TWO'),
      () => 'the editor does not show it',
    );
    assert.deepEqual(seen(), before);
    assert.deepEqual(moved, []);
  });

  test('closing the editor with all changes removes nothing, and it reopens', async (context) => {
    const folder = await scratchFolder(context);
    const [a, b] = [await file(folder, 'a.txt', eight), await file(folder, 'b.txt', eight)];
    const after = eight.replace('two', 'TWO');
    await (await newAgent(context)).turn({ write: a, text: after }, { write: b, text: after });
    await changes(a, 1);
    await changes(b, 1);
    const held = () =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.scheme === 'parley-base' && uri.path.startsWith(vscode.Uri.file(folder).path))
        .map(({ uri }) => uri.path);
    for (let time = 0; time < 2; time++) {
      await command('openMultiDiff');
      await until(
        () => tabs().length === 1 && tabs().every(isOfAll) && held().length === 2,
        () => `${tabs().join()} shows ${held().join()}`,
      );
      await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap((group) => group.tabs));
      await until(
        () => tabs().length === 0 && held().length === 0,
        () => `still open: ${tabs().join()} ${held().join()}`,
      );
    }
  });
});
