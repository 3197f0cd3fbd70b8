import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeUpdate } from '../acp/v1/normalizeUpdate';
import { quirksOf } from '../agent/base/quirks';
import { SessionHarness } from '../../test/unit-support/fakeSession';

/* What agents, not their models, say between the words of an answer. */

function begun(agent: string) {
  const test = new SessionHarness(agent).open();
  test.session.sendPrompt('go');
  const say = (...texts: readonly string[]) => {
    for (const text of texts) {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
      test.update(normalizeUpdate(update, quirksOf(agent)) as object);
    }
  };
  const answers = () =>
    test
      .all('agent_message')
      .map(({ content }) => content.map((one) => (one.type === 'text' ? one.text : '')).join(''));
  return { test, say, answers };
}

const retries = {
  Copilot: 'Info: Response was interrupted due to a server error. Retrying...',
  'pi-acp': 'Retrying (attempt 1/3, waiting 2s)...',
};

void describe('an agent’s own words in an answer', () => {
  void it('shows retries apart from the answer, a failure on a card', async () => {
    for (const [agent, retry] of Object.entries(retries)) {
      const { test, say, answers } = begun(agent);
      say('This ', 'stream breaks', retry, retry, 'This stream');
      assert.deepEqual(answers(), ['This stream breaks', 'This stream']);
      const titles = test.all('notice').map(({ title }) => title);
      assert.deepEqual(titles, [retry.replace('Info: ', ''), retry.replace('Info: ', '')]);
      say('Error: 400 Bad request.');
      await test.agent.end();
      assert.deepEqual(answers(), ['This stream breaks', 'This stream']);
      const [card] = test.all('error');
      assert.match(`${card?.title}\n${card?.cause}`, /400 Bad request\./);
      assert.equal(test.session.endedTurns.last, 'failed');
    }
  });

  void it('shows an answer that follows after a failure', async () => {
    const { test, say, answers } = begun('Copilot');
    say('Error: 500 Try again.', 'It works.');
    await test.agent.end();
    assert.deepEqual(answers(), ['Error: 500 Try again.', 'It works.']);
    assert.equal(test.session.endedTurns.last, 'completed');
  });

  void it('leaves the words of other agents as they are', async () => {
    const { test, say, answers } = begun('Claude');
    say('Error: 500 Try again.');
    await test.agent.end();
    assert.deepEqual([answers(), test.session.endedTurns.last], [['Error: 500 Try again.'], 'completed']);
  });
});
