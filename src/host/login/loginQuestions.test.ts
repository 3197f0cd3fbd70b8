import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import { loginQuestions } from './loginQuestions';

beforeEach(() => editor.reset());

const address = 'https://login.example/start?code=1';
const never = new AbortController().signal;

test('a login page opens only if the user agrees', async () => {
  assert.equal(await loginQuestions.openPage('Goose', address, never), false);
  assert.deepEqual(editor.opened, []);
  assert.match(
    editor.shown[0]?.message ?? '',
    /Open the login page of Goose in your browser\? It’s at login\.example\./,
  );
  editor.answers.push('Open Page');
  assert.equal(await loginQuestions.openPage('Goose', address, never), true);
  assert.deepEqual(editor.opened, [address]);
});

test('a login that was cancelled meanwhile opens no page', async () => {
  const over = new AbortController();
  editor.subscribe('shown', () => over.abort());
  editor.answers.push('Open Page');
  assert.equal(await loginQuestions.openPage('Goose', address, over.signal), false);
  assert.deepEqual(editor.opened, []);
});

test('only web pages are login pages, and others aren’t asked about', async () => {
  for (const other of ['file:///etc/passwd', 'command:workbench.action.quit', 'vscode://a/b', 'nothing']) {
    assert.equal(await loginQuestions.openPage('Goose', other, never), false);
  }
  assert.deepEqual([editor.shown, editor.opened], [[], []]);
});

test('secrets are masked while they are typed', async () => {
  const vars = [
    { name: 'KEY', isSecret: true, isOptional: false },
    { name: 'REGION', isSecret: false, isOptional: true },
  ];
  const method = { type: 'env_var', id: 'key', name: 'Key', vars } as unknown as AuthMethod & { type: 'env_var' };
  editor.answers.push('a key', 'eu');
  assert.deepEqual(await loginQuestions.askVariables('Goose', method, never), { KEY: 'a key', REGION: 'eu' });
  const masked = editor.shown.map(({ items }) => (items[0] as { readonly password?: boolean }).password);
  assert.deepEqual(masked, [true, false]);
});
