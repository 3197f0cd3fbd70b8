import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

/* A session that begins with the conversation before an edited message. */

const browser = useBrowser();

const earlier = (entry: Entry) => ({ ...entry, earlier: true }) as Entry;
const entries: readonly Entry[] = [
  earlier(userMessage('u1', 'How do we retry?', 1)),
  earlier(toolCall('c1', { title: 'Read retry.ts', turn: 1, status: 'completed' })),
  earlier({
    ...agentMessage('a1', 'With a **growing** delay, see `retry.ts`:\n\n```ts\nawait delay(2 ** attempt);\n```', 1),
    turnSummary: { startedAt: 1000, endedAt: 7000 },
  } as Entry),
  {
    kind: 'notice',
    id: 'n1' as EntryId,
    turn: 1,
    severity: 'info',
    title: 'New session: Claude receives the messages above as text',
    description: 'The earlier session is unchanged.',
  },
  userMessage('u2', 'How often?', 2),
  agentMessage('a2', 'Four times.', 2),
];

testLooks(browser, [
  {
    name: 'earlier-conversation',
    height: 640,
    widths: [290, 1200],
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, snapshot({}, entries));
      await chat.page.getByText('Four times.').waitFor();
    },
    check: async (chat) => {
      const marked = chat.page.locator('article[aria-description="From the earlier session"]');
      assert.equal(await marked.count(), 3);
    },
  },
]);
