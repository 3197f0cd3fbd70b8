import assert from 'node:assert/strict';
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, newAgent, onDisk, scratchFolder, setting, show, tabs, type } from '../filesSupport';
import { needsLinks } from '../platform';

const eight = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

suite('an agent writes a file the user is editing', () => {
  test('preserves typing, cursor, and selection elsewhere, in one undo step', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = newAgent(context);
    const editor = await show(path);
    assert.equal(await agent.read(path), eight);
    await type(editor, 4, 4, ' typed');
    editor.selections = [new vscode.Selection(5, 1, 5, 3), new vscode.Selection(4, 10, 4, 10)];
    const before = editor.document.getText();

    await agent.write(path, 'zero\none\nTWO\nthree\nfour\nfive\nsix\nseven\nEIGHT!\n');

    const wanted = 'zero\none\nTWO\nthree\nfour\nfive typed\nsix\nseven\nEIGHT!\n';
    assert.equal(editor.document.getText(), wanted);
    assert.equal(await onDisk(path), wanted);
    assert.equal(editor.document.isDirty, false);
    assert.deepEqual(editor.selections.map(spread), [
      [6, 1, 6, 3],
      [5, 10, 5, 10],
    ]);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), before);
    await vscode.commands.executeCommand('redo');
    assert.equal(editor.document.getText(), wanted);
  });

  test('preserves text typed during the write', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = newAgent(context);
    const editor = await show(path);
    const writing = agent.write(path, eight.replace('two', 'TWO'));
    for (let at = 0; at < 5; at++) await editor.edit((edit) => edit.insert(new vscode.Position(6, 0), 'x'));
    await writing;
    assert.equal(editor.document.getText(), eight.replace('two', 'TWO').replace('seven', 'xxxxxseven'));
    await editor.document.save();
    assert.equal(await onDisk(path), editor.document.getText());
  });

  test('without a read, treats the disk as known and preserves unsaved text', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const editor = await show(path);
    await type(editor, 6, 0, 'typed ');
    await newAgent(context).write(path, eight.replace('two\n', ''));
    assert.equal(await onDisk(path), eight.replace('two\n', '').replace('seven', 'typed seven'));
    assert.equal(editor.document.getText(), await onDisk(path));
  });

  test('writes the same document through a link', async (context) => {
    needsLinks(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'real.txt', eight);
    await symlink(path, join(folder, 'link.txt'));
    const editor = await show(path);
    await newAgent(context).write(join(folder, 'link.txt'), 'new\n');
    assert.equal(editor.document.getText(), 'new\n');
    assert.equal(await onDisk(path), 'new\n');
    assert.deepEqual(tabs(), ['real.txt']);
  });

  test('recreates a file that was deleted behind an open document', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'old\n');
    const editor = await show(path);
    await rm(path);
    await newAgent(context).write(path, 'new\n');
    assert.equal(await onDisk(path), 'new\n');
    assert.equal(editor.document.getText(), 'new\n');
  });

  test('preserves a change that was just made on disk', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = newAgent(context);
    const editor = await show(path);
    await agent.read(path);
    await writeFile(path, eight.replace('seven', 'SEVEN'));
    await agent.write(path, eight.replace('two', 'TWO'));
    const wanted = eight.replace('two', 'TWO').replace('seven', 'SEVEN');
    assert.equal(await onDisk(path), wanted);
    assert.equal(editor.document.getText(), wanted);
    assert.equal(editor.document.isDirty, false);
  });

  test('restores the text it read after a command changed it on disk', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = newAgent(context);
    const editor = await show(path);
    await agent.read(path);
    await writeFile(path, eight.replace('seven', 'SEVEN'));
    await agent.write(path, eight);
    assert.equal(await onDisk(path), eight);
    assert.equal(editor.document.getText(), eight);
  });

  test('fails without loss if unsaved text and disk differ', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const agent = newAgent(context);
    const editor = await show(path);
    await agent.read(path);
    await type(editor, 6, 0, 'typed ');
    await writeFile(path, 'by another program, in the meantime\n');
    await assert.rejects(agent.write(path, eight.replace('two', 'TWO')), {
      code: -32603,
      message: /couldn't be saved/,
    });
    assert.equal(await onDisk(path), 'by another program, in the meantime\n');
    assert.equal(editor.document.getText(), eight.replace('two', 'TWO').replace('seven', 'typed seven'));
  });
});

