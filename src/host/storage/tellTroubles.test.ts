import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { tellTroubles } from './tellTroubles';

const settled = () => new Promise(setImmediate);
const messages = () => editor.shown.map(({ message }) => message);

beforeEach(() => editor.reset());

test('an outage is told once, with what to do', () => {
  const troubles = tellTroubles(() => undefined);
  troubles.notSaved('sessions', Object.assign(new Error('full'), { code: 'ENOSPC' }));
  troubles.notSaved('usage', new Error('read-only'));
  assert.equal(editor.shown.length, 1);
  assert.match(messages()[0] ?? '', /^Couldn’t save your sessions: there’s no disk space left\./);
  troubles.saved('sessions');
  troubles.notSaved('sessions', new Error('read-only'));
  assert.equal(editor.shown.length, 1, 'the usage still fails');
  troubles.saved('sessions');
  troubles.saved('usage');
  troubles.notSaved('comments', new Error('read-only'));
  assert.match(messages()[1] ?? '', /^Couldn’t save your comments: read-only\./);
});

test('records set aside together share a message that shows them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const troubles = tellTroubles(() => undefined);
  troubles.setAside('sessions', '/storage/aside/one.json');
  troubles.setAside('usage', '/storage/aside/two.json');
  assert.deepEqual(messages(), []);
  editor.answers.push('Show Files');
  t.mock.timers.tick(1500);
  assert.deepEqual(editor.shown, [
    {
      kind: 'warning',
      message: 'Couldn’t read 2 saved records. The files were moved to /storage/aside. Nothing was deleted.',
      items: ['Show Files'],
    },
  ]);
  await settled();
  assert.deepEqual(
    editor.executed.map(({ id, args }) => [id, String(args[0])]),
    [['revealFileInOS', 'file:///storage/aside/one.json']],
  );
  troubles.setAside('sessions', '/storage/aside/three.json');
  t.mock.timers.tick(1500);
  assert.equal(
    messages()[1],
    'Couldn’t read 1 saved record. The file was moved to /storage/aside/three.json. Nothing was deleted.',
  );
  await settled();
  assert.equal(editor.executed.length, 1);
});
