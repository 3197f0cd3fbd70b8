import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { EntryId } from '../../../src/shared/values/ids';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import { useBrowser, type Chat } from '../../page/chat';
import { mixedEntries, mixedOps, mixedTerminals, serveOlder } from '../../page/longSessions';
import { agentMessage, pageWithSession, sessionA, snapshot } from '../../page/samples';
import { longestTask, watchTasks } from '../longTasks';

const browser = useBrowser();

interface Row {
  readonly name: string;
  readonly value: number;
  readonly budget: number;
  readonly unit: string;
}
const rows: Row[] = [];
const add = (name: string, value: number, budget: number, unit = 'ms') => rows.push({ name, value, budget, unit });

/** How many entries the host sends at first. */
const sent = 400;

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function open(total: number): Promise<Chat> {
  const chat = await browser.open({ ownWindow: true });
  await show(chat, total);
  await chat.still();
  await watchTasks(chat);
  return chat;
}

async function show(chat: Chat, total: number): Promise<void> {
  const from = Math.max(0, total - sent);
  await chat.showPage(pageWithSession());
  const base = snapshot({ activity: { state: 'running', since: Date.now() } }, mixedEntries(from, total));
  await chat.showSession(sessionA, { ...base, omitted: from, terminals: mixedTerminals(total) });
}

function nodes(chat: Chat): Promise<number> {
  return chat.page.evaluate(() => {
    let count = 0;
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) count++;
    return count;
  });
}

/** The heap in MB after a collection. */
async function heap(chat: Chat): Promise<number> {
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_048_576;
}

/** Sends batches of ops in the page, one per frame. Returns milliseconds until the last one is on screen. */
async function play(chat: Chat, from: number, batches: readonly (readonly TranscriptOp[])[]): Promise<number> {
  await chat.page.evaluate((data) => Object.assign(window, { batches: data }), batches);
  return chat.page.evaluate(
    async ({ from, session }) => {
      const { batches } = window as unknown as { batches: readonly (readonly object[])[] };
      // To take over the data was a long task of the measurement, not of the page.
      await new Promise((resolve) => setTimeout(resolve, 50));
      (window as unknown as { since: number }).since = performance.now();
      const started = performance.now();
      let rev = from;
      for (const ops of batches) {
        const data = { type: 'ops', session, from: rev, to: rev + ops.length, ops };
        rev += ops.length;
        window.dispatchEvent(new MessageEvent('message', { data }));
        await new Promise(requestAnimationFrame);
      }
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - started;
    },
    { from, session: sessionA },
  );
}

/** Types letters, and returns for each the milliseconds from the key to the end of the frame that shows it. */
async function typing(chat: Chat, count = 80): Promise<number[]> {
  await chat.message.focus();
  await chat.page.evaluate(() => {
    const own = window as unknown as { delays: number[] };
    own.delays = [];
    const ends = new MessageChannel();
    const started: number[] = [];
    ends.port1.onmessage = () => own.delays.push(performance.now() - (started.shift() ?? Number.NaN));
    document.addEventListener(
      'keydown',
      (event) => {
        started.push(event.timeStamp);
        requestAnimationFrame(() => ends.port2.postMessage(undefined));
      },
      { capture: true },
    );
  });
  for (let at = 0; at < count; at++) await chat.page.keyboard.press('a', { delay: 5 });
  await chat.page.waitForFunction((all) => (window as unknown as { delays: number[] }).delays.length >= all, count);
  return chat.page.evaluate(() => (window as unknown as { delays: number[] }).delays);
}

/** Lets 100 chunks per second arrive until `stop` is called. */
async function stream(chat: Chat, rev: number): Promise<() => Promise<void>> {
  await chat.page.evaluate(
    ({ rev, session, entry }) => {
      const own = window as unknown as { streaming: ReturnType<typeof setInterval> };
      let from = rev;
      const send = (op: object) => {
        const data = { type: 'ops', session, from, to: from + 1, ops: [op] };
        from++;
        window.dispatchEvent(new MessageEvent('message', { data }));
      };
      send({ op: 'insert', entry });
      let count = 0;
      own.streaming = setInterval(() => {
        const end = ++count % 30 === 0 ? '.\n\n' : ' ';
        send({ op: 'appendText', id: entry.id, block: 0, text: `some **words** of \`text\`${end}` });
      }, 10);
    },
    { rev, session: sessionA, entry: agentMessage('stream', '') },
  );
  return () => chat.page.evaluate(() => clearInterval((window as unknown as { streaming: number }).streaming));
}

