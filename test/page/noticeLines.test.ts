import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/ids';
import { useBrowser } from './chat';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

test('a notice about several things has a line for each', async () => {
  for (const [width, theme] of [
    [320, 'dark'],
    [420, 'light'],
    [420, 'highContrast'],
    [900, 'dark'],
  ] as const) {
    const chat = await browser.open({ width, height: 480, theme });
    await chat.showPage(pageWithSession());
    const lines = [
      'docs: the agent does not take servers of type sse.',
      'notes: the program notes-server was not found on this machine.',
    ];
    const notice = { id: 'n1' as EntryId, turn: 1, kind: 'notice', severity: 'warning' } as const;
    const title = '2 MCP servers were left out';
    await chat.showSession(
      sessionA,
      snapshot({}, [
        { ...notice, title, description: `\n${lines.join('\n')}` },
        userMessage('u1', 'Fix the flaky upload'),
      ]),
    );
    const text = await chat.page.getByRole('article', { name: 'Notice' }).innerText();
    assert.deepEqual(
      text.split('\n').map((line) => line.trim()),
      [title, ...lines],
    );
    assert.deepEqual(await chat.accessibilityProblems(), []);
    await chat.screenshot(`notice-lines-${width}-${theme}`);
    await chat.close();
  }
});
