import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from '../workbench/workbench.mjs';
import { until } from './poll';

/** The editor in front colours a line that an agent wrote, not the other one, marks it in its overview ruler, and has review in its title. */
export async function changeIsMarked(workbench: Workbench, written: string, other: string): Promise<void> {
  const editor = workbench.page.locator('.part.editor .editor-instance:visible').first();
  const top = async (text: string) => (await editor.locator('.view-line', { hasText: text }).first().boundingBox())?.y;
  const coloured = editor.locator('.view-overlays .cdr[class*="TextEditorDecorationType"]');
  await coloured.first().waitFor();
  const tops = async () => Promise.all((await coloured.all()).map(async (one) => (await one.boundingBox())?.y));
  // The editor moves colours along with its text when that follows the file, and they are drawn anew a moment later.
  await until(
    async () => {
      const now = await tops();
      return now.includes(await top(written)) && !now.includes(await top(other));
    },
    async () => `${(await tops()).join()} are coloured, not ${await top(written)}`,
  );
  const backgrounds = await coloured.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.ok(backgrounds.some((color) => color !== 'rgba(0, 0, 0, 0)'));
  await until(
    async () => (await marksIn(editor)) === 2,
    async () => `${await marksIn(editor)} marks, not 2`,
  );
  for (const name of ['Previous Change', 'Next Change', 'Compare with Last Kept Version']) {
    await workbench.page.locator(`.part.editor .title [aria-label^="${name}"]`).first().waitFor();
  }
}

/** How many marks of review stand in an editor's overview ruler, which is a picture. */
function marksIn(editor: Locator): Promise<number> {
  return editor.locator('canvas.decorationsOverviewRuler').evaluate((ruler: HTMLCanvasElement) => {
    // The editor's own change bars are marked on the left.
    const right = Math.ceil((ruler.width * 2) / 3);
    const { data, width, height } = ruler.getContext('2d')!.getImageData(right, 0, ruler.width - right, ruler.height);
    const brush = new OffscreenCanvas(1, 1).getContext('2d')!;
    brush.fillStyle = getComputedStyle(ruler).getPropertyValue('--vscode-editorOverviewRuler-modifiedForeground');
    brush.fillRect(0, 0, 1, 1);
    const colour = brush.getImageData(0, 0, 1, 1).data;
    // Two colours lie over each other at the cursor.
    const isMarked = (row: number) => {
      const at = (row * width + Math.floor(width / 2)) * 4;
      return [0, 1, 2].every((channel) => Math.abs(data[at + channel]! - colour[channel]!) < 8);
    };
    return Array.from({ length: height }, (_, row) => row).filter((row) => isMarked(row) && !isMarked(row - 1)).length;
  });
}

/**
 * The number of changes that wait for the user, where VS Code shows it; not visible when none waits. While Git looks for
 * repositories, the same badge has an icon.
 */
export function waitingChanges({ page }: Workbench): Locator {
  const badge = page.locator('.activitybar [aria-label^="Source Control"] ~ .badge .badge-content:visible');
  return badge.filter({ hasText: /\d/ });
}

/** Keeps kept.txt and undoes undone.txt with the buttons of the Source Control view, whose badge counts what waits. */
export async function inSourceControl(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const counts = (count: string) => waitingChanges(workbench).filter({ hasText: count }).waitFor();
  await counts('3');
  await workbench.runCommand('Source Control: Focus on Changes View');
  const group = page.locator('.scm-view .monaco-list-row', { hasText: 'Agent Changes' });
  await group.first().waitFor();
  for (const [name, button, left] of [
    ['kept.txt', 'Keep File', '2'],
    ['undone.txt', 'Undo File', '1'],
  ] as const) {
    const row = page.locator('.scm-view .monaco-list-row', { hasText: name });
    await row.hover();
    await row.locator(`[aria-label^="${button}"]`).click();
    await row.waitFor({ state: 'detached' });
    await counts(left);
  }
}
