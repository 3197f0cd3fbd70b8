import assert from 'node:assert/strict';
import { rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, newAgent, outsideFolder, scratchFolder, setting, show, type } from '../filesSupport';
import { needsLinks } from '../platform';

suite('an agent reads a file', () => {
  test('without its byte order mark, decoded by the mark or settings', async (context) => {
    const folder = await scratchFolder(context);
    const agent = newAgent(context);
    assert.equal(await agent.read(await file(folder, 'bom.txt', '\uFEFFgrün\n')), 'grün\n');
    const utf16 = Buffer.from('\uFEFFgrün\n', 'utf16le');
    assert.equal(await agent.read(await file(folder, 'utf16.txt', utf16)), 'grün\n');
    const latin1 = Buffer.from('grün\n', 'latin1');
    const encodings = vscode.workspace.getConfiguration('files', { languageId: 'ini' });
    await encodings.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global, true);
    context.after(() => encodings.update('encoding', undefined, vscode.ConfigurationTarget.Global, true));
    assert.equal(await agent.read(await file(folder, 'latin1.ini', latin1)), 'grün\n');
  });

  test('without opening it in the editor', async (context) => {
    const path = await file(await scratchFolder(context), 'big.ts', 'const a = 1;\n'.repeat(300_000));
    assert.equal((await newAgent(context).read(path)).length, 13 * 300_000);
    assert.ok(!vscode.workspace.textDocuments.some((document) => document.uri.fsPath === path));
  });

  test('as it is on disk, even before the open document is updated', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'old\n');
    await show(path);
    await writeFile(path, 'new\n');
    assert.equal(await newAgent(context).read(path), 'new\n');
  });

  test('through a link, and gets the unsaved document', async (context) => {
    needsLinks(context);
    const folder = await scratchFolder(context);
    const path = await file(folder, 'real.txt', 'one\n');
    await symlink(path, join(folder, 'link.txt'));
    await type(await show(path), 0, 0, 'typed ');
    assert.equal(await newAgent(context).read(join(folder, 'link.txt')), 'typed one\n');
  });

  test('that is still untitled', async (context) => {
    const path = join(await scratchFolder(context), 'new.txt');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path).with({ scheme: 'untitled' }));
    await type(await vscode.window.showTextDocument(document), 0, 0, 'not saved');
    const agent = newAgent(context);
    assert.equal(await agent.read(path), 'not saved');
    await assert.rejects(agent.write(path, 'x'), { code: -32603, message: /never been saved/ });
  });
});

suite('an agent cannot read', () => {
  test('a missing file, or one deleted behind an open document', async (context) => {
    const folder = await scratchFolder(context);
    const agent = newAgent(context);
    const missing = join(folder, 'missing.txt');
    await assert.rejects(agent.read(missing), { code: -32002, data: { path: missing } });
    const path = await file(folder, 'a.txt', 'one\n');
    await show(path);
    await rm(path);
    await assert.rejects(agent.read(path), { code: -32002 });
    await assert.rejects(agent.read(join(await file(folder, 'b.txt', ''), 'below')), { code: -32002 });
  });

  test('text invalid in its encoding, unless the editor detects another one', async (context) => {
    const folder = await scratchFolder(context);
    const latin = await file(folder, 'a.txt', Buffer.from('un café crème à la carte, déjà vu, garçon\n', 'latin1'));
    const agent = newAgent(context);
    await assert.rejects(agent.read(latin), { code: -32603, message: /isn't valid utf8, .*encoding/ });
    const real = await file(folder, 'b.txt', 'a replacement character: \uFFFD\n');
    assert.equal(await agent.read(real), 'a replacement character: \uFFFD\n');
    const marked = await file(folder, 'c.txt', Buffer.from('\uFEFF\uFFFD\n', 'utf16le'));
    assert.equal(await agent.read(marked), '\uFFFD\n');
    await setting(context, 'files.encoding', 'iso88591');
    assert.match(await agent.read(latin), /^un café crème/);
    await setting(context, 'files.encoding', undefined);
    await setting(context, 'files.autoGuessEncoding', true);
    assert.match(await agent.read(latin), /^un café crème/);
  });

  test('a file of more than 50 MB', async (context) => {
    const path = await file(await scratchFolder(context), 'huge.txt', Buffer.alloc(51 * 1024 * 1024, 'x'));
    await assert.rejects(newAgent(context).read(path), { code: -32603, message: /51 MB, and the limit is 50 MB/ });
  });

  test('a notebook with unsaved changes', async (context) => {
    const folder = await scratchFolder(context);
    const cells = [{ cell_type: 'code', source: ['1'], metadata: {}, outputs: [], execution_count: null }];
    const text = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1);
    const path = await file(folder, 'a.ipynb', text);
    const agent = newAgent(context);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook);
    assert.equal(await agent.read(path), text);
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(notebook.isDirty);
    await assert.rejects(agent.read(path), { code: -32603, message: /notebook with unsaved changes/ });
    await assert.rejects(agent.write(path, '{}'), { code: -32603, message: /notebook with unsaved changes/ });
    await notebook.save();
    await agent.write(path, text);
    assert.equal(await agent.read(path), text);
  });
});