/** Sends chunks one by one, and returns for each the milliseconds until the end of the frame that shows it. */
function chunkDelays(chat: Chat, rev: number): Promise<number[]> {
  return chat.page.evaluate(
    async ({ rev, session, entry }) => {
      let from = rev;
      const send = (op: object) => {
        const data = { type: 'ops', session, from, to: from + 1, ops: [op] };
        from++;
        window.dispatchEvent(new MessageEvent('message', { data }));
      };
      send({ op: 'insert', entry });
      const delays: number[] = [];
      for (let at = 0; at < 200; at++) {
        // Every phase between two frames comes equally often.
        await new Promise((resolve) => setTimeout(resolve, 10 + (at % 17)));
        const started = performance.now();
        send({ op: 'appendText', id: entry.id, block: 0, text: `words ${at}${at % 30 === 29 ? '.\n\n' : ' '}` });
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        delays.push(performance.now() - started);
      }
      return delays;
    },
    { rev, session: sessionA, entry: agentMessage('timed', '') },
  );
}

function batched(from: number, to: number, size: number): TranscriptOp[][] {
  const out: TranscriptOp[][] = [];
  for (let at = from; at < to; at += size) out.push(mixedOps(at, Math.min(to, at + size)));
  return out;
}

/** The revision after the ops of so many mixed entries. */
const revOf = (batches: readonly (readonly TranscriptOp[])[]) => batches.reduce((sum, ops) => sum + ops.length, 0);

test('an empty session', { timeout: 600_000 }, async () => {
  const chat = await open(0);
  const delays = await chunkDelays(chat, 0);
  add('chunk to screen, empty session, median', percentile(delays, 0.5), 33);
  add('chunk to screen, empty session, p95', percentile(delays, 0.95), 50);
  await chat.close();
});

test('live entries', { timeout: 600_000 }, async () => {
  const times = new Map<number, number>();
  for (const total of [1000, 10_000]) {
    const name = total.toLocaleString('en');
    const chat = await open(0);
    const batches = batched(0, total, 20);
    let most = 0;
    let took = 0;
    let longest = 0;
    let rev = 0;
    const part = Math.ceil(batches.length / 10);
    for (let at = 0; at < batches.length; at += part) {
      took += await play(chat, rev, batches.slice(at, at + part));
      longest = Math.max(longest, await longestTask(chat));
      rev += revOf(batches.slice(at, at + part));
      most = Math.max(most, await nodes(chat));
    }
    times.set(total, took);
    add(`${name} live entries, to screen`, took, total * 2);
    add(`${name} live entries, longest task`, longest, 50);
    add(`${name} live entries, nodes at most`, most, 15_000, '');
    add(`${name} live entries, heap`, await heap(chat), 150, 'MB');
    const rest = await typing(chat);
    add(`typing at ${name} live entries, median`, percentile(rest, 0.5), 20);
    add(`typing at ${name} live entries, p95`, percentile(rest, 0.95), 32);
    add(`typing at ${name} live entries, longest task`, await longestTask(chat), 50);
    const stop = await stream(chat, rev);
    const busy = await typing(chat);
    await stop();
    add(`typing at ${name}, 100 chunks/s, median`, percentile(busy, 0.5), 20);
    add(`typing at ${name}, 100 chunks/s, p95`, percentile(busy, 0.95), 32);
    add(`typing at ${name}, 100 chunks/s, longest task`, await longestTask(chat), 50);
    await chat.close();
  }
  add('10,000 live entries to 1,000, times as long', (times.get(10_000) ?? 0) / (times.get(1000) ?? 1), 13, '');
});

