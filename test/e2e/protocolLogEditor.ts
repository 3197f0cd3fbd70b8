import type { Workbench } from '../workbench/workbench.mjs';

/** Opens the protocol log of an agent in an editor; agents of tests before may have logs, too. */
export async function openProtocolLog(workbench: Workbench, agent: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('Parley: Show Protocol Log');
  const tab = page.locator('.tabs-container .tab', { hasText: agent }).filter({ hasText: '.jsonl' });
  const choice = page.locator('.quick-input-list .monaco-list-row', { hasText: agent }).first();
  await tab.or(choice).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await tab.waitFor();
}

/** Resolves when the editor's own search finds `text` in the protocol log of an agent. */
export async function untilInProtocolLog(workbench: Workbench, agent: string, text: string): Promise<void> {
  const { page } = workbench;
  await openProtocolLog(workbench, agent);
  await page.locator('.editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+f');
  await page.locator('.find-widget textarea').first().fill(text);
  await page.locator('.find-widget .matchesCount', { hasText: /^(\d+|\?) of \d+/ }).waitFor();
  await page.keyboard.press('Escape');
}
