// The versions of the user's that were kept aside.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor, window } from '../../../test/unit-support/vscode';
import { pickKeptVersion } from './keptVersions';

beforeEach(() => editor.reset());

test('opens the version that the user selects, the latest first', async (t) => {
  const opened: string[] = [];
  const version = (name: string, at: number) => {
    return { at, path: `/workspace/${name}`, open: () => Promise.resolve(void opened.push(name)) };
  };
  const plan = { at: 3, open: () => Promise.resolve(void opened.push('plan')) };
  const labels: string[] = [];
  const show = (items: readonly { readonly label: string }[]) => {
    labels.push(...items.map(({ label }) => label));
    return Promise.resolve(items[1]);
  };
  t.mock.method(window as unknown as Record<'showQuickPick', typeof show>, 'showQuickPick', show);
  await pickKeptVersion([version('old.ts', 1), version('new.ts', 2), plan]);
  assert.deepEqual(labels, ['Plan', 'new.ts', 'old.ts']);
  assert.deepEqual(opened, ['new.ts']);
});

test('says what appears here if there are none', async () => {
  await pickKeptVersion([]);
  assert.match(editor.shown[0]?.message ?? '', /There are no kept versions\./);
});
