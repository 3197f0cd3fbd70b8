import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unprotected } from '../../../baseline/baseline';
import { Emitter } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import type { ToWebview } from '../../../shared/pages/messages';
import { Protection } from './protection';
import { protectionFinding } from './protectionWords';

const file = (path: string, reason: Unprotected['reason'] = 'large'): Unprotected => ({
  path,
  reason,
  isFolder: false,
});

test('says what is not protected until the user has seen it', async () => {
  const changed = new Emitter<void>();
  const shown = new Emitter<typeof page>();
  const posted: ToWebview[] = [];
  const page = {
    session: { key: 's' as SessionKey, transcript: { view: { cwd: '/ws' } } },
    post: (message: ToWebview) => void posted.push(message),
  };
  const stored = new Map<string, unknown>();
  const files = { unprotected: [] as Unprotected[], onDidChangeUnprotected: changed.event };
  const protection = new Protection({
    files,
    pages: { all: [page], onDidShow: shown.event },
    folders: () => ['/ws'],
    state: {
      get: (key) => stored.get(key),
      update: (key, value) => Promise.resolve(void stored.set(key, JSON.parse(JSON.stringify(value)))),
    },
  });
  changed.fire();
  assert.deepEqual(posted, []);
  files.unprotected = [file('/ws/data.sqlite'), { path: '/ws/local', reason: 'ignored', isFolder: true }];
  changed.fire();
  changed.fire();
  assert.deepEqual(posted.splice(0), [{ type: 'unprotected', session: 's', count: 2, first: 'data.sqlite' }]);
  await protection.dismiss();
  assert.deepEqual(posted.splice(0), [{ type: 'unprotected', session: 's', count: 0, first: '' }]);
  files.unprotected.push(file('/ws/new.bin'));
  changed.fire();
  assert.deepEqual(posted.splice(0), [{ type: 'unprotected', session: 's', count: 1, first: 'new.bin' }]);
  shown.fire(page);
  assert.equal(posted.length, 1);
  protection.dispose();
});

test('Check Setup lists unprotected files with a way to protect them', () => {
  assert.equal(protectionFinding([], ['/ws']).state, 'ok');
  const two = protectionFinding([file('/ws/a.bin'), file('/ws/b.env', 'ignored')], ['/ws']);
  assert.equal(two.state, 'note');
  assert.ok(two.detail.includes('a.bin, b.env'));
  assert.deepEqual(two.fix, {
    kind: 'copy',
    label: 'Copy the commands',
    line: 'git init; git add -- a.bin; git commit -m "Before the agent"',
  });
  const odd = protectionFinding([file('/ws/$(rm -rf x).bin')], ['/ws']);
  assert.equal(odd.fix?.kind, 'link');
  const many = Array.from({ length: 9 }, (_, at) => file(`/ws/f${at}.bin`, 'ignored'));
  assert.ok(protectionFinding(many, ['/ws']).detail.includes('and 4 more'));
});
