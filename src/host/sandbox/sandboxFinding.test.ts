import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxFinding } from './sandboxFinding';

const onLinux = { skip: process.platform !== 'linux' && 'other systems need no programs' };

test('Check Setup has a problem if agents need a missing sandbox', onLinux, async () => {
  const required = await sandboxFinding({ PATH: '/nowhere' }, '/extension', true);
  assert.deepEqual([required.name, required.state, required.summary], ['Sandbox', 'problem', 'not available']);
  assert.match(required.detail, /The sandbox needs these programs: bubblewrap, socat/);
  assert.equal((await sandboxFinding({ PATH: '/nowhere' }, '/extension', false)).state, 'note');
});
