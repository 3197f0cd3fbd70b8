import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { settle } from '../../../test/unit-support/fakeSession';
import { isDone, isReady, PoolHarness, text, until, workspace } from '../../../test/unit-support/poolHarness';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const folder = () => mkdtempSync(join(workspace, 'moved-'));
const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } } };
const turns = [{ steps: [{ say: 'Works in $cwd' }] }];
const answers = (index: number) =>
  test.wire(index).flatMap(([direction, { method, params }]) => {
    const isOpening = direction === 'send' && method !== undefined && /^session\/(new|resume|load)$/.test(method);
    return isOpening ? [[method, (params as { cwd: string }).cwd]] : [];
  });

void describe('a session that moves to another folder', () => {
  void it('is reopened there by its agent', async () => {
    const session = test.start({ ...resumes, turns });
    session.sendPrompt('Hi');
    await until(session, isDone);
    const cwd = folder();
    const { sessionId } = session.transcript.view;
    assert.equal(await test.pool.move(session, cwd), true);
    assert.deepEqual(answers(0), [['session/resume', cwd]]);
    assert.equal(session.transcript.view.cwd, cwd);
    assert.equal(session.context.cwd, cwd);
    assert.equal(session.transcript.view.sessionId, sessionId);
    session.sendPrompt('Again');
    await until(session, isDone);
    assert.match(text(session), /Again\n\nCodex:\n {2}Works in .*moved-/);
  });

  void it('is a new one if its agent can’t reopen it', async () => {
    const refuses = { ...resumes, resume: { error: { code: -32603, message: 'Another project' } }, turns };
    const unable = { turns };
    for (const script of [refuses, unable]) {
      const session = test.start(script);
      session.sendPrompt('Hi');
      await until(session, isDone);
      const cwd = folder();
      assert.equal(await test.pool.move(session, cwd), false);
      assert.deepEqual(answers(0).at(-1), ['session/new', cwd]);
      assert.ok(isReady(session));
      assert.match(text(session), /Hi[^]*doesn’t remember this conversation/);
      session.close();
    }
  });

  void it('is a new one if nothing was said in it', async () => {
    const session = test.start({
      ...resumes,
      resume: { error: { code: -32002, message: 'Resource not found' } },
      turns,
    });
    await until(session, isReady);
    await settle();
    const cwd = folder();
    assert.equal(await test.pool.move(session, cwd), true);
    assert.deepEqual(answers(0), [['session/new', cwd]]);
    assert.doesNotMatch(text(session), /doesn’t remember/);
    session.sendPrompt('Hi');
    await until(session, isDone);
    assert.match(text(session), /Works in .*moved-/);
  });

  void it('says why if its agent doesn’t start there', async () => {
    const session = test.start({ turns });
    session.sendPrompt('Hi');
    await until(session, isDone);
    const cwd = join(workspace, 'ghost');
    assert.equal(await test.pool.move(session, cwd), undefined);
    assert.equal(session.transcript.view.connection.state, 'closed');
    assert.match(text(session), /Couldn’t start|couldn’t/i);
  });
});
