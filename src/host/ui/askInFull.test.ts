import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import * as vscode from 'vscode';
import { editor } from '../../../test/unit-support/vscode';
import { askInFull } from './askInFull';

const question = (whole: string, short = whole) =>
  askInFull({ question: 'Run it?', describe: (detail) => [detail === 'short' ? short : whole], yes: 'Run' });

void describe('a question about content', () => {
  let picked: readonly string[] | undefined;
  const { showQuickPick, showTextDocument } = vscode.window;
  const { openTextDocument, registerTextDocumentContentProvider } = vscode.workspace;
  after(() => {
    Object.assign(vscode.window, { showQuickPick, showTextDocument });
    Object.assign(vscode.workspace, { openTextDocument, registerTextDocumentContentProvider });
  });
  beforeEach(() => {
    editor.reset();
    picked = undefined;
    Object.assign(vscode.window, {
      showQuickPick: (items: readonly string[]) => {
        picked = items;
        return Promise.resolve(items[0]);
      },
      showTextDocument: () => Promise.resolve({}),
    });
    Object.assign(vscode.workspace, {
      openTextDocument: () => Promise.resolve({}),
      registerTextDocumentContentProvider: () => new vscode.Disposable(() => undefined),
    });
  });

  void it('offers to agree at once if it shows everything', async () => {
    editor.answers.push('Run');
    assert.equal(await question('npm test'), 'yes');
    assert.deepEqual(editor.shown[0]?.items.slice(-1), ['Run']);
    assert.equal(picked, undefined);
  });

  void it('shows what is cut before it offers to agree', async () => {
    editor.answers.push('Show All');
    assert.equal(await question('a very long line; rm -rf src', 'a very … src'), 'yes');
    assert.ok(!editor.shown[0]?.items.includes('Run'));
    assert.deepEqual(picked, ['Run', 'Cancel']);
  });
});
