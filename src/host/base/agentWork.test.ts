import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Uri } from '../../../test/unit-support/vscode';
import type { ClientContext } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import { AgentWork, type WorkPart } from './agentWork';

const session = 'one' as SessionKey;
const client = { session } as ClientContext;
const uri = Uri.file('/a') as never;

/** A part that notes what it does around a write. */
function noting(done: string[], name: string): WorkPart {
  return {
    async writing(_client, _uri, write) {
      done.push(`before ${name}`);
      await write();
      done.push(`after ${name}`);
    },
  };
}

suite('the work of an agent', () => {
  test('waits for all parts before a turn and before work', async () => {
    const work = new AgentWork();
    const done: string[] = [];
    let finish: () => void = () => undefined;
    work.join({ beforeTurn: () => new Promise((resolve) => (finish = resolve)) });
    work.join({ beforeWork: async () => void done.push('work') });
    const turn = work.beforeTurn(session).then(() => done.push('turn'));
    await work.beforeWork(session);
    assert.deepEqual(done, ['work']);
    finish();
    await turn;
    assert.deepEqual(done, ['work', 'turn']);
  });

  test('is performed by each part around the parts after it', async () => {
    const work = new AgentWork();
    const done: string[] = [];
    work.join(noting(done, 'one'));
    work.join({});
    work.join(noting(done, 'two'));
    await work.writing(client, uri, async () => void done.push('write'));
    assert.deepEqual(done, ['before one', 'before two', 'write', 'after two', 'after one']);
    done.length = 0;
    await work.writingAll(client, ['/a'], async () => void done.push('write'));
    assert.deepEqual(done, ['write']);
  });

  test('fails as the write does', async () => {
    const work = new AgentWork();
    work.join(noting([], 'one'));
    await assert.rejects(
      work.writing(client, uri, () => Promise.reject(new Error('full'))),
      /full/,
    );
  });
});
