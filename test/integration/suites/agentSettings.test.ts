import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { suite, test, type TestContext } from '../api';
import { setting } from '../filesSupport';
import { until } from '../poll';

/** Collects the messages shown while a test runs. With `answers`, answers each with its last button. */
function messages(context: TestContext, answers = false): readonly string[] {
  const window = vscode.window as unknown as Record<string, unknown>;
  const shows = window['showWarningMessage'];
  context.after(() => (window['showWarningMessage'] = shows));
  const said: string[] = [];
  window['showWarningMessage'] = (words: string, ...buttons: string[]) => {
    said.push([words, ...buttons].join(' | '));
    return Promise.resolve(answers ? buttons.at(-1) : undefined);
  };
  return said;
}

const agents = (value: unknown) =>
  vscode.workspace.getConfiguration().update('parley.agents', value, vscode.ConfigurationTarget.Global);

suite('problems in the agents setting', () => {
  test('are reported once when they appear, with a cause and an action', async (context) => {
    await vscode.extensions.getExtension('parley.parley-acp')?.activate();
    const said = messages(context);
    const wrong = { Good: { command: 'node' }, Bad: { command: 'x', args: 'y' } };
    await setting(context, 'parley.agents', wrong);
    await until(() => said.length > 0);
    const sentence = 'Skipped agent “Bad” in parley.agents: “args” must be an array of strings. | Open Settings';
    assert.deepEqual(said, [sentence]);
    // Another agent doesn't report again, but another problem does, and so does the same one after it was fixed.
    await agents({ ...wrong, More: { command: 'more' } });
    await agents({ ...wrong, Worse: {} });
    await until(() => said.length > 1);
    assert.match(said[1] ?? '', /“Bad”.*args.* Skipped agent “Worse” in parley\.agents: missing command\./);
    await agents({ Good: { command: 'node' } });
    await agents(wrong);
    await until(() => said.length > 2);
    assert.deepEqual(said.slice(2), [sentence]);
  });

  test('lead to the setting, and long lists are shortened', async (context) => {
    await vscode.extensions.getExtension('parley.parley-acp')?.activate();
    const said = messages(context, true);
    context.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    await setting(context, 'parley.agents', { a: 1, b: 2, c: 3, d: 4, e: 5 });
    await until(() => said.length > 0);
    assert.match(said[0] ?? '', /“a”.*“b”.*“c”.* And 2 more\. \| Open Settings$/);
    await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Settings');
  });
});
