import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, rmSync, utimesSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { until } from '../poll';
import { afterTheTurn, base, changes, eight, git, keep, newAgent, newSession, undo } from '../reviewSupport';
import { needsGit, needsLinux } from '../platform';
import { holdWatcher } from '../watcher';

suite("reviewing an agent's changes", () => {
  test('keeps one change and undoes another written through the editor', async (context) => {
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

  for (const isRepository of [true, false]) {
    const where = isRepository ? 'in a repository' : 'without a repository';
    test(`covers files the agent writes to disk, ${where}`, async (context) => {
      if (isRepository) needsGit(context);
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
    });
  }

  test('restores a file that a command deleted', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'gone.txt', eight);
    const other = await file(folder, 'other.txt', 'crlf\r\nlines\r\n');
    const agent = await newAgent(context);
    await agent.turn({ script: "rmSync('gone.txt'); appendFileSync('other.txt', 'x\\r\\n')", cwd: folder });
    await changes(other, 1);
    await until(async () => (await base(path)) === eight);
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(other, 0);
    assert.equal(await readFile(path, 'utf8'), eight);
    assert.equal(await readFile(other, 'utf8'), 'crlf\r\nlines\r\n');
  });

  test("keeps text that the user typed when undoing the agent's change", async (context) => {
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

  test('can undo a keep', async (context) => {
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

  test("ignores the user's changes outside a turn", async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const editor = await show(path);
    await type(editor, 0, 0, 'mine ');
    await editor.document.save();
    assert.deepEqual(await changes(path, 0), []);
    await rm(path);
  });
});

/**
 * Keeps a file's only change. Resolves once all changes of the turn are known, so that later ones aren't attributed to
 * it.
 */
async function accept(path: string): Promise<void> {
  const [made] = await changes(path, 1);
  assert.ok(made);
  await keep(made);
  await changes(path, 0);
  await vscode.commands.executeCommand('parley.checkpoints.preview', 1);
  await afterTheTurn();
}

/** Returns the files this process has open. Linux only. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return ''; // Closed in the meantime.
    }
  });
}

suite('files deleted before a turn are not part of it', () => {
  test('a file the user deleted right before, though reported during the turn', async (context) => {
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
    // No event reports a file that is created and deleted in the same moment.
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
    // Once the file was read, it has no pending changes.
    await until(async () => (await base(path)) === '');
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(done, 0);
    assert.ok(!existsSync(path), 'what the user removed does not come back');
  });

  test('a file the user deleted while it was being read', async (context) => {
    needsLinux(context);
    const folder = await scratchFolder(context);
    const path = join(folder, 'gone.txt');
    const done = join(folder, 'done.txt');
    const session = await newSession(context);
    // Takes longer to read than a turn takes to start. Few lines, because nothing else happens then.
    await session.turn({ write: path, text: `${'x'.repeat(80_000)}\n`.repeat(100) });
    await accept(path);
    await until(() => !openFiles().includes(path));
    // The file is open for only a few milliseconds, which can be missed. Then it is read once more.
    for (let touchedAt = 0; !openFiles().includes(path);) {
      await new Promise(setImmediate);
      if (Date.now() - touchedAt < 2000) continue;
      touchedAt = Date.now();
      utimesSync(path, new Date(), new Date());
    }
    rmSync(path);
    await session.turn({ write: done, text: 'done\n' });
    await changes(done, 1);
    // Once the file was read, it has no pending changes.
    await until(async () => (await base(path)) === '');
    await vscode.commands.executeCommand('parley.review.undoAll');
    await changes(done, 0);
    assert.ok(!existsSync(path), 'what the user removed does not come back');
  });

  test('a file outside the workspace that a tool call refers to', async (context) => {
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
    // Once the file was read, it has no pending changes.
    await until(async () => (await base(path)) === '');
  });
});
