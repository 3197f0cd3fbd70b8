import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { until } from '../e2e/poll';
import { agentScene } from './agentScene';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, startModel } from './support';

/* What Qwen Code offers outside of the protocol: its words reach the model as the user means them. */

const command = 'touch started; until [ -e go ]; do sleep 0.1; done; echo over';
const more = 'Also mention the weather.';

function script(request: ModelRequest): ModelStep {
  if (request.prompt.includes(more)) return { text: 'The weather is **fine**.' };
  if (!request.prompt.includes('Run the command')) return { text: `You said: ${request.prompt.slice(-40)}` };
  if (request.rounds > 0) return { text: 'It is done.' };
  const input = { command, description: 'Wait for a file', is_background: false };
  return { calls: [{ name: 'run_shell_command', input }] };
}

const { seen, setting } = startModel(script);
const asked = (words: string) => seen().filter(({ request }) => request?.prompt.includes(words));

agentScene(
  1,
  "adds a queued message to Qwen's running turn",
  { agents: setting('qwen'), files: { 'notes.md': 'notes\n' } },
  async ({ chat, file }) => {
    await chat.send('Run the command.');
    const allowed = allowAll(chat, true);
    await until(() => existsSync(file('started')), 'The command did not start.');
    await chat.write(more);
    await chat.message.press('Enter');
    const row = chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: more });
    await row.hover();
    await row.getByRole('button', { name: 'Add to this turn' }).click();
    await row.getByText('added next').waitFor();
    await writeFile(file('go'), '');
    await allowed;
    await chat.untilText(chat.article('Qwen').last(), 'The weather is fine.');
    assert.equal(await chat.article('You').filter({ hasText: more }).count(), 1);
    assert.match(asked(more)[0]?.request?.prompt ?? '', /received during tool execution/);
  },
);

agentScene(
  1,
  'returns to a message of Qwen, which forgets what followed',
  { agents: setting('qwen'), files: { 'notes.md': 'notes\n' } },
  async ({ desk, chat }) => {
    for (const words of ['Alpha words', 'Bravo words', 'Charlie words']) {
      await chat.send(words);
      await chat.untilText(chat.article('Qwen').last(), `You said: ${words}`);
      await chat.page.locator('[role=feed][aria-busy=false]').waitFor();
    }
    const mine = chat.article('You').filter({ hasText: 'Bravo words' });
    await mine.hover();
    await mine.getByRole('button', { name: 'Edit message', exact: true }).click();
    await chat.page.getByText('Qwen returns to this message. A copy of the session keeps the later ones.').waitFor();
    const field = chat.page.getByRole('textbox', { name: 'Edited message' });
    await field.fill('Delta words');
    await field.press('Enter');
    await chat.untilText(chat.article('Qwen').last(), 'You said: Delta words');
    const yours = (await chat.article('You').allInnerTexts()).map((text) => /\w+ words/.exec(text)?.[0]);
    assert.deepEqual(yours, ['Alpha words', 'Delta words']);
    const body = asked('Delta words')[0]?.body ?? '';
    assert.match(body, /Alpha words/);
    assert.doesNotMatch(body, /Bravo words|Charlie words/);
    // The copy stays open beside it.
    await desk.run('parley.closeSession');
    await chat.untilText(chat.article('Qwen').last(), 'You said: Charlie words');
  },
);
