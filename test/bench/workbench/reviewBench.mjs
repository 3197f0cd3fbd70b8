// @ts-check
// Measures review in a real VS Code: the lenses of a large file and the chat's list of many files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./chatBench.mjs').ChatBench} ChatBench */

/** A file of 10,000 lines in the benchmark's workspace. */
export const bigFile = Array.from({ length: 10_000 }, (_, at) => `const value${at} = compute(${at});`).join('\n');

/** VS Code's own delay before it requests lenses again, in milliseconds. */
export const lensDebounceMs = 250;

/**
 * Measures 500 changes by an agent in 10,000 lines, from the click on Keep of the first until the lenses are drawn again.
 * @param {ChatBench} bench @param {number} times
 * @returns {Promise<number[]>} milliseconds
 */
export async function lensTimes(bench, times) {
  const { workbench } = bench;
  await bench.newSession();
  await bench.turn('changes', 500);
  await workbench.openFile('big.ts');
  const keeps = workbench.lens('Keep');
  const result = [];
  for (let round = 0; round < times; round += 1) {
    await keeps.first().waitFor();
    await keeps.first().evaluate(measureLenses);
    await keeps.first().click();
    await workbench.page.waitForFunction(() => /** @type {any} */ (window).benchLensMs > 0, undefined, { polling: 50 });
    result.push(await workbench.page.evaluate(() => /** @type {any} */ (window).benchLensMs));
    await workbench.runCommand('Parley: Undo Last Keep');
  }
  return result;
}

/** Runs in the workbench. @param {Element} keep the lens that will be clicked */
function measureLenses(keep) {
  const own = /** @type {any} */ (window);
  own.benchLensMs = 0;
  let start = 0;
  addEventListener('mousedown', () => (start = performance.now()), { capture: true, once: true });
  const widget = keep.closest('.codelens-decoration');
  const observer = new MutationObserver(() => {
    if (start === 0 || (widget?.isConnected && keep.isConnected)) return;
    observer.disconnect();
    own.benchLensMs = performance.now() - start;
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/**
 * Shows the files of the last turn one by one.
 * @param {import('playwright-core').Frame} frame
 */
async function unfoldChanges(frame) {
  await frame.getByRole('group', { name: 'End of turn' }).last().getByRole('button', { name: 'More' }).click();
  await frame.getByRole('menuitem', { name: 'Show changed files' }).click();
}

/**
 * Measures 200 files written by an agent, from the choice in the menu of the turn's end until their rows are on screen.
 * @param {ChatBench} bench
 * @returns {Promise<number>} milliseconds
 */
export async function listTime(bench) {
  await bench.newSession();
  await bench.turn('files', 200);
  const { frame } = bench;
  if (!frame) throw new Error('No session is open.');
  await frame.getByRole('group', { name: 'End of turn' }).getByRole('button', { name: 'More' }).click();
  const entry = frame.getByRole('menuitem', { name: 'Show changed files' });
  await entry.waitFor();
  const shown = frame.evaluate(measureList);
  await entry.click();
  return shown;
}

/**
 * Measures 2,000 new files by an agent: from the end of the turn until the chat counts all, and from the click on Undo all until
 * the chat and the disk have none.
 * @param {ChatBench} bench @param {string} folder of the workspace
 * @returns {Promise<{ readonly listed: number, readonly undone: number }>} milliseconds
 */
export async function manyFilesTimes(bench, folder) {
  await bench.newSession();
  await bench.turn('made', 2000);
  const { frame } = bench;
  if (!frame) throw new Error('No session is open.');
  const ended = performance.now();
  await frame.getByText('Changed 2000 files', { exact: true }).waitFor({ timeout: 60_000 });
  const listed = performance.now() - ended;
  await unfoldChanges(frame);
  const strip = frame.getByRole('button', { name: /^2000 files/ });
  await strip.waitFor({ timeout: 60_000 });
  const asked = performance.now();
  await frame.getByRole('button', { name: 'Undo all' }).first().click();
  await strip.waitFor({ state: 'detached', timeout: 120_000 });
  await frame.getByRole('button', { name: /^\d+ files?/ }).waitFor({ state: 'detached', timeout: 120_000 });
  const undone = performance.now() - asked;
  if (existsSync(join(folder, 'made'))) throw new Error('Undo all left new files or folders behind.');
  return { listed, undone };
}

/** Runs in the page. @returns {Promise<number>} */
function measureList() {
  return new Promise((resolve) => {
    let start = 0;
    addEventListener('click', () => (start = performance.now()), { capture: true, once: true });
    const rows = () => document.querySelectorAll('.pl-changes .pl-rows:not(.sr) .pl-row').length;
    const observer = new MutationObserver(() => {
      if (start === 0 || rows() < 200) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => resolve(performance.now() - start);
        painted.port2.postMessage(0);
      });
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}
