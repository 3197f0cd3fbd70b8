import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const scripted = (script: object) => ({
  command: process.execPath,
  args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), JSON.stringify(script)],
});
const cost = { sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 2, currency: 'USD' } };

scene(
  'a budget that is used up asks before the next message',
  {
    agents: { Counting: scripted({ turns: [{ steps: [{ update: cost }, { say: 'Answer $n' }] }] }) },
    settings: { 'parley.budget': { session: { cost: 1 } } },
  },
  async ({ chat, openChat, screenshot }) => {
    await openChat();
    await chat.send('one');
    await chat.article('Notice').filter({ hasText: 'Session budget is used up' }).waitFor();
    await chat.write('two');
    await chat.message.press('Enter');
    const strip = chat.page.getByRole('region', { name: 'Budget' });
    await strip.getByText('Session budget is used up: $2.00 of $1.00. Your message isn’t sent yet.').waitFor();
    await chat.page.getByRole('list', { name: 'Queue' }).getByText('two', { exact: true }).waitFor();
    await screenshot('budget');
    assert.equal(await chat.article('You').count(), 1);
    await strip.getByRole('button', { name: 'Send anyway' }).click();
    await chat.untilText(chat.article('Counting'), 'Answer 2');
    await strip.waitFor({ state: 'detached' });
  },
);

scene(
  'a scheduled message survives a reload, tells first, and can be cancelled',
  {
    // The user is told a minute before the limit resets, so this is soon.
    agents: {
      Limited: scripted({
        turns: [{ error: { code: -32603, message: 'You’ve hit your usage limit. Try again in 65 seconds.' } }],
      }),
    },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.submit('Fix the notes');
    const card = chat.page.getByRole('alert').filter({ hasText: 'You’ve reached Limited’s usage limit.' });
    await card.getByText('Your message is saved.').waitFor();
    assert.equal(await card.getByText(/[{}]/).count(), 0, 'The card has words only.');
    await card.getByRole('button', { name: /^Send at \d/ }).click();
    const strip = chat.page.getByRole('region', { name: 'Scheduled message' });
    await strip.waitFor();
    await workbench.reloadByCommand();
    await openChat();
    await strip.getByText(/^Scheduled for \d/).waitFor();
    const notification = workbench.page.locator('.notification-list-item').filter({
      hasText: 'Your message to Limited will be sent in 1 min: “Fix the notes”',
    });
    await notification.waitFor();
    await screenshot('scheduled');
    await notification.getByRole('button', { name: 'Don’t Send' }).click();
    await strip.waitFor({ state: 'detached' });
    assert.equal(await chat.article('You').count(), 1);
  },
);
