import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Contract, ContractContext } from './contract';

const { Global, Workspace } = vscode.ConfigurationTarget;

/** Settings: those of Parley's own manifest, by their scopes. */
export const settingContract: Contract = ({ suite, test }, ground) => {
  const parley = () => vscode.workspace.getConfiguration('parley');

  /** Sets a setting for one test. */
  const set = async (context: ContractContext, name: string, value: unknown, target: vscode.ConfigurationTarget) => {
    context.after(() => parley().update(name, undefined, target));
    await parley().update(name, value, target);
  };

  suite('settings', () => {
    test('have the default of the manifest', () => {
      const { defaultValue, globalValue, workspaceValue } = parley().inspect('suggestedMessages') ?? {};
      assert.deepEqual([defaultValue, globalValue, workspaceValue], [true, undefined, undefined]);
      assert.equal(parley().get('suggestedMessages'), true);
      assert.equal(parley().get('thereIsNoSuchSetting', 'otherwise'), 'otherwise');
      assert.ok(parley().has('suggestedMessages') && !parley().has('thereIsNoSuchSetting'));
      assert.equal(vscode.workspace.getConfiguration().get('parley.suggestedMessages'), true);
    });

    test('change by what is set, and say which', async (context) => {
      const heard: boolean[][] = [];
      const listening = vscode.workspace.onDidChangeConfiguration((event) =>
        heard.push(
          ['parley.suggestedMessages', 'parley', 'editor'].map((section) => event.affectsConfiguration(section)),
        ),
      );
      context.after(() => void listening.dispose());
      await set(context, 'suggestedMessages', false, Global);
      await ground.until(() => heard.length > 0);
      assert.deepEqual(heard[0], [true, true, false]);
      assert.equal(parley().get('suggestedMessages'), false);
      assert.equal(parley().inspect('suggestedMessages')?.globalValue, false);
    });

    test('of the workspace win over those of the user', async (context) => {
      await set(context, 'suggestedMessages', true, Global);
      await set(context, 'suggestedMessages', false, Workspace);
      assert.equal(parley().get('suggestedMessages'), false);
      const { globalValue, workspaceValue } = parley().inspect('suggestedMessages') ?? {};
      assert.deepEqual([globalValue, workspaceValue], [true, false]);
      await parley().update('suggestedMessages', undefined, Workspace);
      assert.equal(parley().get('suggestedMessages'), true);
    });

    test('of the workspace show in their whole section', async (context) => {
      const section = () =>
        vscode.workspace.getConfiguration(undefined, null).inspect<object>('parley')?.workspaceValue;
      assert.equal(section(), undefined);
      await set(context, 'suggestedMessages', false, Workspace);
      assert.deepEqual(Object.keys({ ...section() }), ['suggestedMessages']);
      await parley().update('suggestedMessages', undefined, Workspace);
      assert.equal(section(), undefined);
    });

    test('that are objects are merged from all scopes', async (context) => {
      await set(context, 'afterTurn', { command: 'npm test', sendFailures: 1 }, Global);
      await set(context, 'afterTurn', { command: 'make' }, Workspace);
      const merged = { command: 'make', sendFailures: 1 };
      assert.deepEqual({ ...parley().get<object>('afterTurn') }, merged);
      assert.deepEqual({ ...vscode.workspace.getConfiguration().get<object>('parley.afterTurn') }, merged);
      assert.equal(vscode.workspace.getConfiguration('parley.afterTurn').get('command'), 'make');
    });

    test('of the user alone can’t be set for a workspace', async () => {
      await assert.rejects(Promise.resolve(parley().update('editorTools.agents', { Ada: true }, Workspace)));
      assert.equal(parley().inspect('editorTools.agents')?.workspaceValue, undefined);
    });

    test('that are objects stay as they are, and can’t be cloned', async (context) => {
      await set(context, 'editorTools.agents', { Ada: true }, Global);
      const read = parley().get<Record<string, boolean>>('editorTools.agents') ?? {};
      assert.throws(() => structuredClone(read));
      const copy: unknown = JSON.parse(JSON.stringify(read));
      assert.deepEqual(copy, { Ada: true });
      read['Ada'] = false;
      assert.deepEqual([read['Ada'], { ...parley().get<object>('editorTools.agents') }], [false, { Ada: true }]);
    });
  });
};
