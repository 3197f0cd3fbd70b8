import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { file, outsideFolder, scratchFolder, setting, show } from '../filesSupport';
import { hasModes } from '../platform';
import { bytes, mode, until } from '../reviewFiles';
import { changes, eight, newAgent } from '../reviewSupport';

const command = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(`parley.review.${name}`, ...args);

/** Describes what is active: the file, and the line of the cursor if there is one. */
function inFront(): string {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return `compare ${basename(input.modified.path)}`;
  const { uri } = (input ?? {}) as { readonly uri?: vscode.Uri };
  const editor = vscode.window.activeTextEditor;
  if (!editor) return `editor ${basename(uri?.path ?? '')}`;
  const shown = editor.document.uri;
  return uri?.toString() === shown.toString() ? `${basename(shown.path)} ${editor.selection.active.line}` : 'between';
}

function pathInFront(): string {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const { uri, modified } = (input ?? {}) as { readonly uri?: vscode.Uri; readonly modified?: vscode.Uri };
  return (modified ?? uri)?.path ?? '';
}

/** Creates every kind of change, each in a separate file. */
async function changedFiles(context: TestContext) {
  const folder = await scratchFolder(context);
  const elsewhere = await outsideFolder(context);
  const [a, z, gone, script] = await Promise.all(
    ['a.txt', 'z.txt', 'b.txt', 'd.sh'].map((name) => file(folder, name, eight)),
  );
  assert.ok(a && z && gone && script);
  const binary = await file(folder, 'c.bin', Buffer.from([1, 0, 2, 255]));
  const newBytes = await file(elsewhere, 'c.bin', Buffer.from([1, 0, 3, 255]));
  await chmod(script, 0o644);
  const agent = await newAgent(context);
  await agent.turn(
    { write: a, text: eight.replace('two', 'TWO').replace('seven', 'SEVEN') },
    {
      script: `rmSync('b.txt'); writeFileSync('c.bin', readFileSync(${JSON.stringify(newBytes)})); chmodSync('d.sh', 0o755)`,
      cwd: folder,
    },
    { write: z, text: eight.replace('three\n', '') },
  );
  await changes(a, 2);
  if (hasModes) await changes(script, 1);
  await changes(z, 1);
  await until(
    async () => (await bytes(gone)) === null && (await bytes(binary))?.[2] === 3,
    () => 'the agent is not done',
  );
  return { folder, a, z, gone, script, binary };
}

/** Returns the active file and the place in it. */
const front = () => `${pathInFront()} ${inFront()}`;

/** Runs a command until the given place is active, skipping changes left by other tests. */
async function goes(name: 'nextChange' | 'previousChange', place: string, folder: string): Promise<void> {
  do {
    const before = front();
    await command(name);
    await until(
      () => front() !== before && inFront() !== 'between',
      () => `${before} stays in front`,
    );
  } while (!pathInFront().startsWith(vscode.Uri.file(folder).path));
  assert.equal(inFront(), place);
}

suite('next and previous change', () => {
  test('visit every kind of change in both directions and wrap around', async (context) => {
    await command('keepAll');
    const { folder, a } = await changedFiles(context);
    await show(a);
    const places = ['a.txt 1', 'a.txt 6', 'compare b.txt', 'editor c.bin', ...(hasModes ? ['d.sh 0'] : []), 'z.txt 2'];
    for (const place of [...places, 'a.txt 1']) await goes('nextChange', place, folder);
    for (const place of [...places.toReversed(), 'z.txt 2']) await goes('previousChange', place, folder);
  });

  test('lead to places where keep and undo apply to the change', async (context) => {
    await command('keepAll');
    const { folder, z, gone, script, binary } = await changedFiles(context);
    await show(z);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    if (hasModes) {
      await goes('previousChange', 'd.sh 0', folder);
      await command('undoChange');
      await until(
        async () => (await mode(script)) === 0o644,
        async () => `its mode is ${(await mode(script)).toString(8)}`,
      );
      await changes(script, 0);
    }
    await goes('previousChange', 'editor c.bin', folder);
    await command('undoChange');
    await until(
      async () => (await bytes(binary))?.[2] === 2,
      () => 'the binary file was not undone',
    );
    await goes('previousChange', 'compare b.txt', folder);
    await command('undoChange');
    await until(
      async () => (await bytes(gone))?.toString() === eight,
      () => 'the file did not come back',
    );
    await goes('previousChange', 'a.txt 6', folder);
    await changes(z, 1);
  });
});

suite('keep and undo', () => {
  test('go to the next change across files and wrap around', async (context) => {
    await command('keepAll');
    const { folder, a } = await changedFiles(context);
    await show(a);
    await command('nextChange');
    await command('nextChange');
    assert.equal(inFront(), 'a.txt 6');
    await command('undoChange');
    assert.equal(inFront(), 'compare b.txt');
    await command('keepFile');
    assert.equal(inFront(), 'editor c.bin');
    await command('keepFile');
    if (hasModes) {
      assert.equal(inFront(), 'd.sh 0');
      await command('undoChange');
    }
    assert.equal(inFront(), 'z.txt 2');
    await command('keepChange');
    if (inFront() !== 'a.txt 1') await goes('nextChange', 'a.txt 1', folder);
    await command('keepChange');
    await changes(a, 0);
  });

  test('leave the editor where it is for a file behind it', async (context) => {
    await command('keepAll');
    const { a, z } = await changedFiles(context);
    await show(a);
    await command('keepFile', vscode.Uri.file(z));
    await changes(z, 0);
    assert.equal(inFront(), 'a.txt 0');
    await setting(context, 'parley.review.revealNextChange', false);
    await command('keepFile');
    await changes(a, 0);
    assert.equal(inFront(), 'a.txt 0');
  });

  test('show the next change from a row in a list', async (context) => {
    await command('keepAll');
    const { a, z } = await changedFiles(context);
    await show(z);
    await command('keepFile', { resourceUri: vscode.Uri.file(z) });
    await changes(z, 0);
    assert.equal(inFront(), 'a.txt 1');
    await changes(a, 2);
  });
});
