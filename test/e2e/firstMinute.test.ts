import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

/** How long the first request of the tour may take from the opening of the chat, on a machine that tests share. */
const firstRequestMs = 30_000;

scene('Try plays the whole tour with one key, then suggests agents', {}, async (scene) => {
  const { workbench, chat } = scene;
  const { keyboard } = workbench.page;
  await scene.openChat();
  const began = Date.now();
  await chat.button('Try Tour agent').focus();
  await keyboard.press('Enter');
  const request = chat.permission('Create parley-tour.md');
  await request.waitFor({ timeout: firstRequestMs });
  console.log(`# From Try to the tour's first request: ${Date.now() - began} ms`);
  assert.match(await chat.article('You').innerText(), /Show me around/);
  await scene.screenshot('tour-first-request');
  for (const title of ['Create parley-tour.md', 'ls']) {
    // The focus may scroll the request into sight, and while it moves it takes no answers.
    await chat.permission(title).focus();
    await chat.untilAnswerable(title);
    // The key that the tour teaches.
    await keyboard.press('Control+Enter');
    await chat.permission(title).waitFor({ state: 'detached' });
  }
  await chat.untilText(chat.article('Tour agent'), 'That’s the tour');
  assert.match(await readFile(workbench.file('parley-tour.md'), 'utf8'), /# Parley tour/);
  const next = chat.article('Notice').getByRole('button', { name: 'Add Agent…' });
  await next.waitFor();
  await next.focus();
  await scene.screenshot('tour-end');
  await keyboard.press('Enter');
  const opened = workbench.page.locator('.quick-input-widget:visible, .notification-list-item:visible');
  await opened.first().waitFor();
  await keyboard.press('Escape');
});

// In a narrower window, VS Code hides the pictures.
const wide = { viewport: { width: 1900, height: 900 } };

scene('Get Started opens the walkthrough with pictures and commands', wide, async (scene) => {
  const { workbench, chat } = scene;
  await workbench.runCommand('Parley: Get Started');
  const walkthrough = workbench.page.locator('.gettingStartedContainer');
  await walkthrough.getByText('Get Started with Parley').first().waitFor();
  for (const title of ['Choose an agent', 'Log in', 'Send your first message', 'Review an edit', 'Go back']) {
    await walkthrough.locator('.getting-started-step', { hasText: title }).first().waitFor();
  }
  const picture = walkthrough.locator('img[alt^="The chat without a session"]');
  await picture.waitFor();
  const isLoaded = await picture.evaluate(async (image) => {
    if (!('decode' in image)) return false;
    await (image as { decode(): Promise<void> }).decode();
    return true;
  });
  assert.equal(isLoaded, true, 'The picture is in the package.');
  await scene.screenshot('walkthrough');
  await walkthrough
    .getByRole('link', { name: 'Play the Tour' })
    .or(walkthrough.getByRole('button', { name: 'Play the Tour' }))
    .first()
    .click();
  await chat.permission('Create parley-tour.md').waitFor({ timeout: firstRequestMs });
  await chat.button('Stop').click();
  await chat.untilIdle();
});

const goodAgent = { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), '{}'] };
const brokenAgent = { command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] };
const secret = 'value-that-nobody-sees-1';

scene(
  'Check Setup lists problems with fixes and saves a secret-free bundle',
  {
    agents: {
      Good: { ...goodAgent, env: { GOOD_REGION: secret } },
      Broken: brokenAgent,
      Missing: { command: 'no-such-program-here' },
    },
  },
  async (scene) => {
    const { workbench } = scene;
    const { page } = workbench;
    await workbench.runCommand('Parley: Check Setup');
    const setup = workbench.editorView();
    const part = (name: string) => setup.getByRole('listitem').filter({ hasText: name });
    await setup.getByText(/problems? found/).waitFor();
    await scene.screenshot('check-setup');
    assert.match(await part('Node').first().innerText(), /OK · \d+\./);
    assert.match(await part('Good').innerText(), /OK · works/);
    assert.match(await part('Broken').innerText(), /Problem · doesn’t start[^]*no licence[^]*Show log/);
    assert.match(await part('Missing').innerText(), /Problem · program not found/);
    await setup.getByRole('button', { name: 'Missing: Open settings' }).click();
    await page.locator('.settings-editor').waitFor();

    await workbench.runCommand('Parley: Save Support Bundle…');
    const editor = page.locator('.editor-instance:visible .view-lines').first();
    await editor.getByText('Parley support bundle').first().waitFor();
    const told = await workbench.notification('Nothing is saved or sent');
    await told.getByRole('button', { name: 'Save…' }).click();
    const place = page.locator('.quick-input-widget:visible input[type="text"]');
    await place.waitFor();
    // The editor proposes the folder first, then the name.
    await page.waitForFunction(
      (field) => (field as HTMLInputElement).value.endsWith('parley-support.txt'),
      await place.elementHandle(),
    );
    await place.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Saved as' }).waitFor();
    const text = await readFile(workbench.file('parley-support.txt'), 'utf8');
    assert.match(text, /OK · Good: works/);
    assert.match(text, /send initialize id/);
    assert.match(text, /GOOD_REGION/);
    assert.ok(!text.includes(secret), 'The value of a variable is not in the bundle.');
    assert.ok(!text.includes(workbench.folder), 'The folder is not in the bundle.');
  },
);

scene('the tour needs trust in a folder but no folder', { untrusted: true }, async (scene) => {
  const { workbench, server, chat } = scene;
  await scene.openChat();
  const notice = chat.page.getByRole('group', { name: 'Restricted Mode' });
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    /agents can’t start here\. To try the tour without trusting it, open a window/,
  );
  assert.equal(await chat.button('Try Tour agent').count(), 0);
  await workbench.runCommand('Parley: Check Setup');
  const setup = workbench.editorView();
  await setup.getByRole('button', { name: 'Tour agent: Manage trust' }).waitFor();
  const part = setup.getByRole('listitem').filter({ hasText: 'Tour agent' });
  assert.match(await part.innerText(), /Skipped · not checked[^]*isn’t trusted/);
  const started = (await server.processes()).filter(({ command }) => command.includes('tourAgent'));
  assert.deepEqual(started, []);

  await workbench.page.goto(`${server.origin}/?ew=true`);
  await workbench.untilReady();
  await scene.openChat();
  await chat.button('Try Tour agent').click();
  await chat.answer('Create parley-tour.md');
  await chat.untilText(chat.article('Tour agent'), 'now waits for your review');
  await scene.screenshot('tour-without-folder');
  await chat.button('Stop').click();
  await chat.untilIdle();
});
