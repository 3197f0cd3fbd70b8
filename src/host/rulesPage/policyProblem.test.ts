import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { mementoOf } from '../../../test/unit-support/memento';
import { editor } from '../../../test/unit-support/vscode';
import { parsePolicy } from '../permissions/policyFile';
import { tellPolicyProblem } from './policyProblem';

beforeEach(() => editor.reset());

void describe('an invalid policy', () => {
  void it('is reported once, and again if the problem changes', async () => {
    const memory = mementoOf();
    const logged: string[] = [];
    const log = { error: (text: string) => void logged.push(text) };
    const told = async (text: string) => {
      editor.shown.length = 0;
      await tellPolicyProblem(parsePolicy(text), memory, log, () => undefined);
      return editor.shown.map(({ message }) => message).join();
    };
    assert.match(await told('{'), /not valid JSON.*rules that allow don’t apply/);
    assert.equal(await told('{'), '');
    assert.equal(logged.length, 2);
    assert.match(await told('[]'), /not an object/);
    assert.equal(await told('{}'), '');
    assert.match(await told('[]'), /not an object/);
  });

  void it('opens the rules', async () => {
    editor.answers.push('Show Permission Rules');
    let shown = 0;
    await tellPolicyProblem(parsePolicy('{'), mementoOf(), { error: () => undefined }, () => (shown += 1));
    assert.equal(shown, 1);
  });
});
