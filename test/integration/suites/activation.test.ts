import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';

/** The bundles that wait for their first use; `dist/` holds them beside the extension's own. */
const late = ['contextChunk.js', 'mcpChunk.js', 'onDemand.js', 'providersChunk.js'];

/** The first suite of all, by the name of its file: later ones use what is not to be loaded here. */
suite('what is loaded when', () => {
  test('activating loads the extension’s own bundle and none that waits for its first use', async () => {
    await parley().activate();
    assert.deepEqual(loaded(['extension.js', ...late]), ['extension.js']);
  });

  test('the first command that needs it loads the code that waited, and is carried out', async (context) => {
    await parley().activate();
    context.after(() => vscode.commands.executeCommand('workbench.action.closeQuickOpen'));
    await vscode.commands.executeCommand('parley.openSession');
    assert.deepEqual(loaded(late), ['onDemand.js']);
  });
});

function parley(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension('parley.parley-acp');
  assert.ok(found);
  return found;
}

/** Which of these files of the extension have run in this extension host. */
function loaded(names: readonly string[]): string[] {
  return names.filter((name) => join(parley().extensionPath, 'dist', name) in require.cache);
}
