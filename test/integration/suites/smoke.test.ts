import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { suite, test } from '../api';

const extensionId = 'parley.parley-acp';

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(extensionId);
  assert.ok(found, `${extensionId} is not installed`);
  return found;
}

suite('the extension in a real VS Code', () => {
  test('runs in a release that the manifest allows', () => {
    const [, minor] = vscode.version.split('.');
    assert.ok(Number(minor) >= 106, vscode.version);
    const manifest = extension().packageJSON as { engines: { vscode: string } };
    assert.equal(manifest.engines.vscode, '^1.106.0');
  });

  test('has one trusted folder with files on disk', () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    assert.equal(folders.length, 1);
    assert.equal(folders[0]!.uri.scheme, 'file');
    assert.equal(vscode.workspace.isTrusted, true);
  });

  test('activates', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  test('registers every command that it contributes', async () => {
    await extension().activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    const missing = contributed.filter((command) => !known.has(command));
    assert.deepEqual(missing, []);
  });
});