suite('an agent writes a file that is not shown', () => {
  test('opens no editor and keeps the focus', async (context) => {
    const folder = await scratchFolder(context);
    const editor = await show(await file(folder, 'mine.txt', 'mine\n'));
    const path = await file(folder, 'other.txt', eight);
    await newAgent(context).write(path, 'new\n');
    assert.equal(await onDisk(path), 'new\n');
    assert.deepEqual(tabs(), ['mine.txt']);
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.ok(!vscode.workspace.textDocuments.some((document) => document.isDirty));
  });

  test('can be undone after opening the file', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    await newAgent(context).write(path, 'new\n');
    const editor = await show(path);
    assert.equal(editor.document.getText(), 'new\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), eight);
  });

  test('does not touch the file if its text is the same', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', eight);
    const before = await stat(path);
    await newAgent(context).write(path, eight);
    assert.equal((await stat(path)).mtimeMs, before.mtimeMs);
  });

  test('succeeds while the agent writes the file to disk itself', async (context) => {
    const folder = await scratchFolder(context);
    const agent = newAgent(context);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      const path = await file(folder, name, eight);
      await show(path);
      const writing = agent.write(path, 'new\n');
      await writeFile(path, 'new\n');
      await writing;
      assert.equal(await onDisk(path), 'new\n');
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'new\n');
      assert.equal(vscode.window.activeTextEditor.document.isDirty, false);
    }
  });

  test('creates a new file with its byte order mark, where possible', async (context) => {
    const folder = await scratchFolder(context);
    const agent = newAgent(context);
    const path = join(folder, 'bom.txt');
    await agent.write(path, '\uFEFFa');
    assert.equal(await onDisk(path), '\uFEFFa');
    assert.deepEqual(tabs(), []);
    await assert.rejects(agent.write(join(path, 'below.txt'), 'x'), { code: -32603 });
    await assert.rejects(agent.write(folder, 'x'), { code: -32603, message: /is a directory/ });
  });

  test('writes 100,000 lines in a second or two', async (context) => {
    const text = Array.from({ length: 100_000 }, (_, at) => `line ${at} of a long file\n`).join('');
    const path = await file(await scratchFolder(context), 'long.txt', text);
    const agent = newAgent(context);
    await agent.read(path);
    const wanted = text.replace('line 77 of', 'line seventy-seven of').replace('line 99999 of', 'the last of');
    const start = process.cpuUsage();
    await agent.write(path, wanted);
    // Of the extension host's own time: others may keep the processors busy.
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 10_000_000);
    assert.equal(await onDisk(path), wanted);
  });

  test('writes nothing if the request was cancelled', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'old\n');
    const agent = newAgent(context);
    const abort = new AbortController();
    const first = agent.write(path, 'first\n');
    const second = agent.write(path, 'second\n', abort.signal);
    abort.abort();
    await assert.rejects(second, { code: -32800 });
    await first;
    assert.equal(await onDisk(path), 'first\n');
  });
});

suite('writing preserves encoding and line breaks', () => {
  const cases: [string, (text: string) => Buffer, string?][] = [
    ['LF', (text) => Buffer.from(text)],
    ['CRLF', (text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with its mark', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Latin-1', (text) => Buffer.from(text, 'latin1'), 'iso88591'],
    ['no final line break', (text) => Buffer.from(text.trimEnd())],
  ];
  for (const [name, encode, encoding] of cases) {
    test(`${name}, byte for byte`, async (context) => {
      if (encoding !== undefined) await setting(context, 'files.encoding', encoding);
      const path = await file(await scratchFolder(context), 'a.txt', encode('Zürich\nöst\nBern\n'));
      const agent = newAgent(context);
      const read = await agent.read(path);
      await agent.write(path, read.replace('öst', 'wést'));
      assert.deepEqual(await readFile(path), encode('Zürich\nwést\nBern\n'));
      // Agents that ignore line breaks send plain ones.
      await agent.write(path, read.replace('öst', 'süd').replaceAll('\r\n', '\n'));
      assert.deepEqual(await readFile(path), encode('Zürich\nsüd\nBern\n'));
    });
  }

  test('refuses text that the encoding cannot represent and loses nothing', async (context) => {
    await setting(context, 'files.encoding', 'iso88591');
    const bytes = Buffer.from('Zürich\n', 'latin1');
    const path = await file(await scratchFolder(context), 'a.txt', bytes);
    await assert.rejects(newAgent(context).write(path, 'Zürich 5 €\n'), { code: -32603, message: /can.t represent/ });
    assert.deepEqual(await readFile(path), bytes);
  });

  test('does not damage a file that is invalid in its encoding', async (context) => {
    const bytes = Buffer.from('Zürich\nBern\n', 'latin1');
    const path = await file(await scratchFolder(context), 'a.txt', bytes);
    const agent = newAgent(context);
    await assert.rejects(agent.write(path, 'Z\uFFFDrich\nBasel\n'), { code: -32603, message: /isn.t valid utf8/ });
    assert.deepEqual(await readFile(path), bytes);
  });

  test("runs the user's save participants and reads their result next", async (context) => {
    await setting(context, 'files.insertFinalNewline', true);
    await setting(context, 'files.trimTrailingWhitespace', true);
    const path = await file(await scratchFolder(context), 'a.txt', 'a\nb\n');
    const agent = newAgent(context);
    await agent.read(path);
    await agent.write(path, 'a  \nB');
    assert.equal(await onDisk(path), 'a\nB\n');
    assert.equal(await agent.read(path), 'a\nB\n');
    const document = vscode.workspace.textDocuments.find((open) => open.uri.fsPath === path);
    assert.equal(document?.getText(), 'a\nB\n');
    assert.equal(document.isDirty, false);
  });
});

function spread(selection: vscode.Selection): number[] {
  const { start, end } = selection;
  return [start.line, start.character, end.line, end.character];
}
