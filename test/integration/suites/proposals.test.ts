import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ProposalTexts } from '../../../src/host/proposals/proposalTexts';
import { StorageWindows } from '../../../src/host/storage/storageWindows';
import { untold } from '../../../src/host/storage/storageTroubles';
import { suite, test } from '../api';
import { scratchFolder } from '../filesSupport';

/** Texts in a folder and under a scheme of their own: the extension has its own provider for them. */
async function openTexts(context: Parameters<typeof scratchFolder>[0]): Promise<ProposalTexts> {
  const storage = join(await scratchFolder(context), 'storage');
  const windows = new StorageWindows(storage);
  const texts = new ProposalTexts({ storage, windows, troubles: untold }, `parley-proposal-test-${++opened}`);
  context.after(async () => {
    texts.dispose();
    await texts.flush();
    windows.leave();
  });
  return texts;
}

let opened = 0;

suite('what an agent proposes', () => {
  test('can be edited in a diff, which closes without a question', async (context) => {
    const texts = await openTexts(context);
    const text = texts.add({ name: 'a.ts', before: 'one\n', agents: 'agent\n', about: { kind: 'test' } });
    const [before, mine] = [texts.uriOf(text, 'before'), texts.uriOf(text, 'mine')];
    await vscode.commands.executeCommand('vscode.diff', before, mine, 'Proposal', { preview: false });
    const document = await vscode.workspace.openTextDocument(mine);
    assert.equal(document.languageId, 'typescript');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(mine, new vscode.Position(0, 0), 'my ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);
    assert.equal(texts.get(text.id)?.mine, 'my agent\n');
    // This is what "Don't Save" does. The editor asks before that, but not here.
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    assert.deepEqual(texts.get(text.id)?.unsaved, ['my agent\n']);
    assert.equal(texts.get(text.id)?.mine, 'agent\n');
    texts.restoreUnsaved(text.id);
    await vscode.commands.executeCommand('vscode.diff', before, mine, 'Proposal', { preview: false });
    const reopened = await vscode.workspace.openTextDocument(mine);
    assert.equal(reopened.getText(), 'my agent\n');
    await texts.close([text.id]);
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'Proposal');
    assert.deepEqual(open, []);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(mine)).toString(), 'my agent\n');
    await assert.rejects(async () => vscode.workspace.fs.writeFile(before, Buffer.from('no')));
  });

  test('closes without a question after its text was removed', async (context) => {
    const texts = await openTexts(context);
    const text = texts.add({ name: 'a.ts', before: 'one\n', agents: 'agent\n', about: { kind: 'test' } });
    const [before, mine] = [texts.uriOf(text, 'before'), texts.uriOf(text, 'mine')];
    await vscode.commands.executeCommand('vscode.diff', before, mine, 'Removed', { preview: false });
    const document = await vscode.workspace.openTextDocument(mine);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(mine, new vscode.Position(0, 0), 'my ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);
    // The agent writes as soon as it may, before the editor has closed the text.
    texts.remove(text.id);
    assert.equal(texts.get(text.id), undefined);
    await texts.close([text.id]);
    assert.ok(!document.isDirty);
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'Removed');
    assert.deepEqual(open, []);
  });
});
