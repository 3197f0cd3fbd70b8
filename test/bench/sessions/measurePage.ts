// Runs with the driver of a browser: `run.mjs` bundles it. Writes rows as JSON.
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { useBrowser } from '../../page/chat';
import { pageWithSession, sessionA, snapshot } from '../../page/samples';
import { manyRows } from '../../page/sessionRowSamples';

const browser = useBrowser();
const rounds = 7;

test('the page with 1,000 sessions', async () => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeToOpen());
  const results = [
    { name: '1,000 sessions, drawn, longest', value: Math.max(...times), budget: 150, unit: 'ms' },
    {
      name: '1,000 sessions, drawn, median',
      value: times.sort((a, b) => a - b)[Math.floor(rounds / 2)],
      budget: 150,
      unit: 'ms',
    },
  ];
  await writeFile(process.env['PARLEY_BENCH_RESULTS'] ?? '', JSON.stringify(results));
});

/** Opens the list on a page that was just loaded. Returns milliseconds until its rows are on the screen. */
async function timeToOpen(): Promise<number> {
  const chat = await browser.open({ ownWindow: true });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await chat.still();
  const rows = manyRows(1000, Date.now());
  const time = await chat.page.evaluate(
    async ({ rows }) => {
      const tell = (data: object) => window.dispatchEvent(new MessageEvent('message', { data }));
      const start = performance.now();
      tell({ type: 'showSessions' });
      tell({ type: 'sessions', rows, ends: [], deleted: 0 });
      while (!document.querySelector('.pl-sess')) await new Promise(requestAnimationFrame);
      // The frame that shows them has been drawn.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    },
    { rows },
  );
  await chat.close();
  return time;
}
