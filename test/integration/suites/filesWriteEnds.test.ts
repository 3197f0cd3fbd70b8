import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, newAgent, onDisk, scratchFolder, show, type } from '../filesSupport';

suite('an agent writes the end of a file', () => {
  test('joins no lines if the user has just deleted the last one', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'l0\nl1\nl2\nl3\n');
    const agent = newAgent(context);
    await agent.read(path);
    const editor = await show(path);
    await remove(editor, new vscode.Range(3, 0, 4, 0));
    await agent.write(path, 'l0\nl1\nl2\nA85\nl3');
    assert.equal(await onDisk(path), 'l0\nl1\nl2\nA85');
    assert.equal(editor.document.getText(), 'l0\nl1\nl2\nA85');
  });

  test('applies next to lines the user deleted without an error', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'l0\nl1\nl2\nl3\nl4\nl5\n');
    const agent = newAgent(context);
    await agent.read(path);
    const editor = await show(path);
    await remove(editor, new vscode.Range(5, 0, 6, 0));
    await agent.write(path, 'l0\nl1\nl2\nl3\nl5');
    assert.equal(await onDisk(path), 'l0\nl1\nl2\nl3');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'l0\nl1\nl2\nl3\nl4\n');
  });
});

suite('an agent that reads a part of a file', () => {
  test('does not revert text typed elsewhere in the meantime', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    const agent = newAgent(context);
    await agent.read(path);
    await type(await show(path), 4, 4, ' typed');
    assert.equal(await agent.read(path, 1, 2), 'one\ntwo\n');
    await agent.write(path, 'one\nTWO\nthree\nfour\nfive\n');
    assert.equal(await onDisk(path), 'one\nTWO\nthree\nfour\nfive typed\n');
  });

  test("may send a byte order mark without changing the user's first line", async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', '\uFEFFone\ntwo\n');
    const agent = newAgent(context);
    await agent.read(path);
    await agent.write(path, '\uFEFFone\nTWO\n');
    await type(await show(path), 0, 3, ' typed');
    await agent.write(path, '\uFEFFone\nTWO\nthree\n');
    assert.equal(await onDisk(path), '\uFEFFone typed\nTWO\nthree\n');
  });
});

async function remove(editor: vscode.TextEditor, range: vscode.Range): Promise<void> {
  assert.ok(
    await editor.edit((edit) => {
      edit.delete(range);
    }),
  );
}
