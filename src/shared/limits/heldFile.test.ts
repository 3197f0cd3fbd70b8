import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { heldFile } from './heldFile';

test('the place nearest to a file decides whether it’s hidden', posixOnly, () => {
  const policy = {
    unreadable: ['/work/.env', '/home/me', '/home/me/.config/gh'],
    stillReadable: ['/home/me/.config'],
    readOnly: ['/work/.vscode'],
  };
  assert.equal(heldFile(policy, '/work/.env'), 'hidden');
  assert.equal(heldFile(policy, '/home/me/.ssh/id_rsa'), 'hidden');
  assert.equal(heldFile(policy, '/home/me/.config/gh/hosts.yml'), 'hidden');
  assert.equal(heldFile(policy, '/home/me/.config/x'), undefined);
  assert.equal(heldFile(policy, '/work/.vscode/tasks.json'), 'readOnly');
  assert.equal(heldFile(policy, '/work/.envelope'), undefined);
});
