import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Contract, ContractContext, Ground } from './contract';

/** Documents: what they hold, and what is told when they, or their files, change. */
export const documentContract: Contract = ({ suite, test }, ground) => {
  suite('documents', () => {
    test('have their file’s text, and are the same when opened again', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\ntwo\n');
      const document = await vscode.workspace.openTextDocument(uri);
      assert.deepEqual([document.getText(), document.lineCount, document.isDirty], ['one\ntwo\n', 3, false]);
      assert.deepEqual([document.lineAt(1).text, document.eol], ['two', vscode.EndOfLine.LF]);
      assert.equal(await vscode.workspace.openTextDocument(uri), document);
      assert.ok(vscode.workspace.textDocuments.includes(document));
      assert.throws(() => document.lineAt(3));
    });

    test('can’t be opened without a file', async (context) => {
      const folder = await ground.folder(context);
      await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, 'no.txt')))));
    });

    test('keep the line breaks of their file', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\r\ntwo\r\n');
      const document = await vscode.workspace.openTextDocument(uri);
      assert.equal(document.eol, vscode.EndOfLine.CRLF);
      await change(document, new vscode.Range(1, 0, 1, 0), 'new\nlines\n');
      assert.equal(document.getText(), 'one\r\nnew\r\nlines\r\ntwo\r\n');
      assert.ok(await document.save());
      assert.equal(await readFile(uri.fsPath, 'utf8'), 'one\r\nnew\r\nlines\r\ntwo\r\n');
    });

    test('are unsaved after an edit, and saved when they were written', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\n');
      const document = await vscode.workspace.openTextDocument(uri);
      const heard: string[] = [];
      listen(context, vscode.workspace.onDidChangeTextDocument, ({ document: changed, contentChanges }) => {
        if (changed === document && contentChanges.length > 0) heard.push(`changed ${changed.getText().trim()}`);
      });
      listen(context, vscode.workspace.onDidSaveTextDocument, (saved) => {
        if (saved === document) heard.push(`saved ${saved.isDirty ? 'and unsaved' : ''}`.trim());
      });
      const { version } = document;
      await change(document, new vscode.Range(0, 0, 0, 3), 'two');
      assert.deepEqual([document.isDirty, document.version > version], [true, true]);
      assert.equal(await readFile(uri.fsPath, 'utf8'), 'one\n');
      assert.ok(await document.save());
      assert.deepEqual([document.isDirty, await readFile(uri.fsPath, 'utf8')], [false, 'two\n']);
      assert.deepEqual(heard, ['changed two', 'saved']);
    });

    test('are changed by all edits at once, each by the text before', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\ntwo\nthree\n');
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, new vscode.Range(0, 0, 0, 3), '1\n1');
      edit.replace(uri, new vscode.Range(2, 0, 2, 5), '3');
      edit.insert(uri, new vscode.Position(1, 0), '- ');
      assert.ok(await vscode.workspace.applyEdit(edit));
      assert.equal(document.getText(), '1\n1\n- two\n3\n');
      assert.ok(await document.save());
    });

    test('follow their file while nothing is unsaved', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\n');
      const document = await vscode.workspace.openTextDocument(uri);
      const follows = heardOnce(
        context,
        vscode.workspace.onDidChangeTextDocument,
        () => document.getText() === 'two\n',
      );
      void watched(context, uri);
      await writeFile(uri.fsPath, 'two\n');
      await follows;
      assert.equal(document.isDirty, false);
    });

    test('with unsaved text stay as they are when their file changes', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\n');
      const document = await vscode.workspace.openTextDocument(uri);
      await change(document, new vscode.Range(0, 0, 0, 0), 'mine ');
      const seen = watched(context, uri);
      await writeFile(uri.fsPath, 'theirs, which is longer\n');
      await seen;
      assert.deepEqual([document.getText(), document.isDirty], ['mine one\n', true]);
      assert.equal(await document.save(), false);
      assert.equal(await readFile(uri.fsPath, 'utf8'), 'theirs, which is longer\n');
      await ground.discard(document);
    });

    test('are renamed and deleted with their files by a workspace edit', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\n');
      const to = vscode.Uri.file(uri.fsPath.replace('a.txt', 'b.txt'));
      const rename = new vscode.WorkspaceEdit();
      rename.renameFile(uri, to);
      assert.ok(await vscode.workspace.applyEdit(rename));
      assert.deepEqual([existsSync(uri.fsPath), await readFile(to.fsPath, 'utf8')], [false, 'one\n']);
      const remove = new vscode.WorkspaceEdit();
      remove.deleteFile(to);
      assert.ok(await vscode.workspace.applyEdit(remove));
      assert.ok(!existsSync(to.fsPath));
    });
  });

  suite('tabs', () => {
    test('show a document, and say that it is unsaved', async (context) => {
      const uri = await file(context, ground, 'a.txt', 'one\n');
      const document = await vscode.workspace.openTextDocument(uri);
      const shown = await vscode.window.showTextDocument(document, { preview: false });
      assert.equal(shown.document, document);
      assert.equal(vscode.window.activeTextEditor?.document, document);
      const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab()?.input instanceof vscode.TabInputText);
      assert.equal((tab()?.input as vscode.TabInputText).uri.toString(), uri.toString());
      assert.deepEqual([tab()?.label, tab()?.isDirty], ['a.txt', false]);
      await change(document, new vscode.Range(0, 0, 0, 0), 'more ');
      await ground.until(() => tab()?.isDirty === true);
      await document.save();
      await ground.until(() => tab()?.isDirty === false);
      const [one] = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
      assert.ok(one);
      assert.ok(await vscode.window.tabGroups.close(one));
      await ground.until(
        () => !vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'a.txt')),
      );
    });
  });

  suite('watchers', () => {
    test('tell what is created, changed, and deleted', async (context) => {
      const folder = await ground.folder(context);
      const heard: string[] = [];
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(folder), '*.txt'),
      );
      context.after(() => watcher.dispose());
      const note = (what: string) => (uri: vscode.Uri) =>
        void heard.push(`${what} ${uri.path.split('/').at(-1) ?? ''}`);
      watcher.onDidCreate(note('created'));
      watcher.onDidChange(note('changed'));
      watcher.onDidDelete(note('deleted'));
      const path = join(folder, 'a.txt');
      await writeFile(join(folder, 'a.md'), 'not asked for');
      await writeFile(path, 'one');
      await ground.until(() => heard.includes('created a.txt'));
      await writeFile(path, 'two');
      await ground.until(() => heard.includes('changed a.txt'));
      await rm(path);
      await ground.until(() => heard.includes('deleted a.txt'));
      assert.ok(
        heard.every((one) => one.endsWith('a.txt')),
        heard.join(),
      );
    });

    test('tell only of the kinds that are asked for', async (context) => {
      const folder = await ground.folder(context);
      const heard: string[] = [];
      const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**');
      const watcher = vscode.workspace.createFileSystemWatcher(pattern, true, true, false);
      context.after(() => watcher.dispose());
      for (const event of [watcher.onDidCreate, watcher.onDidChange]) event(() => void heard.push('other'));
      watcher.onDidDelete(({ path }) => void heard.push(path.split('/').at(-1) ?? ''));
      const path = join(folder, 'a.txt');
      const seen = watched(context, vscode.Uri.file(path));
      await writeFile(path, 'one');
      await seen;
      await rm(path);
      await ground.until(() => heard.length > 0);
      assert.deepEqual(heard, ['a.txt']);
    });
  });

  suite('the file system', () => {
    test('reads and writes bytes, and says what is missing', async (context) => {
      const folder = await ground.folder(context);
      const uri = vscode.Uri.file(join(folder, 'a.bin'));
      const { fs } = vscode.workspace;
      await fs.writeFile(uri, new Uint8Array([0, 255]));
      assert.deepEqual([...(await fs.readFile(uri))], [0, 255]);
      const { type, size } = await fs.stat(uri);
      assert.deepEqual([type, size], [vscode.FileType.File, 2]);
      assert.equal((await fs.stat(vscode.Uri.file(folder))).type, vscode.FileType.Directory);
      await fs.delete(uri);
      assert.ok(!existsSync(uri.fsPath));
      await assert.rejects(Promise.resolve(fs.readFile(uri)));
      await assert.rejects(Promise.resolve(fs.stat(uri)));
    });
  });
};

/** Creates a file in a folder for one test. */
async function file(context: ContractContext, ground: Ground, name: string, text: string): Promise<vscode.Uri> {
  const path = join(await ground.folder(context), name);
  await writeFile(path, text);
  return vscode.Uri.file(path);
}

async function change(document: vscode.TextDocument, range: vscode.Range, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function listen<T>(context: ContractContext, event: vscode.Event<T>, listener: (value: T) => void): void {
  const listening = event(listener);
  context.after(() => void listening.dispose());
}

/** Resolves at the first event after which something is true. */
function heardOnce<T>(context: ContractContext, event: vscode.Event<T>, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    listen(context, event, () => {
      if (isTrue()) resolve();
    });
  });
}

/** Watches a file; resolves when the editor has seen it change. */
function watched(context: ContractContext, { fsPath }: vscode.Uri): Promise<void> {
  const [, folder = '', name = ''] = /^(.*)[\\/]([^\\/]+)$/.exec(fsPath) ?? [];
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), name));
  context.after(() => watcher.dispose());
  return new Promise((resolve) => {
    watcher.onDidChange(() => resolve());
    watcher.onDidCreate(() => resolve());
  });
}
