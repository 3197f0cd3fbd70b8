import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import type { SandboxPolicy } from '../../shared/sandbox';
import { policyWords } from './policyWords';

const policy: SandboxPolicy = {
  mode: 'filesAndNetwork',
  folders: ['/work/shop'],
  state: ['/home/me/.codex'],
  shared: [],
  readOnly: [],
  unreadable: Array.from({ length: 10 }, (_, index) => `/home/me/.secret${index}`),
  hosts: ['api.openai.com:443'],
  localPorts: [],
};

test('a sandbox is listed in words, with what it doesn’t guard', posixOnly, () => {
  const lines = new Map(policyWords(policy, '/home/me').map(({ label, detail }) => [label, detail]));
  assert.deepEqual([...lines.keys()], ['Can change', 'Can’t read', 'Can connect to', 'Not guarded']);
  assert.equal(lines.get('Can change'), '/work/shop, ~/.codex');
  assert.match(lines.get('Can’t read') ?? '', /^~\/\.secret0, .*~\/\.secret7, and 2 more$/);
  assert.equal(lines.get('Can connect to'), 'api.openai.com:443');
  // One sentence: the rest is in the documentation.
  assert.match(lines.get('Not guarded') ?? '', /^[^.]+\.$/);
  const own = policyWords({ ...policy, readable: [], unreadable: ['/work/shop/.env'] }, '/home/me');
  assert.equal(own.find(({ label }) => label === 'Can’t read')?.detail, '/work/shop/.env, the rest of your profile');
  const files = policyWords({ ...policy, mode: 'files' }, '/home/me');
  assert.equal(files.find(({ label }) => label === 'Can connect to')?.detail, 'Every host');
});
