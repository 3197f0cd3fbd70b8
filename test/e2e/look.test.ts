import assert from 'node:assert/strict';
import { scene } from './harness';

scene('draws the chat in every theme and width', {}, async ({ workbench, chat, openChat, screenshot }) => {
  await openChat();
  const usual = (await workbench.secondarySideBar().boundingBox())?.width ?? 0;
  await workbench.resizeSecondarySideBar(420);
  await screenshot('start');
  await chat.send('Show me around');
  await chat.untilAnswerable('Create parley-tour.md');
  for (const theme of ['light', 'dark', 'high-contrast', 'high-contrast-light'] as const) {
    await workbench.setTheme(theme);
    await screenshot(`permission-${theme}`);
  }
  await chat.answer('Create parley-tour.md');
  await chat.answer('ls');
  await chat.untilIdle();
  await workbench.setTheme('dark');
  const width = await workbench.resizeSecondarySideBar(200);
  assert.ok(width < 300, `The side bar is ${width} px wide.`);
  await screenshot('turn-narrow');
  const overflow = await chat.page.locator('body').evaluate((body) => body.scrollWidth - body.clientWidth);
  assert.equal(overflow, 0, 'Nothing is wider than a narrow side bar.');
  await workbench.resizeSecondarySideBar(usual);
});
