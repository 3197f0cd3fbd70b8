import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const longName = 'authenticationConfigurationServiceFactory.integration.test.ts';
const path = `$cwd/packages/services/authentication/src/internal/${longName}`;
const lines = Array.from({ length: 90 }, (_, line) => `export const attempt${line} = retry(${line}, backoff);`);

const select = (id: string, name: string, category: string, options: readonly object[]) => ({
  id,
  name,
  category,
  type: 'select',
  currentValue: 'second',
  options,
});

/** Has five settings, and asks to write a file with a long name. */
const script = {
  newSession: {
    configOptions: [
      select('mode', 'Mode', 'mode', [
        { value: 'first', name: 'Always ask', description: 'Asks before it edits files' },
        { value: 'second', name: 'Bypass permissions', description: 'Accepts every request by itself' },
      ]),
      select('model', 'Model', 'model', [
        { value: 'first', name: 'Small' },
        { value: 'second', name: 'Large, with a context of 1M tokens' },
      ]),
      ...['Effort', 'Sandbox', 'Tone'].map((name) =>
        select(name.toLowerCase(), name, '_other', [
          { value: 'first', name: 'Low' },
          { value: 'second', name: 'High' },
        ]),
      ),
    ],
  },
  turns: [
    {
      steps: [
        {
          request: 'session/request_permission',
          params: {
            sessionId: '$session',
            toolCall: {
              toolCallId: 'write',
              title: `Write ${longName}`,
              kind: 'edit',
              status: 'pending',
              locations: [{ path }],
              content: [{ type: 'diff', path, oldText: '', newText: lines.join('\n') }],
            },
            options: [
              { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
              { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
            ],
          },
        },
      ],
      stopReason: 'end_turn',
    },
  ],
  answers: { 'session/set_config_option': { error: { code: -32602, message: 'Not now' } } },
};

const agent = {
  command: process.execPath,
  args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), JSON.stringify(script)],
};

scene(
  'reaches everything by keyboard in a narrow, low window',
  { agents: { Codex: agent, Copilot: agent } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const press = (key: string) => workbench.page.keyboard.press(key);
    await openChat();
    const usual = (await workbench.secondarySideBar().boundingBox())?.width ?? 0;
    await workbench.resizeSecondarySideBar(290);
    await chat.submit('one');
    for (const [at, name] of ['Codex', 'Copilot'].entries()) {
      await workbench.runCommand('Parley: New Session…');
      await workbench.pick(name);
      await chat.page
        .getByRole('tab')
        .nth(at + 1)
        .waitFor();
      await chat.submit(`from ${name}`);
    }

    // The question names the file, and its header stays in sight above the options.
    const question = chat.permission(`Write ${longName}`);
    await question.getByText(`Let Copilot create ${longName}?`).waitFor();
    const reject = question.getByRole('button', { name: 'Reject', exact: true });
    await reject.scrollIntoViewIfNeeded();
    const header = chat.page.locator('.asking .head');
    await header.getByText('waiting for you').waitFor();
    await screenshot('narrow-request');

    // The settings are in one row, and the mode says what it does.
    await chat.page.getByRole('combobox', { name: 'Mode', exact: true }).and(chat.page.locator('button')).focus();
    await press('ArrowDown');
    const modes = chat.page.getByRole('listbox', { name: 'Mode' });
    await modes.getByText('Accepts every request by itself').waitFor();
    assert.equal(await modes.locator('.codicon-warning').count(), 1);
    await screenshot('narrow-modes');
    await press('Escape');
    await modes.waitFor({ state: 'detached' });
    await chat.button('Add Context').focus();
    await press('Enter');
    await press('End');
    await press('Enter');
    const menu = chat.page.getByRole('dialog', { name: 'More options' });
    for (const name of ['Effort', 'Sandbox', 'Tone']) await menu.getByRole('combobox', { name, exact: true }).waitFor();
    await press('Escape');
    await menu.waitFor({ state: 'detached' });

    // The list of sessions leads to another one.
    await chat.button(/^All 3 sessions/).focus();
    await press('ArrowDown');
    const sessions = chat.page.getByRole('listbox', { name: 'Sessions' });
    assert.equal(await sessions.getByRole('option', { name: /waiting for you/ }).count(), 3);
    await screenshot('narrow-sessions');
    await press('Home');
    await press('Enter');
    await chat.article('You').getByText('one', { exact: true }).waitFor();

    // A low window leaves room for the transcript and for the buttons of the composer.
    await workbench.page.setViewportSize({ width: 1280, height: 420 });
    await chat.button('Send').waitFor();
    const sizes = await chat.page.locator('body').evaluate((body) => {
      const heightOf = (selector: string) => body.querySelector(selector)?.getBoundingClientRect().height ?? 0;
      const bottom = body.querySelector('.pl-composer')?.getBoundingClientRect().bottom ?? Infinity;
      return { feed: heightOf('.pl-feed'), below: bottom - innerHeight, overflow: body.scrollWidth - body.clientWidth };
    });
    assert.ok(sizes.feed >= 72 && sizes.below <= 0 && sizes.overflow === 0, JSON.stringify(sizes));
    await screenshot('narrow-low');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });

    // The last one is closed by what cleans up after each test.
    await workbench.runCommand('Parley: Close Session');
    await chat.page.getByRole('tab').nth(2).waitFor({ state: 'detached' });
    await workbench.runCommand('Parley: Close Session');
    await chat.page.getByRole('tab').first().waitFor({ state: 'detached' });
    await workbench.resizeSecondarySideBar(usual);
  },
);
