import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RestorePreview } from '../../../src/shared/changes/review';
import { suite, test } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { until } from '../poll';
import { afterTheTurn, eight, lenses, newSession } from '../reviewSupport';
import { hasModes, needsLinks } from '../platform';

const crlf = eight.replaceAll('\n', '\r\n');

const preview = (turn: number) =>
  vscode.commands.executeCommand<RestorePreview | undefined>('parley.checkpoints.preview', turn);
const restore = (turn: number, overwrite: string[] = [], text?: string) =>
  vscode.commands.executeCommand<{ kind: string; sentence: string; isDone: boolean; preview?: RestorePreview }>(
    ...(['parley.checkpoints.restore', turn, overwrite, text] as const),
  );
const undoRestore = () => vscode.commands.executeCommand<string | undefined>('parley.checkpoints.undo');
const uriOf = (path: string) => vscode.Uri.file(path).toString();

/** Returns permission bits and bytes, or that the file doesn't exist. */
async function fingerprint(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    return `${(mode & 0o777).toString(8)} ${(await readFile(path)).toString('latin1')}`;
  } catch {
    return 'absent';
  }
}

const all = (paths: readonly string[]) => Promise.all(paths.map(fingerprint));
const times = (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));

/** Returns a file's pending changes and their authors, as the editor shows them. */
async function pending(path: string): Promise<string[]> {
  const found = await lenses(path);
  const keeps = found.filter(({ command }) => command?.command === 'parley.review.keepChange');
  return keeps.map(({ range, command }) => `${range.start.line} ${command?.tooltip ?? ''}`);
}

async function assertAgrees(path: string): Promise<void> {
  const key = uriOf(path);
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
  if (!document) return;
  assert.equal(document.isDirty, false, `${path} has unsaved text`);
  const text = await vscode.workspace.decode(await readFile(path), { encoding: document.encoding });
  assert.equal(document.getText(), text);
}

