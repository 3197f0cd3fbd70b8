import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, rmSync, utimesSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { until } from '../poll';
import { afterTheTurn, base, changes, eight, git, keep, newAgent, newSession, undo } from '../reviewSupport';
import { needsLinux, needsPosix } from '../platform';
import { holdWatcher } from '../watcher';

suite('what an agent changes waits for the user', () => {
  test('when it writes through the editor: one change is kept, another undone', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    await agent.turn({ fs: path, text: eight.replace('two', 'TWO').replace('seven', 'SEVEN') });
    const [first, second] = await changes(path, 2);
    assert.ok(first && second);
    assert.deepEqual([first.line, second.line], [1, 6]);
    assert.equal(await base(path), eight);
    await keep(first);
    assert.equal((await changes(path, 1))[0]?.line, 6);
    await undo(second);
    await changes(path, 0);
    assert.equal(await onDisk(path), eight.replace('two', 'TWO'));
  });

  test('when it writes the disk by itself, in a repository and outside of one', async (context) => {
    for (const isRepository of [true, false]) {
      const folder = await scratchFolder(context);
      const path = await file(folder, 'src/a.txt', eight);
      if (isRepository) {
        git(folder, 'init', '-q');
        git(folder, 'add', '.');
        git(folder, 'commit', '-qm', 'one');
      }
      const agent = await newAgent(context);
      const created = join(folder, 'src', 'new.txt');
      await agent.turn({ write: path, text: eight.replace('four\n', '') }, { write: created, text: 'fresh\n' });
      const [gone] = await changes(path, 1);
      const [fresh] = await changes(created, 1);
      assert.ok(gone && fresh);
      assert.equal(await base(path), eight);
      await undo(gone);
      assert.equal(await onDisk(path), eight);
      await undo(fresh);
      await assert.rejects(stat(created), { code: 'ENOENT' });
    }
  });

  test('when a shell command does it: a deleted file comes back', async (context) => {
    needsPosix(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'gone.txt', eight);
    const other = await file(folder, 'other.txt', 'crlf\r\nlines\r\n');
    const agent = await newAgent(context);
    await agent.turn({ shell: `rm '${path}'; printf 'x\\r\\n' >> '${other}'` });
    await changes(other, 1);
    await until(async () => (await base(path)) === eight);
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(other, 0);
    assert.equal(await readFile(path, 'utf8'), eight);
    assert.equal(await readFile(other, 'utf8'), 'crlf\r\nlines\r\n');
  });

  test('and what the user types meanwhile is theirs: it stays when the agent’s change is undone', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    const editor = await show(path);
    await agent.turn({ write: path, text: eight.replace('two', 'TWO') });
    await changes(path, 1);
    await type(editor, 6, 5, ' typed');
    const [change] = await changes(path, 1);
    assert.ok(change);
    await undo(change);
    assert.equal(editor.document.getText(), eight.replace('seven', 'seven typed'));
    await show(path);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), eight.replace('two', 'TWO').replace('seven', 'seven typed'));
    await changes(path, 1);
  });

  test('and a keep can be taken back', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    await agent.turn({ fs: path, text: eight.replace('two', 'TWO') });
    const [change] = await changes(path, 1);
    assert.ok(change);
    await keep(change);
    await changes(path, 0);
    await vscode.commands.executeCommand('parley.review.undoKeep');
    await changes(path, 1);
    assert.equal(await base(path), eight);
  });

  test('but not what the user changes outside of a turn', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const editor = await show(path);
    await type(editor, 0, 0, 'mine ');
    await editor.document.save();
    assert.deepEqual(await changes(path, 0), []);
    await rm(path);
  });
});

/** Keeps the one change of a file; resolves when all that the turn has changed is known, so that nothing later is taken for its own. */
async function accept(path: string): Promise<void> {
  const [made] = await changes(path, 1);
  assert.ok(made);
  await keep(made);
  await changes(path, 0);
  await vscode.commands.executeCommand('parley.checkpoints.preview', 1);
  await afterTheTurn();
}

/** What this process has open now; Linux tells. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return ''; // Closed meanwhile.
    }
  });
}

suite('what was gone before a turn was not removed in it', () => {
  test('what the user removed right before it, though that is told during it', async (context) => {
    const folder = await scratchFolder(context);
    const path = join(folder, 'gone.txt');
    const [began, go, done] = ['began', 'go', 'done.txt'].map((name) => join(folder, name)) as [string, string, string];
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, 'gone.txt'));
    context.after(() => watcher.dispose());
    const created = new Promise((resolve) => watcher.onDidCreate(resolve));
    const told = new Promise((resolve) => watcher.onDidDelete(resolve));
    const session = await newSession(context);
    await session.turn({ write: path, text: eight });
    await accept(path);
    // What comes and goes in one moment is told by nobody.
    await created;
    const letGo = await holdWatcher(context);
    rmSync(path);
    const turn = session.turn({ sign: began }, { awaits: go }, { write: done, text: '' }, { remove: began });
    await until(() => existsSync(began));
    letGo();
    await told;
    await file(folder, 'go', '');
    await changes(done, 1);
    await turn;
    // Nothing of it waits once it has been looked at.
    await until(async () => (await base(path)) === '');
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(done, 0);
    assert.ok(!existsSync(path), 'what the user removed does not come back');
  });

  test('what the user removed while it was still looked at', async (context) => {
    needsLinux(context);
    const folder = await scratchFolder(context);
    const path = join(folder, 'gone.txt');
    const done = join(folder, 'done.txt');
    const session = await newSession(context);
    // It takes longer to read than a turn takes to begin; of few lines, as there is no other work in it then.
    await session.turn({ write: path, text: `${'x'.repeat(80_000)}\n`.repeat(100) });
    await accept(path);
    await until(() => !openFiles().includes(path));
    utimesSync(path, new Date(), new Date());
    // It is open for a few milliseconds only.
    while (!openFiles().includes(path)) await new Promise(setImmediate);
    rmSync(path);
    await session.turn({ write: done, text: 'done\n' });
    await changes(done, 1);
    // Nothing of it waits once it has been looked at.
    await until(async () => (await base(path)) === '');
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(done, 0);
    assert.ok(!existsSync(path), 'what the user removed does not come back');
  });

  test('a file outside of the workspace, which a tool call names', async (context) => {
    await setting(context, 'parley.files.outsideWorkspace', 'allow');
    const path = await file(await outsideFolder(context), 'far.txt', eight);
    const done = join(await scratchFolder(context), 'done.txt');
    const session = await newSession(context);
    await session.turn({ fs: path, text: eight.replace('two', 'TWO') });
    await accept(path);
    await rm(path);
    await afterTheTurn();
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Search', status: 'completed' };
    await session.turn({ tell: { ...call, locations: [{ path }] } }, { write: done, text: 'done\n' });
    await changes(done, 1);
    // Nothing of it waits once it has been looked at.
    await until(async () => (await base(path)) === '');
  });
});
