import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { SessionKey } from '../../../shared/values/ids';
import { Player } from '../../../../test/unit-support/playUpdates';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { onPlatform, posixOnly, windowsOnly } from '../../../../test/unit-support/platform';
import { namedPaths, reportedDiffs, toolCallOf } from './toolCallFiles';

const file = resolve('/a.txt');
const call = (toolCallId: string, fields: object) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: toolCallId,
  locations: [{ path: file }],
  ...fields,
});
const diff = { type: 'diff', path: file, oldText: 'old', newText: 'new' };

function authorOf(...updates: object[]): string | undefined {
  const { transcript } = new Player().play(...updates);
  return toolCallOf({ session: { key: 's' as SessionKey, transcript }, turn: 0 }, file)?.toolCallId;
}

void describe('the tool call that changed a file', () => {
  const read = call('read', { kind: 'read', status: 'completed' });

  void it('is not one that reads it, even while the writer is running', () => {
    assert.equal(authorOf(read, call('edit', { kind: 'edit', status: 'pending' })), 'edit');
    assert.equal(authorOf(call('edit', { kind: 'edit', status: 'completed' }), read), 'edit');
    assert.equal(authorOf(read), undefined);
  });

  void it('is the one that shows the change, whatever its kind', () => {
    const shows = call('shows', { kind: 'read', status: 'completed', content: [diff] });
    assert.equal(authorOf(shows, call('command', { kind: 'execute', status: 'completed' })), 'shows');
  });

  void it('is a failed one only if there is no other', () => {
    const failed = call('failed', { kind: 'edit', status: 'failed', content: [diff] });
    assert.equal(authorOf(call('command', { kind: 'execute', status: 'completed' }), failed), 'command');
    assert.equal(authorOf(failed), 'failed');
  });

  void it('may write the path in another case where case is ignored', () => {
    const other = { ...diff, path: resolve('/A.txt') };
    const shows = call('shows', {
      kind: 'edit',
      status: 'completed',
      locations: [{ path: resolve('/A.TXT') }],
      content: [other],
    });
    const found = () => {
      const { transcript } = new Player().play(shows);
      return [
        authorOf(shows),
        reportedDiffs({ session: { key: 's' as SessionKey, transcript }, turn: 0 }, file).length,
      ];
    };
    assert.deepEqual(onPlatform('linux', found), [undefined, 0]);
    assert.deepEqual(onPlatform('darwin', found), ['shows', 1]);
  });

  void it('is never determined on another machine', windowsOnly, () => {
    const locations = [{ path: '\\\\evil\\share\\a.txt' }, { path: file }];
    const { transcript } = new Player().play(call('far', { kind: 'edit', locations }));
    assert.deepEqual(namedPaths({ session: { key: 's' as SessionKey, transcript }, turn: 0 }), [file]);
  });

  void it('may write the path as a URI', () => {
    const path = pathToFileURL(file).href.replace(/(?<=file:\/\/\/[A-Za-z]):/, '%3A');
    assert.equal(authorOf(call('uri', { kind: 'edit', status: 'completed', locations: [{ path }] })), 'uri');
  });

  void it("may write the path with the folder's links resolved", posixOnly, async (t) => {
    const root = await realpath(tempFolder(t));
    await mkdir(join(root, 'private'));
    await symlink(join(root, 'private'), join(root, 'tmp'));
    const path = join(root, 'private', 'a.txt');
    const shows = call('shows', { kind: 'edit', status: 'completed', locations: [{ path }] });
    const { transcript } = new Player().play(shows);
    const session = {
      key: 's' as SessionKey,
      transcript: { ...transcript, view: { ...transcript.view, cwd: join(root, 'tmp') } },
    };
    assert.deepEqual(namedPaths({ session, turn: 0 }), [join(root, 'tmp', 'a.txt')]);
  });
});
