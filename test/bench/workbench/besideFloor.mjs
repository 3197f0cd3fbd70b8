// @ts-check
// Measures the chat in turns with the floor, so that each figure is a ratio of one run.
import { percentile } from './chatBench.mjs';
import { FloorBench } from './floor.mjs';

/** @typedef {import('./chatBench.mjs').ChatBench} ChatBench */

/** What is sent, and how many times as long as on the floor it may take. @type {readonly { name: string, command: string, count: number, budget: number }[]} */
const kinds = [
  { name: 'a message of 10 chunks', command: 'chunks', count: 10, budget: 1.5 },
  { name: '500 chunks', command: 'chunks', count: 500, budget: 1.5 },
  { name: '5,000 chunks', command: 'chunks', count: 5000, budget: 1.5 },
  { name: '50 tool calls, three updates each', command: 'calls', count: 50, budget: 2 },
  { name: '200 tool calls, three updates each', command: 'calls', count: 200, budget: 2 },
  { name: '200 tool calls with diffs, one update each', command: 'diffs', count: 200, budget: 2 },
];

/** @typedef {{ name: string, ms: number, floorMs: number, ratio: number, budget: number }} Beside */

/** At most so many milliseconds from the agent's last word to the screen. @type {Record<string, number>} */
const lastWord = { '500 chunks': 35, '200 tool calls with diffs, one update each': 60 };

/**
 * Sends the same to both, in new sessions, round by round.
 * @param {ChatBench} chat @param {number} rounds
 * @returns {Promise<Beside[]>} medians
 */
export async function besideFloor(chat, rounds) {
  const floor = new FloorBench(chat.workbench);
  /** @type {Beside[]} */
  const rows = [];
  for (const { name, command, count, budget } of kinds) {
    /** @type {number[][]} */
    const times = [[], []];
    /** @type {number[][]} */
    const after = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, bench] of [floor, chat].entries()) {
        await bench.newSession();
        const { ms, afterLast } = await bench.turn(command, count);
        times[at]?.push(ms);
        after[at]?.push(afterLast);
      }
    }
    const [floorMs = NaN, ms = NaN] = times.map((all) => percentile(all, 0.5));
    const row = { name, ms, floorMs, ratio: ms / floorMs, budget };
    rows.push(row);
    print(row);
    const [floorAfter = NaN, ownAfter = NaN] = after.map((all) => percentile(all, 0.5));
    console.log(
      `  after the agent’s last word${`${ownAfter.toFixed(0)} ms of ${lastWord[name] ?? '-'}, floor ${floorAfter.toFixed(0)} ms`.padStart(40)}`,
    );
  }
  /** @type {number[][]} */
  const delays = [];
  for (const bench of [floor, chat]) {
    await bench.newSession();
    delays.push(await bench.paced(600));
  }
  for (const share of [0.5, 0.95]) {
    const [floorMs = NaN, ms = NaN] = delays.map((all) => percentile(all, share));
    const row = { name: `chunk to screen, ${share * 100}%`, ms, floorMs, ratio: ms / floorMs, budget: Infinity };
    rows.push(row);
    print(row);
  }
  await chat.workbench.runCommand('View: Close All Editors');
  return rows;
}

/** @param {Beside} row */
function print({ name, ms, floorMs, ratio, budget }) {
  const figures = [`${ms.toFixed(0)} ms`, `floor ${floorMs.toFixed(0)} ms`, `${ratio.toFixed(2)} × of ${budget}`];
  console.log(name.padEnd(48) + figures.map((text) => text.padStart(16)).join(''));
}
