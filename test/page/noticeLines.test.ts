import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/ids';
import { useBrowser } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';

const title = '2 MCP servers were skipped';
const lines = ['docs: the agent doesn’t support sse servers.', 'notes: program notes-server wasn’t found.'];

testLooks(useBrowser(), [
  {
    name: 'notice-lines',
    height: 480,
    themed: [420],
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      const notice = { id: 'n1' as EntryId, turn: 1, kind: 'notice', severity: 'warning' } as const;
      const entries = [{ ...notice, title, description: `\n${lines.join('\n')}` }, userMessage('u1', 'Fix the upload')];
      await chat.showSession(sessionA, snapshot({}, entries));
    },
    check: async (chat) => {
      const text = await chat.page.getByRole('article', { name: 'Notice' }).innerText();
      assert.deepEqual(
        text.split('\n').map((line) => line.trim()),
        [title, ...lines],
      );
    },
  },
]);
