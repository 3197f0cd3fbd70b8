import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { NoticeText } from '../../session/session';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import { askAgent } from '../base/askAgent';
import { continueWith, type Carriable, type ContinueWindow } from './continueWith';

const codex = 'settings:Codex' as AgentId;

/** A window whose user makes these choices. */
function windowWith(choices: Partial<ContinueWindow> & { readonly what?: Carriable['what'] | undefined }) {
  const seen = {
    offered: [] as readonly Carriable[],
    created: [] as AgentId[],
    notices: [] as NoticeText[],
    shown: [] as SessionKey[],
    posted: [] as ToWebview[],
    refused: [] as string[],
  };
  const window: ContinueWindow = {
    mayStart: () => true,
    pickAgent: () => Promise.resolve({ agent: codex }),
    pickWhat: (_name, offered) => {
      seen.offered = offered;
      return Promise.resolve('what' in choices ? choices.what : 'conversation');
    },
    pickChanges: () => Promise.resolve(true),
    changesOf: () => undefined,
    summarize: () => Promise.resolve('The parser is fixed.'),
    createSession: ({ agent }) => {
      seen.created.push(agent);
      const addNotice = (notice: NoticeText) => {
        seen.notices.push(notice);
        return '' as never;
      };
      const { transcript } = new SessionHarness('Codex').session;
      return { key: 'session:2' as SessionKey, addNotice, transcript };
    },
    withPage: (action) => {
      action({ show: (key) => seen.shown.push(key), post: (message) => seen.posted.push(message) });
      return Promise.resolve();
    },
    refuse: (why) => seen.refused.push(why),
    ...choices,
  };
  const draft = () => {
    const [message] = seen.posted;
    assert.ok(message?.type === 'addDraft');
    const attachments = message.attachments.map((one) =>
      one.type === 'resource' ? `${one.uri} ${one.text}` : one.type,
    );
    return { text: message.text, attachments };
  };
  return { window, seen, draft };
}

async function answered(): Promise<SessionHarness> {
  const harness = new SessionHarness('Claude').open();
  harness.session.sendPrompt('Fix the parser');
  harness.say('Done.');
  await harness.agent.end();
  return harness;
}

suite('continuing a session with another agent', () => {
  test('drafts a message with the conversation and the changes, and sends nothing', async () => {
    const { session, agent } = await answered();
    const { window, seen, draft } = windowWith({ changesOf: () => ({ files: 1, diff: '+x\n' }) });
    await continueWith(window, session);
    assert.deepEqual(
      seen.offered.map(({ what }) => what),
      ['conversation', 'summary'],
    );
    assert.deepEqual([seen.created, seen.shown], [[codex], ['session:2']]);
    const { text, attachments } = draft();
    assert.equal(text, 'Continue the work of the attached conversation.');
    assert.match(attachments[0] ?? '', /User:\n {2}Fix the parser\n\nAgent \(Claude\):\n {2}Done\./);
    assert.deepEqual(attachments.slice(1), ['attachment:///Changes.diff +x\n']);
    assert.deepEqual(agent.heard, ['prompt Fix the parser']);
    // Each session leads to the other one.
    assert.equal(seen.notices[0]?.opens, session.key);
    const last = [...session.transcript.entries.values()].at(-1);
    assert.ok(last?.kind === 'notice');
    assert.deepEqual([last.title, last.opens], ['Continued with Codex', 'session:2']);
  });

  test('takes over the message that a limit stopped', async () => {
    const harness = await answered();
    harness.session.sendPrompt('And the tests', [{ type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' }]);
    await harness.agent.fail(new Error('usage limit reached'));
    const { window, seen, draft } = windowWith({ what: 'lastTurn' });
    await continueWith(window, harness.session);
    // Its agent can't write a summary now.
    assert.deepEqual(
      seen.offered.map(({ what }) => what),
      ['conversation'],
    );
    const { text, attachments } = draft();
    assert.equal(text, 'And the tests');
    assert.doesNotMatch(attachments[0] ?? '', /And the tests/);
    assert.equal(attachments[1], 'resource_link');
  });

  test('with a summary stays with the agent that writes it', async () => {
    const { session } = await answered();
    const { window, seen, draft } = windowWith({ pickAgent: () => assert.fail('The agent is known.') });
    await continueWith(window, session, true);
    assert.deepEqual(seen.created, ['settings:Claude']);
    assert.match(draft().attachments[0] ?? '', /by the agent \(Claude\):\n {2}The parser is fixed\./);
  });

  test('opens nothing if the user cancels, or there is nothing to continue', async () => {
    const { session } = await answered();
    const nothing = () => Promise.resolve(undefined);
    const changesOf = () => ({ files: 1, diff: '' });
    const cancelled = [
      windowWith({ pickAgent: nothing }),
      windowWith({ what: undefined }),
      windowWith({ changesOf, pickChanges: nothing }),
      windowWith({ what: 'summary', summarize: nothing }),
      windowWith({ mayStart: () => false }),
    ];
    for (const { window, seen } of cancelled) {
      await continueWith(window, session);
      assert.deepEqual([seen.created, seen.posted, seen.refused], [[], [], []]);
    }
    const silent = windowWith({ what: 'summary', summarize: () => Promise.resolve('') });
    await continueWith(silent.window, session);
    assert.deepEqual([silent.seen.created, silent.seen.refused], [[], ['Claude wrote no summary.']]);
    const empty = windowWith({});
    await continueWith(empty.window, new SessionHarness().open().session);
    assert.deepEqual(empty.seen.refused, ['There’s no conversation to continue yet.']);
  });
});

test('an agent’s answer is what it said last in the turn', async () => {
  const { session, agent, say } = await answered().then((harness) => ({
    session: harness.session,
    agent: harness.agent,
    say: (text: string) => harness.say(text),
  }));
  const stop = new AbortController();
  const answer = askAgent(session, 'Summarize', stop.signal);
  await assert.rejects(askAgent(session, 'Again', stop.signal), /Claude is working/);
  say('A summary.');
  await agent.end();
  assert.equal(await answer, 'A summary.');
  const silent = askAgent(session, 'Summarize', stop.signal);
  await agent.end();
  assert.equal(await silent, '');
  const stopped = askAgent(session, 'Summarize', stop.signal);
  stop.abort();
  assert.equal(await stopped, undefined);
});
