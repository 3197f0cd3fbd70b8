import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, setting } from '../filesSupport';
import { needsGit } from '../platform';
import { undoneTo, until } from '../reviewFiles';
import { base, changes, eight, git, lenses, newAgent, undo, type Step } from '../reviewSupport';

const shouted = eight.replace('two', 'TWO');

interface Diff {
  readonly path: string;
  readonly oldText?: string;
  readonly newText: string;
}

/** Returns a tool call that shows a change. The change was made unless `status` says otherwise. */
function toolCall(toolCallId: string, { path, ...texts }: Diff, status = 'completed'): Step {
  const content = [{ type: 'diff', path, ...texts }];
  return { tell: { sessionUpdate: 'tool_call', toolCallId, title: 'Edit', kind: 'edit', status, content } };
}

/** Checks that a file with an unknown base is listed as changed and its content isn't guessed. */
async function listedWithoutUndo(path: string): Promise<void> {
  const held = await onDisk(path);
  const titles = async () => (await lenses(path)).map(({ command }) => command?.title ?? '');
  await until(
    async () => (await titles()).includes('Can’t be undone'),
    async () => (await titles()).join(' '),
  );
  assert.equal(await base(path), '');
  await vscode.commands.executeCommand('parley.review.undoAll');
  assert.equal(await onDisk(path), held);
}

