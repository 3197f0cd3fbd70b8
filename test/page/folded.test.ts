import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import { ownIntros } from '../../src/shared/pages/ownPrompts';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser } from './chat';
import { agentMessage, pageWithSession, sessionA, sessionB, snapshot, userMessage } from './samples';

const browser = useBrowser();

test('draws thoughts and summaries when opened and updates them either way', async () => {
  const thought: Entry = {
    id: 't' as EntryId,
    turn: 1,
    kind: 'agent_thought',
    startedAt: Date.now(),
    content: [{ type: 'text', text: 'Parts fail ' }],
  };
  const compaction: Entry = {
    id: 'c' as EntryId,
    turn: 1,
    kind: 'compaction',
    compactionId: 'c',
    status: 'in_progress',
    summary: [{ type: 'text', text: 'We added ' }],
  };
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const activity = { state: 'running', since: Date.now() } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Go'), compaction, thought]));
  const article = (name: string) => chat.page.getByRole('article', { name, exact: true });
  const parts = { thought: article('Thought'), compaction: article('Notice') };
  const bodies = [parts.thought.locator('.body'), parts.compaction.locator('.pl-summary')];
  const texts = () => Promise.all(bodies.map((body) => body.innerText()));
  const shown = () => Promise.all(bodies.map((body) => body.isVisible()));
  let rev = 0;
  const grow = (thoughts: string, summary: string) => {
    const more: TranscriptOp = { op: 'appendText', id: 't' as EntryId, block: 0, text: thoughts };
    const fields = { summary: [{ type: 'text', text: summary }] } as const;
    rev += 2;
    return chat.apply(sessionA, rev - 2, [more, { op: 'patch', id: 'c' as EntryId, kind: 'compaction', fields }]);
  };
  assert.equal(await chat.page.locator('.body > *, .pl-summary > *').count(), 0);
  await grow('on ', 'We added **retry**');
  await parts.thought.getByRole('button').click();
  await chat.button('Show summary').click();
  assert.deepEqual(await shown(), [true, true]);
  assert.deepEqual(
    (await texts()).map((text) => text.trim()),
    ['Parts fail on', 'We added retry'],
  );
  await grow('their ', 'We added **retry** and');
  assert.deepEqual(
    (await texts()).map((text) => text.trim()),
    ['Parts fail on their', 'We added retry and'],
  );
  await parts.thought.getByRole('button').click();
  await chat.button('Hide summary').click();
  assert.deepEqual(await shown(), [false, false]);
  await grow('own.', 'We added **retry** and a test.');
  await parts.thought.getByRole('button').click();
  await chat.button('Show summary').click();
  assert.deepEqual(
    (await texts()).map((text) => text.trim()),
    ['Parts fail on their own.', 'We added retry and a test.'],
  );
  assert.equal(await parts.compaction.locator('strong').innerText(), 'retry');
  await chat.close();
});

test('folds what Parley wrote to a reviewer, and its bare list', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const asked = `${ownIntros.review}Claude) has just made in this folder.\n\nMany words.`;
  const list = '```json\n[{ "path": "a.ts", "line": 1, "text": "Why?" }]\n```';
  await chat.showSession(
    sessionA,
    snapshot({ reviews: { session: sessionB, title: 'Claude' } }, [
      userMessage('u1', asked),
      agentMessage('a1', list),
      userMessage('u2', 'And the tests?', 2),
      agentMessage('a2', `Nothing new: ${list}`, 2),
    ]),
  );
  const articles = chat.page.getByRole('article');
  const shows = async (at: number, words: string) => (await articles.nth(at).innerText()).includes(words);
  await articles.nth(0).getByText('Parley asked for a review of the changes.', { exact: true }).last().waitFor();
  await articles.nth(1).getByText('The remarks are at the changes, and on the review page.').waitFor();
  assert.deepEqual([await shows(0, 'Many words.'), await shows(1, 'Why?')], [false, false]);
  for (const at of [0, 1]) await articles.nth(at).getByRole('button', { name: 'Show whole message' }).click();
  assert.deepEqual([await shows(0, 'Many words.'), await shows(1, 'Why?')], [true, true]);
  await articles.nth(1).getByRole('button', { name: 'Show less' }).click();
  assert.equal(await shows(1, 'Why?'), false);
  assert.equal(await shows(3, 'Nothing new'), true);
  assert.equal(await articles.nth(3).getByRole('button', { name: 'Show whole message' }).count(), 0);
  await chat.close();
});
