import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, newAgent, onDisk, scratchFolder, setting, show, type } from '../filesSupport';

suite("an agent's writes are saved like the user's", () => {
  test('formats as configured, and undo restores the earlier text', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'one\ntwo\nthree\n');
    await formatOnSave(context);
    const agent = newAgent(context);
    await agent.read(path);
    const editor = await show(path);
    await agent.write(path, 'one\nnew  line\ntwo\nthree\n');
    assert.equal(await onDisk(path), 'one\nnew line\ntwo\nthree\n');
    assert.equal(editor.document.isDirty, false);
    assert.equal(await agent.read(path), 'one\nnew line\ntwo\nthree\n');

    // Formatting is a separate undo step, as it is after the user's typing.
    const steps: string[] = [];
    while (steps.length < 4 && editor.document.getText() !== 'one\ntwo\nthree\n') {
      await vscode.commands.executeCommand('undo');
      steps.push(editor.document.getText());
    }
    assert.deepEqual(steps, ['one\nnew  line\ntwo\nthree\n', 'one\ntwo\nthree\n']);
  });

  test('keeps the formatting if the agent continues from its own text', async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'one\n');
    await formatOnSave(context);
    const agent = newAgent(context);
    await agent.read(path);
    await agent.write(path, 'one\na  b\nc  d\n');
    await setting(context, 'editor.formatOnSave', false);
    await agent.write(path, 'one\na  b\nc  d\nnew  line\n');
    assert.equal(await onDisk(path), 'one\na b\nc d\nnew  line\n');
  });

  test('trims blank lines at the end and loses none on rewriting', async (context) => {
    await setting(context, 'files.trimFinalNewlines', true);
    await setting(context, 'files.insertFinalNewline', true);
    const path = await file(await scratchFolder(context), 'a.txt', 'a\nb\nc\n');
    const agent = newAgent(context);
    await agent.read(path);
    await agent.write(path, 'a\nb\nc\n\n\n');
    assert.equal(await onDisk(path), 'a\nb\nc\n');
    await agent.write(path, 'A\nb\nc\n');
    assert.equal(await onDisk(path), 'A\nb\nc\n');
    await agent.write(path, 'A\nb\nc');
    assert.equal(await onDisk(path), 'A\nb\nc\n');
  });
});

suite('a file with mixed line breaks', () => {
  for (const isOpen of [false, true]) {
    test(`keeps them in unchanged lines${isOpen ? ', also open in an editor' : ''}`, async (context) => {
      const path = await file(await scratchFolder(context), 'a.txt', '\uFEFFone\r\ntwo\nthree\r\nfour\n');
      const agent = newAgent(context);
      if (isOpen) await show(path);
      const read = await agent.read(path);
      await agent.write(path, read.replace('two', 'TWO\nnew'));
      assert.equal(await onDisk(path), '\uFEFFone\r\nTWO\nnew\nthree\r\nfour\n');
      if (!isOpen) return;
      const document = vscode.window.activeTextEditor?.document;
      assert.deepEqual(document?.getText().split(/\r?\n/), ['one', 'TWO', 'new', 'three', 'four', '']);
      assert.equal(document.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.deepEqual(document.getText().split(/\r?\n/), ['one', 'two', 'three', 'four', '']);
    });
  }

  test("gets one kind if the user's changes are saved with it", async (context) => {
    const path = await file(await scratchFolder(context), 'a.txt', 'one\r\ntwo\nthree\r\n');
    const agent = newAgent(context);
    const read = await agent.read(path);
    await type(await show(path), 0, 0, 'typed ');
    await agent.write(path, read.replace('three', 'THREE'));
    assert.equal(await onDisk(path), 'typed one\r\ntwo\r\nTHREE\r\n');
  });
});

/** Registers a formatter that collapses spaces and runs on every save. */
async function formatOnSave(context: TestContext): Promise<void> {
  const formatter = vscode.languages.registerDocumentFormattingEditProvider(
    { language: 'plaintext' },
    {
      provideDocumentFormattingEdits: (document) => {
        const text = document.getText();
        const found = [...text.matchAll(/ {2,}/g)];
        return found.map(({ 0: spaces, index }) => {
          const range = new vscode.Range(document.positionAt(index), document.positionAt(index + spaces.length));
          return vscode.TextEdit.replace(range, ' ');
        });
      },
    },
  );
  context.after(() => {
    formatter.dispose();
  });
  await setting(context, 'editor.formatOnSave', true);
}
