import assert from 'node:assert/strict';
import { test } from 'node:test';
import { window } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/event';
import { pickFix } from './setupPicker';

interface Item {
  readonly label: string;
}

test('the list stays when the focus leaves, and opens as text', async (t) => {
  const accepted = new Emitter<void>();
  const hidden = new Emitter<void>();
  const picker = {
    items: [] as readonly Item[],
    activeItems: [] as readonly Item[],
    selectedItems: [] as readonly Item[],
    ignoreFocusOut: false,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    show: () => undefined,
    dispose: () => undefined,
  };
  Object.assign(window, { createQuickPick: () => picker });
  t.after(() => Reflect.deleteProperty(window, 'createQuickPick'));
  const finding = { name: 'Node', state: 'ok', summary: '22.1.0', detail: 'Found.' } as const;
  let checked: () => void = () => undefined;
  const isChecked = new Promise<void>((resolve) => (checked = resolve));
  const choice = pickFix((_signal, changed) => {
    changed([{ name: 'Node', finding }]);
    return isChecked;
  });
  const choose = (label: string) => {
    picker.selectedItems = picker.items.filter((item) => item.label === label);
    assert.equal(picker.selectedItems.length, 1, picker.items.map((item) => item.label).join(', '));
    accepted.fire();
  };
  assert.equal(picker.ignoreFocusOut, true);
  choose('Node');
  checked();
  await new Promise<void>((resolve) => setImmediate(resolve));
  choose('Show as text');
  assert.deepEqual(await choice, { does: 'showText' });
});
