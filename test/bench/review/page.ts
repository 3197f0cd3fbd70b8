import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { HunkWish } from '../../../src/shared/changes/reviewPage';
import { useBrowser, type Chat } from '../../page/chat';
import { ReviewHost } from '../../page/reviewHost';
import { longestTask, watchTasks } from '../longTasks';

const browser = useBrowser();
const rows: { readonly name: string; readonly value: number; readonly budget: number; readonly unit: string }[] = [];
const add = (name: string, value: number, budget: number, unit = 'ms') => rows.push({ name, value, budget, unit });

const fileCount = 2000;
/** Replaced and added lines of each file, which make 100,000 in all. */
const changedPerFile = 50;
const change = '.pl-hunk .l';

/** Lets an agent change files of 200 lines at several places each. */
function write(host: ReviewHost, count: number): void {
  for (let at = 0; at < count; at++) {
    const lines = Array.from({ length: 200 }, (_, line) => `  const value${line} = compute(${at}, "${line % 13}");`);
    let left = changedPerFile;
    const after = lines.flatMap((line, index) => {
      const isPlace = index % 50 >= 20 && index % 50 < 26;
      if (!isPlace || left < 2) return [line];
      left -= 2;
      return [line.replace('compute', 'computeOnce')];
    });
    // The rest is added at the end.
    after.push(...Array.from({ length: left }, (_, line) => `  const more${line} = ${at};`));
    host.write(`src/folder${String(at % 40).padStart(2, '0')}/file${at}.ts`, text(lines), text(after));
  }
}

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;

/** Opens a page of so many files five times. Returns the last host, and the median of the milliseconds until changes are on the page. */
async function opened(chat: Chat, count: number): Promise<{ readonly host: ReviewHost; readonly ms: number }> {
  const times: number[] = [];
  let host = new ReviewHost(chat);
  for (let round = 0; round < 5; round++) {
    host = new ReviewHost(chat);
    write(host, count);
    const started = performance.now();
    await chat.reload();
    await Promise.all([host.open(), chat.page.locator(change).first().waitFor()]);
    times.push(performance.now() - started);
  }
  return { host, ms: times.sort((a, b) => a - b)[2] ?? Number.NaN };
}

/** Scrolls from the top on, by so many screens a frame. Resolves to the largest number of elements. */
function scroll(chat: Chat, screens: number, frames = Infinity): Promise<number> {
  return chat.page.evaluate(
    async ([step, most]) => {
      const feed = document.querySelector('[role=feed]');
      if (!feed) throw new Error('There is no feed.');
      feed.scrollTop = 0;
      let [frame, elements] = [0, 0];
      while (feed.scrollTop + feed.clientHeight < feed.scrollHeight - 1 && frame < most) {
        if (++frame > 20_000) throw new Error('The page has no end.');
        feed.scrollTop += step * feed.clientHeight;
        await new Promise(requestAnimationFrame);
        elements = Math.max(elements, feed.querySelectorAll('*').length);
      }
      return elements;
    },
    [screens, frames] as const,
  );
}

test('2,000 files with 100,000 changed lines', { timeout: 600_000 }, async () => {
  const chat = await browser.open({ page: 'review', ownWindow: true, width: 1300, height: 900 });
  const few = await opened(chat, 10);
  const { host, ms } = await opened(chat, fileCount);
  add('10 files, review page opened', few.ms, 500);
  add('2,000 files, review page opened', ms, 500);
  add('2,000 files, opened, times as long as 10 files', ms / few.ms, 2, '');

  // The page gets its answers while it scrolls, as from the extension host.
  await chat.page.exposeFunction('contentOf', (uri: string, wishes: readonly HunkWish[]) =>
    host.contentOf(uri, wishes),
  );
  await chat.page.evaluate(() => {
    const { contentOf } = window as unknown as { contentOf: (uri: string, wishes: unknown) => Promise<unknown> };
    let answered = window.fakeHost.posted.length;
    window.addEventListener('fake-host-posted', () => {
      const posted = window.fakeHost.posted as unknown as { type: string; uri: string; wishes: unknown }[];
      for (const { type, uri, wishes } of posted.slice(answered)) {
        if (type !== 'readFile') continue;
        void contentOf(uri, wishes).then((data) => window.dispatchEvent(new MessageEvent('message', { data })));
      }
      answered = posted.length;
    });
  });
  await watchTasks(chat);
  const passed = await scroll(chat, 2);
  add('2,000 files, scrolled by two screens a frame, longest task', await longestTask(chat), 50);
  add('2,000 files, scrolled by two screens a frame, elements at most', passed, 15_000, '');
  const read = await scroll(chat, 0.1, 1000);
  add('2,000 files, scrolled by a tenth of a screen a frame, longest task', await longestTask(chat), 50);
  add('2,000 files, scrolled by a tenth of a screen a frame, elements at most', read, 15_000, '');
  await chat.close();
});

test('results', async () => {
  await writeFile(process.env['PARLEY_BENCH_RESULTS'] ?? 'out/bench/review.json', JSON.stringify(rows));
});
