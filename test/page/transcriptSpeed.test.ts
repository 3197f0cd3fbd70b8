import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import { useBrowser, type Chat } from './chat';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';
import { chunks, giants, longMarkdown, streamOps } from './transcriptSamples';

const browser = useBrowser();
const mark = 'END-OF-TEXT';

interface Measured {
  /** From the first message to the mark being painted, in milliseconds. */
  readonly total: number;
  /** Processor time of the page's main thread for it, which other work on the machine does not stretch. */
  readonly cpu: number;
  readonly parts: string;
  readonly longest: number;
  readonly nodes: number;
}

async function openSession(): Promise<Chat> {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot({ activity: { state: 'running', since: Date.now() } }, [userMessage('u1', 'Go on')]),
  );
  return chat;
}

/** Sends ops in batches, one per `pauseMs`, and measures until the text of the mark has been painted. */
async function measure(chat: Chat, batches: readonly (readonly TranscriptOp[])[], pauseMs: number): Promise<Measured> {
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return new Map(metrics.map(({ name, value }) => [name, value * 1000]));
  };
  await chat.page.evaluate((data) => Object.assign(window, { batches: data }), batches);
  const before = await read();
  const result = await play(chat, pauseMs);
  const after = await read();
  const took = (name: string) => Math.round((after.get(name) ?? 0) - (before.get(name) ?? 0));
  const parts = `script ${took('ScriptDuration')}, layout ${took('LayoutDuration')}, style ${took('RecalcStyleDuration')}`;
  return { ...result, cpu: took('TaskDuration'), parts };
}

async function play(chat: Chat, pauseMs: number): Promise<{ total: number; longest: number; nodes: number }> {
  return chat.page.evaluate(
    async ({ pauseMs, session, mark }) => {
      const { batches } = window as unknown as { batches: readonly (readonly object[])[] };
      let longest = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
      });
      observer.observe({ entryTypes: ['longtask'] });
      const feed = document.querySelector('.pl-feed');
      if (!feed) throw new Error('no feed');
      const started = performance.now();
      let from = 0;
      const seen = new Promise<void>((resolve) => {
        const check = () => {
          // Only the end is looked at: reading the whole text each time would be what is measured.
          let end = feed.querySelector('.pl-col')?.lastElementChild?.previousElementSibling;
          while (end && end.childElementCount > 0 && !end.matches('p, .pl-tool')) {
            end = end.lastElementChild;
            if (end?.matches('.live:empty')) end = end.previousElementSibling;
          }
          if (end?.textContent.includes(mark)) requestAnimationFrame(() => setTimeout(resolve));
          else requestAnimationFrame(check);
        };
        check();
      });
      for (const ops of batches) {
        const data = { type: 'ops', session, from, to: from + ops.length, ops };
        from += ops.length;
        window.dispatchEvent(new MessageEvent('message', { data }));
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      await seen;
      const total = performance.now() - started;
      await new Promise((resolve) => setTimeout(resolve, 200));
      observer.disconnect();
      return { total, longest, nodes: feed.querySelectorAll('*').length };
    },
    { pauseMs, session: sessionA, mark },
  );
}

function show({ total, cpu, parts, longest, nodes }: Measured): string {
  return `${Math.round(total)} ms, processor ${cpu} ms (${parts}), longest task ${Math.round(longest)} ms, ${nodes} elements`;
}

function batched(ops: readonly TranscriptOp[], size: number): TranscriptOp[][] {
  const out: TranscriptOp[][] = [];
  for (let at = 0; at < ops.length; at += size) out.push(ops.slice(at, at + size));
  return out;
}

/** The host joins what arrives within a frame, so one message carries what came in it. */
function joined(batches: readonly TranscriptOp[][]): TranscriptOp[][] {
  return batches.map((ops) => {
    const text = ops.map((op) => (op.op === 'appendText' ? op.text : '')).join('');
    const first = ops[0];
    return first?.op === 'appendText' ? [{ ...first, text }] : ops;
  });
}

function stream(text: string): TranscriptOp[] {
  const insert: TranscriptOp = {
    op: 'insert',
    entry: { id: 'm1' as EntryId, turn: 1, kind: 'agent_message', content: [{ type: 'text', text: '' }] },
  };
  return [insert, ...streamOps('m1', chunks(`${text}\n\n${mark}`))];
}

async function run(
  name: string,
  ops: readonly TranscriptOp[],
  perBatch: number,
  pauseMs: number,
  join = true,
): Promise<Measured> {
  const chat = await openSession();
  const batches = batched(ops.slice(1), perBatch);
  const result = await measure(chat, [ops.slice(0, 1), ...(join ? joined(batches) : batches)], pauseMs);
  console.log(`${name}: ${show(result)}`);
  assert.deepEqual(chat.errors, []);
  await chat.close();
  return result;
}

// Only ratios inside one run are tested, by processor time; how long things take is measured by `npm run bench`.
test('20,000 chunks take about ten times as long as 2,000', async () => {
  const small = await run('2,000 chunks at once', stream(longMarkdown(80_000)), 1000, 0);
  const large = await run('20,000 chunks at once', stream(longMarkdown(800_000)), 1000, 0);
  assert.ok(large.cpu < 20 * Math.max(small.cpu, 50), `${small.cpu} ms, then ${large.cpu} ms`);
});

/** What has many elements takes longest to draw again, so that less of it shows whether that happens in every frame. */
const ofManyElements: readonly string[] = ['list', 'nested', 'table'];

for (const [name, make] of Object.entries(giants)) {
  test(`renders one giant ${name} in linear time`, async () => {
    // As much in each frame: what draws all of it again in every frame takes up to 25 times as long.
    const length = ofManyElements.includes(name) ? 20_000 : 40_000;
    const small = await run(`${name}, ${length} letters`, stream(make(length)), 50, 4);
    const large = await run(`${name}, ${5 * length} letters`, stream(make(5 * length)), 50, 4);
    assert.ok(large.cpu < 8 * Math.max(small.cpu, 50), `${small.cpu} ms, then ${large.cpu} ms`);
  });
}
