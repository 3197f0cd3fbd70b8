import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/ids';
import type { TranscriptOp } from '../../src/shared/ops';
import type { Entry } from '../../src/shared/transcript';
import { useBrowser } from './chat';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';

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