test('a reload at the end of 10,000 entries', { timeout: 600_000 }, async () => {
  const times: number[] = [];
  const chat = await open(10_000);
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    await chat.reload();
    await show(chat, 10_000);
    await chat.page.getByText('Paragraph 9999.').first().waitFor();
    times.push(performance.now() - started);
  }
  add('10,000 entries, page reloaded, to its end', percentile(times, 0.5), 1500);
  const delays = await chunkDelays(chat, 0);
  add('chunk to screen, mixed session, median', percentile(delays, 0.5), 33);
  add('chunk to screen, mixed session, p95', percentile(delays, 0.95), 50);
  await chat.close();
});

test('a reader who goes back through 10,000 entries', { timeout: 600_000 }, async () => {
  const chat = await open(10_000);
  await serveOlder(chat, 10_000);
  await chat.page.locator('[role=feed]').hover();
  await chat.page.mouse.wheel(0, -300);
  await chat.page.locator('.pl-jump').waitFor();
  let most = 0;
  await chat.page.waitForTimeout(500);
  await longestTask(chat);
  for (let at = 0; at < 60; at++) {
    await chat.page.evaluate(() => document.querySelector('[role=feed]')?.scrollTo(0, 0));
    await chat.still();
    most = Math.max(most, await nodes(chat));
    if (await chat.page.getByText('Request 0: the next step, please.', { exact: true }).isVisible()) break;
  }
  add('back through 10,000 entries, longest task', await longestTask(chat), 50);
  add('back through 10,000 entries, nodes at most', most, 15_000, '');
  add('back through 10,000 entries, heap', await heap(chat), 150, 'MB');
  const rest = await typing(chat);
  add('typing with 10,000 entries loaded, p95', percentile(rest, 0.95), 32);
  const stop = await stream(chat, 0);
  const busy = await typing(chat);
  await stop();
  add('typing with 10,000 entries loaded, 100 chunks/s, p95', percentile(busy, 0.95), 32);
  await chat.close();
});

test('200 tool calls with diffs', { timeout: 600_000 }, async () => {
  const ours: number[] = [];
  const raw: number[] = [];
  const text = (index: number) =>
    Array.from({ length: 80 }, (_, line) => `const value${line} = compute(${line}, ${index});`).join('\n');
  const entries = Array.from({ length: 200 }, (_, index) => ({
    ...mixedEntries(7, 8)[0],
    id: `diff${index}` as EntryId,
    toolCallId: `diff${index}`,
    content: [
      {
        type: 'diff',
        path: `/bench/file${index}.ts`,
        oldText: text(index),
        newText: text(index).replaceAll(/compute\((\d*[05]),/g, 'computeBetter($1,'),
      },
    ],
  }));
  for (let round = 0; round < 3; round++) {
    const chat = await open(0);
    const ops = entries.map((entry) => ({ op: 'insert', entry }) as TranscriptOp);
    const batches = Array.from({ length: 20 }, (_, at) => ops.slice(at * 10, at * 10 + 10));
    ours.push(await play(chat, 0, batches));
    // The same texts as they are, in a scrolling element.
    raw.push(
      await chat.page.evaluate(async (all) => {
        const box = document.createElement('div');
        box.style.cssText = 'position:fixed;inset:0;overflow:auto;white-space:pre-wrap;z-index:9';
        document.body.append(box);
        const started = performance.now();
        for (let at = 0; at < all.length; at += 10) {
          for (const entry of all.slice(at, at + 10)) {
            for (const { oldText, newText } of entry.content) {
              const part = document.createElement('div');
              part.textContent = `${oldText}\n${newText}`;
              box.append(part);
            }
          }
          box.scrollTop = box.scrollHeight;
          await new Promise(requestAnimationFrame);
        }
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now() - started;
      }, entries),
    );
    await chat.close();
  }
  add('200 tool calls with diffs, page only', percentile(ours, 0.5), 1000);
  add('200 tool calls with diffs, times the raw text', percentile(ours, 0.5) / percentile(raw, 0.5), 2.5, '');
});

test('results', async () => {
  await writeFile(process.env['PARLEY_BENCH_RESULTS'] ?? 'out/bench/page.json', JSON.stringify(rows));
});
