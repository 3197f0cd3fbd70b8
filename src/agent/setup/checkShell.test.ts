import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { describePath, describeShell } from './checkShell';

const read = { env: {}, source: 'shell', shell: '/bin/zsh' } as const;

test('accepts a shell that was read quickly', () => {
  assert.deepEqual(describeShell(read, 840), {
    name: 'Shell environment',
    state: 'ok',
    summary: 'read in 0.8 s',
    detail: '/bin/zsh',
  });
  assert.equal(describeShell({ env: {}, source: 'process' }, 0).summary, 'from VS Code', 'Windows has no login shell.');
});

test('suggests a diagnostic command for slow and failed shells', () => {
  const slow = describeShell(read, 4200);
  assert.deepEqual([slow.state, slow.summary], ['note', 'slow']);
  assert.match(slow.detail, /took 4\.2 s/);
  assert.equal(slow.fix?.kind === 'copy' && slow.fix.line, 'time /bin/zsh -i -l -c exit');
  const failed = describeShell({ env: {}, source: 'process', shell: '/bin/zsh', problem: 'It exited (1).' }, 10);
  assert.deepEqual([failed.state, failed.detail], ['problem', 'It exited (1).']);
  assert.equal(failed.fix?.kind === 'copy' && failed.fix.line, '/bin/zsh -i -l -c env');
});

test('counts the PATH and explains how to use a changed one', () => {
  const path = ['/usr/bin', '/bin'].join(delimiter);
  assert.deepEqual(describePath(path, path), { name: 'PATH', state: 'ok', summary: '2 folders', detail: path });
  assert.equal(describePath('/bin', undefined).summary, '1 folder');
  const changed = describePath(path, '/bin');
  assert.equal(changed.state, 'note');
  assert.match(changed.detail, /“Developer: Reload Window”/);
  assert.equal(describePath('', undefined).state, 'problem');
});
