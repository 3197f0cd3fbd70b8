import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
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
  const lines = new Map(policyWords(policy, '/home/me', 'linux').map(({ label, detail }) => [label, detail]));
  assert.deepEqual(
    [...lines.keys()],
    ['Can change', 'Can’t read', 'Can connect to', 'Limits', 'Servers inside', 'Not guarded'],
  );
  assert.equal(lines.get('Can change'), '/work/shop, ~/.codex');
  assert.match(
    lines.get('Can’t read') ?? '',
    /^~\/\.secret0, .*~\/\.secret7, and 2 more, temporary files of other programs$/,
  );
  assert.equal(lines.get('Can connect to'), 'api.openai.com:443');
  assert.match(lines.get('Limits') ?? '', /^4096 processes and threads, and 20 GB for one file\./);
  assert.equal(lines.get('Servers inside'), 'Answer only inside');
  // One sentence: the rest is in the documentation.
  assert.match(lines.get('Not guarded') ?? '', /^[^.]+\.$/);
  const own = policyWords({ ...policy, readable: [], unreadable: ['/work/shop/.env'] }, '/home/me', 'win32');
  assert.equal(own.find(({ label }) => label === 'Can’t read')?.detail, '/work/shop/.env, the rest of your profile');
  const layers = [{ folder: '/storage/caches/codex/npm', place: '/home/me/.npm' }];
  const files = policyWords({ ...policy, mode: 'files', layers }, '/home/me', 'linux');
  assert.equal(files.find(({ label }) => label === 'Has its own')?.detail, '~/.npm');
  assert.equal(files.find(({ label }) => label === 'Servers inside')?.detail, 'Answer on this machine, too');
  assert.equal(files.find(({ label }) => label === 'Can connect to')?.detail, 'Every host');
});
