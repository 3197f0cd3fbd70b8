import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isDone, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import type { Aside } from '../../shared/pages/aside';
import { Asides } from './asides';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const method = 'qwen/control/session/btw';
const question = 'What is this?';

async function ask(answer: unknown, act: (asides: Asides, session: Session) => void = () => undefined) {
  const answers = answer === undefined ? {} : { [method]: answer };
  const session = test.start({ initialize: { agentInfo: { name: 'qwen-code' } }, answers });
  session.sendPrompt('Start.');
  await until(session, isDone);
  const before = text(session);
  const shown: (Aside | undefined)[] = [];
  const asides = new Asides(
    { pool: test.pool, hide: () => Promise.resolve(), count: () => undefined },
    (key, aside) => {
      assert.equal(key, session.key);
      shown.push(aside);
    },
  );
  const asked = asides.ask(session, question);
  act(asides, session);
  await asked;
  assert.equal(text(session), before);
  const sent = test
    .wire()
    .flatMap(([direction, one]) => (direction === 'send' && one.method === method ? [one.params] : []));
  return { session, asides, shown, sent };
}

const asked = { question, state: 'asked', text: '' };

void describe('a question aside', () => {
  void it('is answered without a change of the session', async () => {
    const { session, asides, shown, sent } = await ask({ sessionId: 's1', answer: ' A scripted title ' });
    assert.equal(session.transcript.view.canAskAside, true);
    assert.deepEqual(sent, [{ sessionId: 's1', question }]);
    assert.deepEqual(shown, [asked, { question, state: 'answered', text: 'A scripted title' }]);
    assert.deepEqual(asides.of(session.key), shown[1]);
    asides.dismiss(session.key);
    assert.equal(asides.of(session.key), undefined);
  });

  void it('says why there is no answer', async () => {
    const none = await ask({ sessionId: 's1', answer: null });
    assert.match(none.shown[1]?.text ?? '', /has no answer/);
    const late = { error: { code: -32603, message: 'Side question timed out after 55s' } };
    const { shown } = await ask(late);
    assert.deepEqual(shown[1], { question, state: 'failed', text: 'Side question timed out after 55s' });
  });

  void it('is gone without a word if the agent no longer answers', async () => {
    for (const answer of [undefined, 'yes', { answer: 4 }]) {
      const { session, shown } = await ask(answer);
      assert.deepEqual(shown, [asked, undefined]);
      assert.equal(session.transcript.view.canAskAside, false);
    }
  });

  void it('stays dismissed when its answer comes', async () => {
    const { shown } = await ask({ sessionId: 's1', answer: 'Late' }, (asides, { key }) => asides.dismiss(key));
    assert.deepEqual(shown, [asked, undefined]);
  });
});
