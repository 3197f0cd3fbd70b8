import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder, show, type } from '../filesSupport';
import { undoneTo, until } from '../reviewFiles';
import { base, changes, eight, keep, newAgent, undo, type Step } from '../reviewSupport';
import { holdWatcher } from '../watcher';

const shout = (...words: string[]) => words.reduce((text, word) => text.replace(word, word.toUpperCase()), eight);

/** How an agent may write: through the editor, or directly to disk. */
const ways: Readonly<Record<string, (path: string, text: string) => Step>> = {
  'through the editor': (path, text) => ({ fs: path, text }),
  'to disk': (path, text) => ({ write: path, text }),
};

suite('the user reviews during a turn', () => {
  for (const [way, write] of Object.entries(ways)) {
    test(`an agent that writes ${way} keeps working after keep, undo, and typing`, async (context) => {
      const folder = await scratchFolder(context);
      const path = await file(folder, 'a.txt', eight);
      const made = join(folder, 'made.txt');
      const [go, done] = [join(folder, 'go'), join(folder, 'done')];
      const agent = await newAgent(context);
      await agent.turn(
        write(path, shout('two', 'five', 'eight')),
        write(made, 'made\n'),
        { awaits: go },
        // The agent then continues from the user's version of the file.
        way === 'to disk'
          ? { edit: path, from: 'one', to: 'ONE' }
          : write(path, shout('two', 'eight', 'one').replace('four', 'four, mine')),
        { write: done, text: '' },
      );
      const [two, five] = await changes(path, 3);
      assert.ok(two && five);
      await changes(made, 1);
      await keep(two);
      assert.equal(await base(path), shout('two'));
      await undo(five);
      assert.equal((await vscode.workspace.openTextDocument(path)).getText(), shout('two', 'eight'));
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
      await editor.edit((edit) => edit.insert(new vscode.Position(3, 'four'.length), ', mine'));
      await vscode.commands.executeCommand('parley.review.keepFile', vscode.Uri.file(made));
      await editor.document.save();
      assert.equal(await onDisk(path), shout('two', 'eight').replace('four', 'four, mine'));
      const left = await changes(path, 1);
      assert.equal(left[0]?.line, 7);
      await changes(made, 0);
      assert.equal(existsSync(done), false, 'all of this was while the turn ran');

      await file(folder, 'go', '');
      await until(
        () => existsSync(done),
        () => 'the agent did not go on',
      );
      const [one, eighth] = await changes(path, 2);
      assert.deepEqual([one?.line, eighth?.line], [0, 7]);
      const accepted = shout('two').replace('four', 'four, mine');
      assert.equal(await base(path), accepted, 'what was kept and what the user wrote is not up for review again');
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path, 'the focus stays where the user had it');
      await undoneTo({ [path]: accepted, [made]: 'made\n' });
    });
  }

  for (const savesFirst of [false, true]) {
    const typed = savesFirst ? 'text typed after a save' : 'typed text';
    test(`a write under ${typed} is pending once that text is discarded`, async (context) => {
      const folder = await scratchFolder(context);
      const path = await file(folder, 'a.txt', eight);
      const [began, go, end] = ['began', 'go', 'end'].map((name) => join(folder, name)) as [string, string, string];
      const agent = await newAgent(context);
      const editor = await show(path);
      const own = savesFirst ? eight.replace('four', 'four saved') : eight;
      const steps = [
        { sign: began },
        { awaits: go },
        { write: path, text: own.replace('two', 'TWO') },
        { awaits: end },
      ];
      await agent.turn(...steps);
      await until(
        () => existsSync(began),
        () => 'no turn began',
      );
      if (savesFirst) {
        await type(editor, 3, 4, ' saved');
        await editor.document.save();
      }
      await type(editor, 6, 5, ' typed');
      const letGo = await holdWatcher(context);
      await file(folder, 'go', '');
      await until(
        async () => (await onDisk(path)).includes('TWO'),
        () => 'nothing was written',
      );
      await show(path);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      assert.equal(editor.document.getText(), own.replace('two', 'TWO'));
      letGo();
      const [change] = await changes(path, 1);
      assert.ok(change);
      assert.equal(change.line, 1);
      await undo(change);
      assert.equal(await onDisk(path), own);
      await file(folder, 'end', '');
    });
  }

  test("the user's save is not the agent's, though seen on disk first", async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const [began, go, end] = ['began', 'go', 'end'].map((name) => join(folder, name)) as [string, string, string];
    const agent = await newAgent(context);
    const editor = await show(path);
    const call = { toolCallId: 'n', kind: 'edit', status: 'in_progress', locations: [{ path }] };
    // Each makes Parley read the file, one of them between the write on disk and the editor's event.
    const looks = Array.from({ length: 400 }, (_, n): Step[] => [
      { tell: { ...call, sessionUpdate: 'tool_call_update', title: `Edit ${n}` } },
      { pause: 2 },
    ]);
    const first = { tell: { ...call, sessionUpdate: 'tool_call', title: 'Edit' } };
    const saved = eight.replace(/^/gm, 'mine ').slice(0, -'mine '.length);
    const write = { write: path, text: saved.replace('two', 'TWO') };
    await agent.turn({ sign: began }, first, ...looks.flat(), { awaits: go }, write, { awaits: end });
    await until(
      () => existsSync(began),
      () => 'no turn began',
    );
    for (let line = 0; line < 8; line++) {
      await type(editor, line, 0, 'mine ');
      await editor.document.save();
      if (line < 7) assert.deepEqual(await changes(path, 0), []);
    }
    // The same if the user keeps typing, the agent writes under that text, and it's discarded.
    await type(editor, 6, 0, 'typed ');
    await file(folder, 'go', '');
    await until(
      async () => (await onDisk(path)).includes('TWO'),
      () => 'nothing was written',
    );
    await show(path);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const [change] = await changes(path, 1);
    assert.equal(change?.line, 1);
    await undo(change);
    assert.equal(await onDisk(path), saved);
    await file(folder, 'end', '');
    assert.deepEqual(await changes(path, 0), []);
  });
});
