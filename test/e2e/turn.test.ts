import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { scene, scenes } from './harness';
import { Chat } from './chat';
import { keepNothing, losePageMemory } from './pageMemory';

/** Walks back from the composer with Tab until the open question has the focus, then presses the number of its first option. */
async function allowByKeyboard(chat: Chat, press: (key: string) => Promise<void>, title: string): Promise<void> {
  const question = chat.permission(title);
  await question.waitFor();
  const focused = question.and(chat.page.locator(':focus, :focus-within'));
  for (let presses = 0; presses < 60 && (await focused.count()) === 0; presses++) await press('Shift+Tab');
  assert.equal(await focused.count(), 1, 'The question can be reached with the Tab key.');
  await chat.untilAnswerable(title);
  await press('1');
  await question.waitFor({ state: 'detached' });
}

scene('the tour agent completes a turn by keyboard alone', {}, async (scene) => {
  const { workbench, chat } = scene;
  const press = (key: string) => workbench.page.keyboard.press(key);
  await workbench.openQuickInput('F1', '>Parley: Open Chat');
  const row = workbench.page.locator('.quick-input-list .monaco-list-row.focused');
  await row.and(workbench.page.locator('[aria-label^="Parley: Open Chat"]')).waitFor();
  // A command that was used before is above it.
  const wanted = row.and(workbench.page.locator('[aria-label^="Parley: Open Chat"]:not([aria-label*="Editor"])'));
  if ((await wanted.count()) === 0) await press('ArrowDown');
  await wanted.waitFor();
  await press('Enter');
  await chat.message.and(chat.page.locator(':focus')).waitFor();
  await workbench.page.keyboard.type('Show me around');
  await press('Enter');
  await chat.article('You').waitFor();
  await chat.untilBusy();
  await allowByKeyboard(chat, press, 'Create parley-tour.md');
  await allowByKeyboard(chat, press, 'ls');
  await chat.untilIdle();
  assert.match(await chat.article('You').innerText(), /Show me around/);
  await chat.untilText(chat.article('Tour agent'), 'That’s the tour');
  for (const title of ['Read', 'Create parley-tour.md', 'ls']) {
    await chat.toolCall(title).filter({ hasText: 'completed' }).waitFor({ state: 'attached' });
  }
  // A plan that is done leaves with its turn.
  await chat.page.getByRole('list', { name: 'Plan' }).waitFor({ state: 'detached' });
  assert.match(await readFile(workbench.file('parley-tour.md'), 'utf8'), /# Parley tour/);
  assert.equal(await chat.button('Stop').count(), 0);
});

scene(
  'S15 a reload keeps the conversation and continues the session',
  {},
  async ({ workbench, server, chat, openChat }) => {
    await openChat();
    await chat.send('/text');
    await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Open Chat in Editor');
    await workbench.chatFrame('editor');
    await workbench.reloadByCommand();
    const tab = new Chat(workbench.editorView());
    await tab.untilText(tab.article('Tour agent').last(), 'Hello, ${name}!');
    await workbench.runCommand('View: Close All Editors');
    await openChat();
    const agents = (await server.processes()).filter(({ command }) => command.includes('tourAgent'));
    assert.deepEqual(agents, [], 'The agents of a window end with it, and none starts by itself.');
    await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
    await chat.send('/text');
    await chat.untilIdle();
    assert.equal(await chat.article('You').count(), 2, 'What was said before is still there.');
    await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
  },
);

scene("shows a session after a reload even without the page's state", {}, async ({ workbench, chat, openChat }) => {
  await openChat();
  await chat.send('/text');
  await chat.untilIdle();
  const forgetful = await keepNothing(workbench.page);
  await workbench.runCommand('Parley: Open Chat in Editor');
  const tab = new Chat(workbench.editorView());
  await tab.untilText(tab.article('Tour agent').last(), 'Hello, ${name}!');
  await forgetful.dispose();
  await losePageMemory(workbench.page);
  await workbench.reloadByCommand();
  await chat.untilText(chat.article('Tour agent').last(), 'Hello, ${name}!');
  await tab.untilText(tab.article('Tour agent').last(), 'Hello, ${name}!');
});

scenes(
  {},
  {
    'a hidden chat loses nothing': async ({ workbench, chat, openChat }) => {
      await openChat();
      await chat.send('/text');
      await chat.untilIdle();
      await chat.write('a draft');
      const before = await chat.transcript.innerText();
      await workbench.showSecondarySideBar(false);
      await workbench.showSecondarySideBar(true);
      await chat.article('Tour agent').waitFor();
      assert.equal(await chat.transcript.innerText(), before);
      assert.equal(await chat.message.inputValue(), 'a draft', 'The draft is still there.');
    },
    'a link that an agent wrote is opened by VS Code, which asks first': async ({ workbench, chat, openChat }) => {
      await openChat();
      await chat.send('/text');
      await chat.untilIdle();
      // VS Code brings styles of its own into every page.
      for (const part of ['.pl-code code', 'blockquote']) {
        const ground = chat.article('Tour agent').locator(part).first();
        assert.equal(await ground.evaluate((element) => getComputedStyle(element).backgroundColor), 'rgba(0, 0, 0, 0)');
      }
      await chat.article('Tour agent').getByRole('link', { name: 'links' }).click();
      const question = workbench.dialog();
      await question.filter({ hasText: 'https://agentclientprotocol.com' }).waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      assert.equal(workbench.page.context().pages().length, 1);
    },
    'a reload of the page loses nothing': async ({ workbench, chat, openChat }) => {
      await openChat();
      await chat.send('/text');
      await chat.untilIdle();
      await chat.write('a draft');
      const before = await chat.transcript.innerText();
      await workbench.runCommand('Developer: Reload Webviews');
      await chat.untilText(chat.article('Tour agent'), 'Nothing is loaded from the network');
      assert.equal(await chat.transcript.innerText(), before);
      assert.equal(await chat.message.inputValue(), 'a draft', 'The draft is still there.');
      await chat.send('/help');
      await chat.untilIdle();
    },
    'a question that was asked while the chat was hidden is there when it is shown': async (scene) => {
      const { workbench, chat, openChat } = scene;
      await openChat();
      await chat.send('/tour terminal');
      await workbench.showSecondarySideBar(false);
      await workbench.showSecondarySideBar(true);
      await chat.answer('ls');
      await chat.untilIdle();
      await chat.untilText(chat.article('Tour agent'), 'exited with code 0');
    },
  },
);
