import assert from 'node:assert/strict';
import { chmod, lstat, readlink, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { bytes, mode, undoneTo, until } from '../reviewFiles';
import { base, changes, eight, git, newAgent, undo, lenses } from '../reviewSupport';
import { needsGit, needsLinks, needsModes } from '../platform';
import { holdWatcher } from '../watcher';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const lines = 'one\r\ntwo\r\nthree\r\n';

/** Files before and after an agent's turn. Null if the file doesn't exist. */
const texts: Readonly<Record<string, readonly [before: Buffer | null, after: Buffer | null]>> = {
  'crlf.txt': [Buffer.from(lines), Buffer.from(lines.replace('two', 'TWO'))],
  'crlfToLf.txt': [Buffer.from(lines), Buffer.from(lines.replaceAll('\r', ''))],
  'mixed.txt': [Buffer.from('one\r\ntwo\nthree\r\n'), Buffer.from('one\r\nTWO\nthree\r\n')],
  'bom.txt': [Buffer.from(`\ufeffone\ntwo\n`), Buffer.from('one\nTWO\n')],
  'utf16le.txt': [utf16('one\ntwo\n'), utf16('one\nTWO\n')],
  'utf16be.txt': [utf16('one\ntwo\n').swap16(), Buffer.from('one\nTWO\n')],
  'latin1.txt': [Buffer.from('caf\xe9\ntwo\n', 'latin1'), Buffer.from('caf\ufffd\nTWO\n')],
  'noEnd.txt': [Buffer.from('one\ntwo'), Buffer.from('one\ntwo\n')],
  'end.txt': [Buffer.from('one\ntwo\n'), Buffer.from('one\ntwo')],
  'filled.txt': [Buffer.from(''), Buffer.from('one\n')],
  'emptied.txt': [Buffer.from('one\n'), Buffer.from('')],
  'unmarked.txt': [Buffer.from(`\ufeffone\n`), Buffer.from('one\n')],
  'marked.txt': [Buffer.from('one\n'), Buffer.from(`\ufeffone\n`)],
  'toUtf16.txt': [Buffer.from('one\n'), utf16('one\n')],
};
/** In these files, the byte order mark changes along with the text. */
const twice = ['bom.txt', 'utf16be.txt'];
const others: typeof texts = {
  'created.txt': [null, Buffer.from('new\n')],
  'empty.txt': [null, Buffer.from('')],
  'gone.txt': [Buffer.from(`\ufeffone\r\ntwo`), null],
  'binary.bin': [Buffer.from([1, 0, 2, 255]), Buffer.from([1, 0, 3, 255])],
  'toText.bin': [Buffer.from([1, 0, 2]), Buffer.from('text\n')],
  'toBinary.txt': [Buffer.from('text\r\n'), Buffer.from([1, 0, 2])],
  'goneBinary.bin': [Buffer.from([9, 0, 8]), null],
  'newBinary.bin': [null, Buffer.from([7, 0, 7])],
};

/** Creates files and returns the agent's step that changes them. */
async function layOut(folder: string, elsewhere: string, kinds: typeof texts) {
  const before: Record<string, Buffer | null> = {};
  const commands: string[] = [];
  for (const [name, [first, second]] of Object.entries(kinds)) {
    const path = join(folder, name);
    before[path] = first;
    if (first) await file(folder, name, first);
    if (second)
      commands.push(`writeFileSync('${name}', readFileSync(${JSON.stringify(await file(elsewhere, name, second))}))`);
    else commands.push(`rmSync('${name}')`);
  }
  return { before, step: { script: commands.join('; '), cwd: folder } };
}

const titles = async (path: string) => (await lenses(path)).map(({ command }) => command?.title);

suite('every kind of file is reviewed', () => {
  for (const isRepository of [false, true]) {
    const where = isRepository ? 'in a repository' : 'outside a repository';
    test(`undoing everything restores the first bytes of closed files, ${where}`, async (context) => {
      if (isRepository) needsGit(context);
      const folder = await scratchFolder(context);
      const { before, step } = await layOut(folder, await outsideFolder(context), { ...texts, ...others });
      if (isRepository) {
        git(folder, 'init', '-q');
        git(folder, 'add', '.');
        git(folder, 'commit', '-qm', 'one');
      }
      await (await newAgent(context)).turn(step);
      await until(
        async () => (await bytes(join(folder, 'newBinary.bin'))) !== null,
        () => 'the agent did nothing',
      );
      await undoneTo(before);
    });
  }

  test('open files also get their first bytes and show them', async (context) => {
    const folder = await scratchFolder(context);
    const { before, step } = await layOut(folder, await outsideFolder(context), texts);
    const agent = await newAgent(context);
    const shown = new Map<vscode.TextDocument, string>();
    for (const path of Object.keys(before)) {
      const document = await vscode.workspace.openTextDocument(path);
      shown.set(document, document.getText());
    }
    await agent.turn(step);
    for (const path of Object.keys(before)) await changes(path, twice.includes(basename(path)) ? 2 : 1);
    await vscode.commands.executeCommand('parley.review.undoAll');
    for (const [path, first] of Object.entries(before)) {
      assert.deepEqual(await bytes(path), first, path);
      await changes(path, 0);
    }
    for (const [document, text] of shown) {
      await until(
        () => document.getText() === text && !document.isDirty,
        () => `${document.fileName} shows ${JSON.stringify(document.getText())}`,
      );
    }
  });

  test('undoing changes one at a time preserves the line breaks', async (context) => {
    const first = 'one\r\ntwo\nthree\r\nfour\nfive\r\n';
    const path = await file(await scratchFolder(context), 'mixed.txt', first);
    const agent = await newAgent(context);
    await agent.turn({ write: path, text: first.replace('two', 'TWO').replace('four', 'FOUR') });
    const [change] = await changes(path, 2);
    assert.ok(change);
    await undo(change);
    const [left] = await changes(path, 1);
    assert.ok(left);
    await undo(left);
    assert.equal(await onDisk(path), first);
    await changes(path, 0);
  });

  test('windows-1252 stays windows-1252', async (context) => {
    await setting(context, 'files.encoding', 'windows1252');
    const folder = await scratchFolder(context);
    const first = Buffer.from('caf\xe9\ntwo\nthree\nfour\n', 'latin1');
    const path = await file(folder, 'a.txt', first);
    const agent = await newAgent(context);
    await agent.turn(...['two', 'four'].map((from) => ({ edit: path, from, to: from.toUpperCase() })));
    const [change] = await changes(path, 2);
    assert.ok(change);
    assert.equal(await base(path), 'café\ntwo\nthree\nfour\n');
    await undo(change);
    assert.deepEqual(await bytes(path), Buffer.from('caf\xe9\ntwo\nthree\nFOUR\n', 'latin1'));
    await undoneTo({ [path]: first });
  });

  test('an undo removes the executable bit and keeps the other bits', async (context) => {
    needsModes(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'run.sh', 'echo\n');
    await chmod(path, 0o640);
    const agent = await newAgent(context);
    await agent.turn({ script: "chmodSync('run.sh', 0o750)", cwd: folder });
    await until(
      async () => (await mode(path)) === 0o750,
      () => 'the agent did nothing',
    );
    const [change] = await changes(path, 1);
    assert.ok(change);
    assert.ok((await titles(path)).includes('Made executable'));
    await undo(change);
    assert.equal(await mode(path), 0o640);
    assert.deepEqual(await changes(path, 0), []);
  });

  test('a byte order mark alone is a change with its own undo', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', `\ufeff${eight}`);
    const agent = await newAgent(context);
    const editor = await show(path);
    await agent.turn({ edit: path, from: '\xEF\xBB\xBF', to: '' }, { edit: path, from: 'four', to: 'FOUR' });
    const [mark, line] = await changes(path, 2);
    assert.ok(mark && line);
    assert.deepEqual([mark.line, line.line], [0, 3]);
    assert.ok((await titles(path)).includes('Byte order mark removed (UTF-8)'));
    await undo(line);
    assert.equal(await onDisk(path), eight);
    await type(editor, 0, 0, 'typed ');
    await undo(mark);
    assert.equal(editor.document.isDirty, true);
    await changes(path, 1);
    assert.ok(await editor.document.save());
    await undo(mark);
    assert.equal(await onDisk(path), `\ufefftyped ${eight}`);
    await changes(path, 0);
  });

  test('restores links and files replaced by links, and removes new links', async (context) => {
    needsLinks(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const target = await file(folder, 'target.txt', 'target\n');
    const link = join(folder, 'link');
    await symlink(path, link);
    const agent = await newAgent(context);
    const script = `const target = ${JSON.stringify(target)}; rmSync('link'); symlinkSync(target, 'link');
      symlinkSync('x', 'link2'); rmSync('a.txt'); symlinkSync(target, 'a.txt');`;
    await agent.turn({ script, cwd: folder });
    await until(
      // For a moment, there is neither.
      async () => (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true,
      () => 'the agent did nothing',
    );
    await undoneTo({ [path]: eight, [target]: 'target\n' });
    assert.equal((await lstat(path)).isSymbolicLink(), false);
    assert.equal(await readlink(link), path);
    await assert.rejects(lstat(`${link}2`), { code: 'ENOENT' });
  });

  test('a write under unsaved text is reviewed once that text is discarded', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    const editor = await show(path);
    await type(editor, 6, 5, ' typed');
    await agent.turn({ write: path, text: eight.replace('two', 'TWO') });
    await until(
      async () => (await onDisk(path)).includes('TWO'),
      () => 'the agent did nothing',
    );
    assert.match(editor.document.getText(), /seven typed/);
    assert.equal((await changes(path, 0)).length, 0);
    await show(path);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const [change] = await changes(path, 1);
    assert.ok(change);
    assert.equal(change.line, 1);
    await undo(change);
    assert.equal(await onDisk(path), eight);
  });

  test('undoes a write that auto save met and keeps unsaved text', async (context) => {
    await setting(context, 'files.autoSaveDelay', 1000);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'a.txt', eight);
    const go = join(folder, 'go');
    const editor = await show(path);
    const agent = await newAgent(context);
    await agent.turn({ awaits: go }, { write: path, text: eight.replace('two', 'two, longer') });
    await type(editor, 6, 5, ' typed');
    await writeFile(go, '');
    await until(
      async () => (await onDisk(path)).includes('longer'),
      () => 'the agent did nothing',
    );
    // Before the write, it would save the user's text first.
    await setting(context, 'files.autoSave', 'afterDelay');
    // Once the file is as the editor knows it, the editor may have saved what was typed, too.
    const undone = [eight, eight.replace('seven', 'seven typed')];
    await until(
      async () => {
        await vscode.commands.executeCommand('parley.review.undoAll');
        return undone.includes(await onDisk(path));
      },
      async () => `not undone: ${await onDisk(path)}`,
    );
    assert.match(editor.document.getText(), /seven typed/);
    assert.doesNotMatch(editor.document.getText(), /longer/);
    // The file is as the editor knows it again.
    await until(
      async () => (await editor.document.save()) && (await onDisk(path)) === eight.replace('seven', 'seven typed'),
      async () => `not saved: ${await onDisk(path)}`,
    );
  });

  test('an undo saves over a newer file if its content is known', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const written = eight.replace('two', 'TWO').replace('six', 'SIX');
    const { document } = await show(path);
    await (await newAgent(context)).turn({ write: path, text: written });
    const [two, six] = await changes(path, 2);
    assert.ok(two && six);
    const letGo = await holdWatcher(context);
    // Different line breaks change the size, but not the text.
    await writeFile(path, written.replaceAll('\n', '\r\n'));
    await undo(two);
    assert.equal(await onDisk(path), eight.replace('six', 'SIX'));
    assert.equal(document.isDirty, false);
    const unseen = `${eight}and more\n`;
    await writeFile(path, unseen);
    await undo(six);
    assert.equal(document.getText(), eight);
    assert.equal(await onDisk(path), unseen);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    letGo();
  });

  test('restores a deleted file that is open, and shows it', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = await newAgent(context);
    const editor = await show(path);
    await agent.turn({ remove: path });
    await until(
      async () => (await bytes(path)) === null,
      () => 'the agent did nothing',
    );
    await undoneTo({ [path]: eight });
    await until(
      () => editor.document.getText() === eight && !editor.document.isDirty,
      () => JSON.stringify(editor.document.getText()),
    );
    await type(editor, 0, 0, 'still an editor ');
    await editor.document.save();
    assert.equal(await onDisk(path), `still an editor ${eight}`);
  });

  test('ignores an untitled file', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const untitled = await vscode.workspace.openTextDocument({ content: 'mine\n' });
    const agent = await newAgent(context);
    await agent.turn({ write: path, text: eight.replace('two', 'TWO') });
    await changes(path, 1);
    await vscode.commands.executeCommand('parley.review.undoFile', untitled.uri);
    await undoneTo({ [path]: eight });
    assert.equal(untitled.getText(), 'mine\n');
  });
});
