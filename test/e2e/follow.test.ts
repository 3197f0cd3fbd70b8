import assert from 'node:assert/strict';
import { scene } from './harness';

const files = { 'notes.md': Array.from({ length: 200 }, (_, index) => `Line ${String(index + 1)}`).join('\n') };

scene(
  'follows the agent without the focus until the user clicks an editor',
  { files },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.send('/text');
    await chat.untilIdle();
    const follow = chat.page.getByRole('button', { name: 'Follow Tour agent', exact: true });
    await follow.click();
    await follow.and(chat.page.locator('[aria-pressed=true]')).waitFor();
    const tab = (name: string) => workbench.page.getByRole('tab', { name: new RegExp(`^${name}`) });
    await chat.submit('/tour files');
    await tab('notes.md').waitFor();
    await chat.message.and(chat.page.locator(':focus')).waitFor();
    const request = chat.permission('Create parley-tour.md');
    await request.waitFor();
    await chat.untilAnswerable('Create parley-tour.md');
    await request
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    await tab('parley-tour.md').waitFor();
    await chat.untilIdle();
    await screenshot('follow');
    await workbench.page.locator('.monaco-editor .view-lines').first().click();
    await chat.page.getByText('Stopped following Tour agent').waitFor();
    assert.equal(await follow.getAttribute('aria-pressed'), 'false');
  },
);