suite('a guarded place', () => {
  test('is written only after a question that shows the reason', async (context) => {
    const folder = await scratchFolder(context);
    const path = await file(folder, '.vscode/settings.json', '{}\n');
    const agent = newAgent(context, 'allow', 'reject', 'allow_once');
    const settings = '{ "parley.permissions": {} }\n';
    await assert.rejects(agent.write(path, settings), { code: -32603, message: /always needs the user's permission/ });
    assert.equal(await agent.read(path), '{}\n');
    await agent.write(path, settings);
    assert.equal(await agent.read(path), settings);
    const [asked] = agent.asked;
    assert.match(JSON.stringify(asked?.content[0]), /what agents are allowed to do/);
    assert.deepEqual(asked?.content[1], { type: 'diff', path, oldText: '{}\n', newText: settings });
    assert.equal(agent.asked.length, 2);
  });
});

suite('outside the workspace', () => {
  test('reading asks first, except for a missing file', async (context) => {
    const folder = await outsideFolder(context);
    const path = await file(folder, 'a.txt', 'secret\n');
    const agent = newAgent(context, 'ask', 'reject', 'allow_once');
    await assert.rejects(agent.read(path), { code: -32603, message: /denied permission to read/ });
    assert.equal(await agent.read(path), 'secret\n');
    await assert.rejects(agent.read(join(folder, 'missing')), { code: -32002 });
    assert.equal(agent.asked.length, 2);
  });

  test('no file is opened before the user answers', async (context) => {
    const path = await file(await outsideFolder(context), 'a.txt', 'secret\n');
    await utimes(path, 1, new Date());
    const agent = newAgent(context, 'ask', 'reject', 'reject');
    await assert.rejects(agent.read(path), { code: -32603 });
    await assert.rejects(agent.write(path, 'new\n'), { code: -32603 });
    assert.equal((await stat(path)).atimeMs, 1000);
    assert.ok(!JSON.stringify(agent.asked).includes('secret'));
  });

  test('writing asks with the new text, or once for the session', async (context) => {
    const folder = await outsideFolder(context);
    const path = await file(folder, 'a.txt', 'old\n');
    const agent = newAgent(context, 'ask', 'reject', 'allow_file');
    await assert.rejects(agent.write(path, 'new\n'), { code: -32603, message: /denied permission to write/ });
    assert.deepEqual(agent.asked[0]?.content.slice(1), [{ type: 'diff', path, newText: 'new\n' }]);
    assert.match(JSON.stringify(agent.asked[0].content[0]), /Replaces the content of this file/);
    assert.equal(await newAgent(context, 'allow').read(path), 'old\n');
    await agent.write(path, 'new\n');
    await agent.write(path, 'newer\n');
    assert.equal(agent.asked.length, 2);
    assert.equal(await newAgent(context, 'allow').read(path), 'newer\n');
  });

  test('a file open in the editor is shown as a diff', async (context) => {
    const path = await file(await outsideFolder(context), 'a.txt', 'old\n');
    await show(path);
    context.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    const agent = newAgent(context, 'ask', 'reject');
    await assert.rejects(agent.write(path, 'new\n'), { code: -32603 });
    assert.deepEqual(agent.asked[0]?.content, [{ type: 'diff', path, oldText: 'old\n', newText: 'new\n' }]);
  });

  test('a link inside the workspace to a file outside counts as outside', async (context) => {
    needsLinks(context);
    const path = await file(await outsideFolder(context), 'a.txt', 'secret\n');
    const link = join(await scratchFolder(context), 'link.txt');
    await symlink(path, link);
    const agent = newAgent(context, 'ask', 'reject');
    await assert.rejects(agent.read(link), { code: -32603 });
    assert.ok(agent.asked[0]?.title.includes(path));
    await assert.rejects(newAgent(context, 'deny').write(link, 'x'), {
      code: -32603,
      message: /settings deny access/,
    });
  });
});
