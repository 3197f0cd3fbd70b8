import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Finding } from '../../agent/setup/check';
import { window } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/event';
import type { CheckedPart } from './setupCheck';
import { pickFix } from './setupPicker';

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** Runs a check with one finding or part, which is over when `checked` is called. */
function checkOf(t: TestContext, found: Finding | CheckedPart) {
  const accepted = new Emitter<void>();
  const hidden = new Emitter<void>();
  const picker = {
    items: [] as readonly Item[],
    activeItems: [] as readonly Item[],
    selectedItems: [] as readonly Item[],
    ignoreFocusOut: false,
    matchOnDescription: false,
    matchOnDetail: false,
    onDidAccept: accepted.event,
    onDidHide: hidden.event,
    show: () => undefined,
    dispose: () => undefined,
  };
  Object.assign(window, { createQuickPick: () => picker });
  t.after(() => Reflect.deleteProperty(window, 'createQuickPick'));
  let checked: () => void = () => undefined;
  const isChecked = new Promise<void>((resolve) => (checked = resolve));
  let wanted = new AbortController().signal;
  const choice = pickFix((_signal, changed, enough) => {
    wanted = enough;
    changed(['state' in found ? { name: found.name, finding: found } : found]);
    return isChecked;
  });
  const choose = (label: string) => {
    picker.selectedItems = picker.items.filter((item) => item.label === label);
    assert.equal(picker.selectedItems.length, 1, picker.items.map((item) => item.label).join(', '));
    accepted.fire();
  };
  return { picker, choice, choose, checked, enough: () => wanted };
}

test('the list stays when the focus leaves, and opens as text', async (t) => {
  const { picker, choice, choose, checked } = checkOf(t, {
    name: 'Node',
    state: 'ok',
    summary: '22.1.0',
    detail: 'Found.',
  });
  assert.equal(picker.ignoreFocusOut, true);
  choose('Node');
  checked();
  await new Promise<void>((resolve) => setImmediate(resolve));
  choose('Show as text');
  assert.deepEqual(await choice, { does: 'showText' });
});

test('typing finds a part by its state, its fix, and its cause', async (t) => {
  const { picker } = checkOf(t, { name: 'Node', state: 'ok', summary: '22.1.0', detail: 'Found.' });
  assert.deepEqual([picker.matchOnDescription, picker.matchOnDetail], [true, true]);
});

test('a row begins with its fix, which comes before the cause', async (t) => {
  const fix = { kind: 'openSettings', label: 'Open settings' } as const;
  const { picker, choice, choose } = checkOf(t, {
    name: 'Codex',
    state: 'problem',
    summary: 'program not found',
    detail: 'It isn’t on your PATH.',
    fix,
  });
  assert.deepEqual(
    picker.items.map(({ detail }) => detail),
    ['→ Open settings · It isn’t on your PATH.'],
  );
  choose('Codex');
  assert.deepEqual(await choice, { does: 'fix', fix, agent: undefined });
});

test('a row shows what is known so far, and waiting can end', async (t) => {
  const fix = { kind: 'openSettings', label: 'Open settings' } as const;
  const soFar: Finding = {
    name: 'Codex',
    state: 'note',
    summary: 'no response',
    detail: 'Codex hasn’t responded for 5 s.',
    fix,
  };
  const { picker, choice, choose, enough } = checkOf(t, { name: 'Codex', soFar });
  assert.deepEqual(
    picker.items.map(({ label, description, detail }) => [label, description, detail]),
    [
      ['Codex', 'Checking… · no response', '→ Open settings · Codex hasn’t responded for 5 s.'],
      ['', undefined, undefined],
      ['Stop waiting', undefined, undefined],
    ],
  );
  choose('Stop waiting');
  assert.equal(enough().aborted, true);
  // The list stays, and shows what comes of it.
  choose('Codex');
  assert.deepEqual(await choice, { does: 'fix', fix, agent: undefined });
});
