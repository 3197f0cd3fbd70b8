import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { blockedPlace } from './blockedPlace';

const policy: SandboxPolicy = {
  mode: 'files',
  folders: ['/work/project'],
  state: ['/home/me/.claude'],
  shared: [],
  readOnly: ['/work/project/.git/hooks'],
  unreadable: ['/home/me/.ssh'],
  hosts: [],
  localPorts: [],
};

test('only places outside of the policy can be allowed', posixOnly, () => {
  const show = (path: string, kind: 'write' | 'read' = 'write') => blockedPlace(policy, { kind, path }, '/home/me');
  assert.deepEqual(show('/home/me/notes.txt'), { kind: 'write', path: '/home/me/notes.txt', canAllow: true });
  assert.deepEqual(show('/work/project/../x'), { kind: 'write', path: '/work/x', canAllow: true });
  for (const path of ['/work/project/.git/hooks/pre-commit', '/home/me/.ssh/config'])
    assert.deepEqual(show(path), { kind: 'write', path });
  assert.deepEqual(show('/home/me/.ssh/id_rsa', 'read'), { kind: 'read', path: '/home/me/.ssh/id_rsa' });
});

test('what the policy allows and what nobody understands isn’t shown', posixOnly, () => {
  for (const path of ['/work/project/a', '/home/me/.claude/x', '/proc/self/fd/13/tasks', '/dev/null', 'relative'])
    assert.equal(blockedPlace(policy, { kind: 'write', path }, '/home/me'), undefined, path);
  assert.equal(blockedPlace(policy, { kind: 'read', path: '/etc/hostname' }, '/home/me'), undefined);
  assert.equal(blockedPlace(policy, { kind: 'host', host: 'example.com', port: 443 }, '/home/me'), undefined);
});

test('what is most of the machine, or starts programs, is never offered', posixOnly, () => {
  const most = ['/', '/home', '/home/me', '/opt', '/home/me/.config', '/home/me/.cache', '/home/me/.local/share'];
  const starting = [
    '/home/me/.bashrc',
    '/home/me/.vscode/x',
    '/usr/local/bin/x',
    '/home/me/.config/autostart/x.desktop',
  ];
  for (const path of [...most, ...starting])
    assert.deepEqual(blockedPlace(policy, { kind: 'write', path }, '/home/me'), { kind: 'write', path });
});
