import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Contract } from './contract';

/** Lists and boxes at the top of the window: what answers them, and what closes them. */
export const inputContract: Contract = ({ suite, test }, ground) => {
  suite('lists and boxes', () => {
    test('a list has its first entry in focus, and answers with it', async () => {
      const items = [{ label: 'one', extra: 1 }, { label: 'two' }];
      const answer = vscode.window.showQuickPick(items, { placeHolder: 'Pick' });
      await ground.accept();
      assert.equal(await answer, items[0]);
    });

    test('a list for several answers with what is ticked', async () => {
      const items = [{ label: 'one' }, { label: 'two', picked: true }, { label: 'three', picked: true }];
      const answer = vscode.window.showQuickPick(items, { canPickMany: true });
      await ground.accept();
      assert.deepEqual(
        (await answer)?.map(({ label }) => label),
        ['two', 'three'],
      );
    });

    test('Escape answers a list and a box with nothing', async () => {
      const list = vscode.window.showQuickPick(['one']);
      await ground.escape();
      assert.equal(await list, undefined);
      const box = vscode.window.showInputBox({ value: 'typed' });
      await ground.escape();
      assert.equal(await box, undefined);
    });

    test('a box answers with its text, unless that isn’t valid', async () => {
      const asked: string[] = [];
      const validateInput = (value: string) => {
        asked.push(value);
        return value === '' ? 'Type something.' : undefined;
      };
      const good = vscode.window.showInputBox({ value: 'typed', validateInput });
      await ground.accept();
      assert.equal(await good, 'typed');
      const bad = vscode.window.showInputBox({ validateInput });
      await ground.accept();
      await ground.until(() => asked.includes(''));
      await ground.escape();
      assert.equal(await bad, undefined);
    });

    test('a second list closes the first, which tells once', async () => {
      const [first, second] = [vscode.window.createQuickPick(), vscode.window.createQuickPick()];
      const heard: string[] = [];
      first.onDidHide(() => heard.push('first'));
      second.onDidHide(() => heard.push('second'));
      first.items = [{ label: 'one' }];
      second.items = [{ label: 'two' }];
      first.show();
      second.show();
      await ground.until(() => heard.length > 0);
      assert.deepEqual(heard, ['first']);
      second.hide();
      await ground.until(() => heard.length > 1);
      assert.deepEqual(heard, ['first', 'second']);
      first.dispose();
      second.dispose();
    });
  });
};