suite('checkpoints', () => {
  test('restoring and undoing the restore preserve bytes and pending changes', async (context) => {
    const folder = await scratchFolder(context);
    const path = (name: string) => join(folder, name);
    await file(folder, 'crlf.txt', crlf);
    await file(folder, 'bom.txt', `\uFEFF${eight}`);
    await file(folder, 'data.bin', Uint8Array.from([0, 1, 2, 255]));
    await file(folder, 'gone/deep.txt', eight);
    await file(folder, 'tool.sh', '#!/bin/sh\n');
    await chmod(path('tool.sh'), 0o755);
    await file(folder, '.env', 'KEY=1\n');
    await file(folder, 'group.txt', eight);
    for (const name of ['.env', 'group.txt']) await chmod(path(name), 0o600);
    await file(folder, 'untouched.txt', eight);
    const names = [
      'crlf.txt',
      'bom.txt',
      'data.bin',
      'gone/deep.txt',
      'tool.sh',
      'untouched.txt',
      'new/made.txt',
      '.env',
      'group.txt',
    ];
    const paths = names.map(path);
    const session = await newSession(context);
    const first = await all(paths);
    await show(path('crlf.txt'));
    await session.turn(
      { fs: path('crlf.txt'), text: eight.replace('two', 'TWO') },
      { write: path('bom.txt'), text: `\uFEFF${eight.replace('one', 'ONE')}` },
      { script: "chmodSync('tool.sh', 0o644); chmodSync('group.txt', 0o640)", cwd: folder },
      // Written to a new file that replaces the old one, as many tools do.
      {
        script: "writeFileSync('.env.new', 'KEY=2\\n'); chmodSync('.env.new', 0o644); replace('.env.new', '.env')",
        cwd: folder,
      },
    );
    const second = await all(paths);
    assert.ok(second[0]?.includes('TWO\r\n'));
    if (hasModes) {
      assert.notEqual(second[4], first[4]);
      assert.deepEqual(second.slice(-2), ['644 KEY=2\n', `640 ${eight}`]);
    }
    await session.turn(
      { write: path('crlf.txt'), text: crlf.replace('two', 'TWICE').replace('five', 'FIVE') },
      { script: "writeFileSync('data.bin', '\\0\\x07'); rmSync('gone', { recursive: true })", cwd: folder },
      { write: path('new/made.txt'), text: 'made\n' },
    );
    await session.turn(
      { fs: path('crlf.txt'), text: eight.replace('two', 'TWICE').replace('five', 'FIVE').replace('eight', 'EIGHT') },
      { script: "appendFileSync('new/made.txt', 'more\\n')", cwd: folder },
    );
    const shown = await preview(3);
    assert.deepEqual(
      shown?.files.map(({ path: name, action, counts }) => [name.replace(/^files-\w+\//, ''), action, counts]),
      [
        ['crlf.txt', 'write', { added: 3, removed: 3 }],
        ['data.bin', 'write', { added: 0, removed: 0 }],
        ['gone/deep.txt', 'create', { added: 8, removed: 0 }],
        ['new/made.txt', 'delete', { added: 0, removed: 2 }],
      ],
    );
    const last = await all(paths);
    const waiting = await pending(path('crlf.txt'));
    const others = ['bom.txt', 'tool.sh', 'untouched.txt'].map(path);
    const before = await times(others);

    assert.match((await restore(3)).sentence, /^Restored 4 files to before “/);
    assert.deepEqual(await all(paths), second);
    assert.deepEqual(await times(others), before);
    await assertAgrees(path('crlf.txt'));
    const rest = await pending(path('crlf.txt'));
    assert.ok(rest.length > 0 && rest.length < waiting.length, `of ${waiting.join()} is left ${rest.join()}`);
    assert.ok(rest.every((lens) => waiting.includes(lens)));

    assert.equal(await undoRestore(), 'Undid the restore of 4 files');
    assert.deepEqual(await all(paths), last);
    assert.deepEqual(await times(others), before);
    assert.deepEqual(await pending(path('crlf.txt')), waiting);
    await assertAgrees(path('crlf.txt'));

    assert.match((await restore(2)).sentence, hasModes ? /^Restored 8 files/ : /^Restored 6 files/);
    assert.deepEqual(await all(paths), first);
    for (const name of ['crlf.txt', 'bom.txt']) {
      assert.deepEqual(await pending(path(name)), []);
      await assertAgrees(path(name));
    }
    await undoRestore();
    assert.deepEqual(await all(paths), last);
    assert.equal(await undoRestore(), undefined);
  }, 60_000);

  test("the user's later changes are kept unless they agree to overwrite them", async (context) => {
    const folder = await scratchFolder(context);
    const mine = await file(folder, 'mine.txt', eight);
    const other = await file(folder, 'other.txt', eight);
    const session = await newSession(context);
    await session.turn({ write: mine, text: 'agent\n' }, { write: other, text: 'agent\n' });
    const editor = await show(mine);
    await type(editor, 0, 0, 'typed ');
    await editor.document.save();

    const shown = await preview(2);
    assert.deepEqual(
      shown?.files.map(({ conflict }) => conflict),
      ['editedSince', undefined],
    );
    await restore(2);
    assert.deepEqual([await onDisk(mine), await onDisk(other)], ['typed agent\n', eight]);
    await undoRestore();
    assert.deepEqual([await onDisk(mine), await onDisk(other)], ['typed agent\n', 'agent\n']);

    await preview(2);
    await type(editor, 0, 0, 'more ');
    const answer = await restore(2, [uriOf(mine)]);
    assert.equal(answer.kind, 'look');
    assert.equal(await onDisk(other), 'agent\n');
    assert.equal(editor.document.getText(), 'more typed agent\n');

    // Unsaved text is also replaced, but only as it was shown, and the undo restores it.
    await restore(2, [uriOf(mine)]);
    assert.deepEqual([await onDisk(mine), await onDisk(other)], [eight, eight]);
    await assertAgrees(mine);
    await undoRestore();
    assert.deepEqual([await onDisk(mine), await onDisk(other)], ['more typed agent\n', 'agent\n']);
    await assertAgrees(mine);
  });

  test('restoring under unsaved text leaves no conflict in the editor', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const session = await newSession(context);
    await session.turn({ write: path, text: 'agent\n' });
    const editor = await show(path);
    await type(editor, 0, 0, 'unsaved ');
    await session.turn({ write: path, text: 'agent once more, longer\n' });
    const [shown] = (await preview(2))?.files ?? [];
    assert.equal(shown?.conflict, 'editedSince');
    assert.equal((await restore(2, [uriOf(path)])).isDone, true);
    assert.equal(await onDisk(path), eight);
    await assertAgrees(path);
    await type(editor, 0, 0, 'still ');
    assert.equal(await editor.document.save(), true);
    assert.equal(await onDisk(path), `still ${eight}`);
  });

  test('restores text that was unsaved when the turn began', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const editor = await show(path);
    const session = await newSession(context);
    await type(editor, 7, 0, 'unsaved ');
    await session.turn({ fs: path, text: eight.replace('one', 'ONE') });
    assert.equal(await onDisk(path), eight.replace('one', 'ONE').replace('eight', 'unsaved eight'));
    await restore(2);
    assert.equal(await onDisk(path), eight.replace('eight', 'unsaved eight'));
  });

  test('restores a file outside the workspace', async (context) => {
    await setting(context, 'parley.files.outsideWorkspace', 'allow');
    const path = await file(await outsideFolder(context), 'far.txt', eight);
    const session = await newSession(context);
    await session.turn({ fs: path, text: 'agent\n' });
    assert.equal(await onDisk(path), 'agent\n');
    await restore(2);
    assert.equal(await onDisk(path), eight);
    await undoRestore();
    assert.equal(await onDisk(path), 'agent\n');
  });

  test('restores a file in place of a link without writing through it', async (context) => {
    needsLinks(context);
    const folder = await scratchFolder(context);
    const target = await file(await outsideFolder(context), 'secret.txt', 'secret\n');
    const [a, b] = [await file(folder, 'a.txt', eight), await file(folder, 'b.txt', eight)];
    const session = await newSession(context);
    // The agent replaces one file and another program replaces the other, which is open with unsaved text.
    const script = `rmSync('a.txt'); symlinkSync(${JSON.stringify(target)}, 'a.txt')`;
    await session.turn({ script, cwd: folder }, { write: b, text: 'agent\n' });
    const editor = await show(b);
    await type(editor, 0, 0, 'unsaved ');
    await rm(b);
    await symlink(target, b);
    const shown = await preview(2);
    assert.deepEqual(
      shown?.files.map(({ action }) => action),
      ['write', 'write'],
    );
    assert.equal((await restore(2, [uriOf(b)])).isDone, true);
    assert.deepEqual([await onDisk(a), await onDisk(b), await onDisk(target)], [eight, eight, 'secret\n']);
    assert.ok((await lstat(a)).isFile() && (await lstat(b)).isFile());
    await undoRestore();
    assert.deepEqual([await readlink(a), await readlink(b), await onDisk(target)], [target, target, 'secret\n']);
  });

  test('a folder that now links outside the workspace stops the restore', async (context) => {
    needsLinks(context);
    const folder = await scratchFolder(context);
    const outside = await outsideFolder(context);
    const far = await file(outside, 'a.txt', 'secret\n');
    const near = await file(folder, 'sub/a.txt', eight);
    const session = await newSession(context);
    await session.turn({ write: near, text: 'agent\n' });
    await afterTheTurn();
    await rm(join(folder, 'sub'), { recursive: true });
    await symlink(outside, join(folder, 'sub'));
    const shown = await preview(2);
    assert.deepEqual(
      shown?.files.map(({ uri }) => uri),
      [uriOf(near)],
    );
    const answer = await restore(2, [uriOf(near)]);
    assert.equal(answer.isDone, false);
    assert.equal(await onDisk(far), 'secret\n');
    await rm(join(folder, 'sub'));
    await preview(2);
    assert.equal((await restore(2, [uriOf(near)])).isDone, true);
    assert.equal(await onDisk(near), eight);
  });

  test('restores files that control programs only after showing them as such', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, '.vscode/tasks.json', '{}\n');
    const session = await newSession(context);
    await session.turn({ write: path, text: '{ "version": "2.0.0" }\n' });
    const answer = await restore(2);
    assert.equal(answer.kind, 'look');
    assert.equal(answer.preview?.files[0]?.isGuarded, true);
    assert.equal((await restore(2)).isDone, true);
    assert.equal(await onDisk(path), '{}\n');
  });

  test('a file that cannot be written stops the restore, which is undoable', async (context) => {
    const folder = await scratchFolder(context);
    const [a, b, c] = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => file(folder, name, eight)));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const session = await newSession(context);
    await session.turn({ write: a, text: 'agent\n' }, { remove: b }, { write: c, text: 'agent\n' });
    await afterTheTurn();
    // Permission bits don't stop a test that runs as root, so a folder takes the file's place.
    await mkdir(b);
    await writeFile(join(b, 'inside.txt'), 'user\n');
    const answer = await restore(2);
    assert.equal(answer.isDone, false);
    assert.match(answer.sentence, /^Restored 1 of 3 files/);
    assert.deepEqual([await onDisk(a), await onDisk(c)], [eight, 'agent\n']);
    assert.equal(await onDisk(join(b, 'inside.txt')), 'user\n');
    await undoRestore();
    assert.equal(await onDisk(a), 'agent\n');
    await rm(b, { recursive: true });
    assert.equal((await restore(2)).isDone, true);
    assert.deepEqual(await Promise.all([a, b, c].map(onDisk)), [eight, eight, eight]);
  });

  test('an edited message goes to a new session after files are restored', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const session = await newSession(context);
    await session.turn({ write: path, text: 'agent\n' });
    context.after(() => vscode.commands.executeCommand('parley.closeSession'));
    const heard = join(folder, 'heard.txt');
    const next = JSON.stringify([{ script: "copyFileSync('a.txt', 'heard.txt')", cwd: folder }]);
    assert.equal((await restore(2, [], next)).kind, 'over');
    const deadline = Date.now() + 60_000;
    await until(async () => {
      const found = await onDisk(heard).catch(() => 'nothing');
      assert.ok(found === eight || Date.now() < deadline, `heard ${found}`);
      return found === eight;
    });
    assert.equal(await onDisk(path), eight);
  });
});