suite('changes reported by tool calls', () => {
  test("don't damage known files: partial, late, wrong, or missing diffs", async (context) => {
    const folder = await scratchFolder(context);
    const names = ['part', 'late', 'wrong', 'none'];
    const paths = names.map((name) => join(folder, name));
    for (const name of names) await file(folder, name, eight);
    const [part = '', late = '', wrong = ''] = paths;
    const agent = await newAgent(context);
    await agent.turn(
      toolCall('p', { path: part, oldText: 'two', newText: 'TWO' }),
      ...paths.map((path) => ({ write: path, text: shouted })),
      toolCall('w', { path: wrong, oldText: 'something else', newText: 'entirely' }),
      toolCall('l', { path: late, oldText: eight, newText: shouted }),
    );
    for (const path of paths) {
      const found = await changes(path, 1);
      assert.equal(found[0]?.line, 1);
      assert.equal(await base(path), eight);
    }
    await undoneTo(Object.fromEntries(paths.map((path) => [path, eight])));
  });

  test('are the base of files that are not recorded', async (context) => {
    needsGit(context);
    const folder = await scratchFolder(context);
    git(folder, 'init', '-q');
    const other = await outsideFolder(context);
    const outside = await file(other, 'whole.txt', eight);
    const crlf = await file(other, 'part.txt', eight.replaceAll('\n', '\r\n'));
    const twice = await file(other, 'twice.txt', eight);
    const made = join(other, 'made.txt');
    const large = await file(folder, 'large.txt', `two\n${'x'.repeat(6_000_000)}\n`);
    const agent = await newAgent(context);
    await agent.turn(
      { write: outside, text: shouted },
      ...[crlf, large, twice].map((edit) => ({ edit, from: 'two', to: 'TWO' })),
      { edit: twice, from: 'six', to: 'TWO' },
      { write: made, text: 'made\n' },
      // Sent after the writes, so that there is no other source.
      toolCall('o', { path: outside, oldText: eight, newText: shouted }),
      toolCall('c', { path: crlf, oldText: 'one\ntwo\n', newText: 'one\nTWO\n' }),
      toolCall('t', { path: twice, oldText: 'two', newText: 'TWO' }),
      toolCall('m', { path: made, newText: 'made\n' }),
      toolCall('g', { path: large, oldText: 'two\n', newText: 'TWO\n' }),
    );
    for (const path of [outside, crlf]) {
      const [change] = await changes(path, 1);
      assert.equal(change?.line, 1);
    }
    await changes(made, 1);
    await changes(large, 1);
    await listedWithoutUndo(twice);
    await undoneTo({ [outside]: eight, [crlf]: eight.replaceAll('\n', '\r\n'), [made]: null });
    assert.equal((await onDisk(large)).startsWith('two\n'), true);
    assert.equal(await onDisk(twice), eight.replace('two', 'TWO').replace('six', 'TWO'));
  });

  test('extend the base when later calls report more', async (context) => {
    const path = await file(await outsideFolder(context), 'a.txt', eight);
    const folder = await scratchFolder(context);
    const [go, written] = [join(folder, 'go'), join(folder, 'written')];
    const agent = await newAgent(context);
    await agent.turn(
      { write: path, text: shouted.replace('seven', 'SEVEN') },
      toolCall('b', { path, oldText: 'seven', newText: 'SEVEN' }),
      { write: written, text: '' },
      { awaits: go },
      toolCall('a', { path, oldText: 'two', newText: 'TWO' }),
    );
    // The content of a file that is open when the turn begins is known.
    await until(
      () => existsSync(written),
      () => 'The agent did not begin.',
    );
    await changes(path, 1);
    await file(folder, 'go', '');
    const [first] = await changes(path, 2);
    assert.equal(first?.line, 1);
    await undoneTo({ [path]: eight });
  });

  test('are ignored if the call failed', async (context) => {
    const folder = await outsideFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const other = await file(folder, 'b.txt', eight);
    const agent = await newAgent(context);
    await agent.turn(
      { write: path, text: shouted },
      toolCall('f', { path, oldText: 'one', newText: 'TWO' }, 'failed'),
      { write: other, text: shouted },
      toolCall('o', { path: other, oldText: eight, newText: shouted }),
    );
    await changes(other, 1);
    await listedWithoutUndo(path);
  });

  test('are not needed if a call mentions a file before writing it', async (context) => {
    const path = await file(await outsideFolder(context), 'a.txt', eight);
    const fresh = join(await outsideFolder(context), 'sub', 'new.txt');
    const agent = await newAgent(context);
    const named = [path, fresh].map((one) => ({ path: one }));
    const call = { sessionUpdate: 'tool_call', toolCallId: 'n', title: 'Edit', kind: 'edit', status: 'in_progress' };
    const heard = join(await scratchFolder(context), 'heard');
    await agent.turn(
      { tell: { ...call, locations: named } },
      // Answered after the call was received. An agent that writes at the moment of its report may be too fast.
      { fs: heard, text: '' },
      { write: path, text: shouted },
      { write: fresh, text: 'new\n' },
      { tell: { sessionUpdate: 'tool_call_update', toolCallId: 'n', status: 'completed' } },
    );
    const [change] = await changes(path, 1);
    assert.ok(change);
    await undo(change);
    assert.equal(await onDisk(path), eight);
    await undoneTo({ [fresh]: null });
  });

  test('are not needed for open files, ignored or not', async (context) => {
    needsGit(context);
    const folder = await scratchFolder(context);
    await file(folder, '.gitignore', '.env\n');
    await setting(context, 'files.watcherExclude', { '**/made/**': true });
    const [path, made] = [await file(folder, '.env', eight), await file(folder, 'made/x.txt', eight)];
    git(folder, 'init', '-q');
    await changes(path, 0);
    const agent = await newAgent(context);
    await agent.turn({ write: made, text: shouted }, { write: path, text: shouted });
    const [change] = await changes(path, 1);
    assert.ok(change);
    await undo(change);
    assert.equal(await onDisk(path), eight);
  });

  test('are not needed without a repository, because small ignored files are recorded', async (context) => {
    const folder = await scratchFolder(context);
    // A folder's rules apply to its files, wherever in the workspace it is.
    await file(folder, '.gitignore', '*.log\n');
    const [path, log] = [await file(folder, 'a.txt', eight), await file(folder, 'a.log', eight)];
    const agent = await newAgent(context);
    await agent.turn({ write: log, text: shouted }, { write: path, text: shouted });
    await changes(path, 1);
    await changes(log, 1);
    await undoneTo({ [path]: eight, [log]: eight });
  });
});
