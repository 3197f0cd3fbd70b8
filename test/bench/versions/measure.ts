// Runs in plain Node: `run.mjs` bundles it. Prints rows as JSON.
import type { Dialect } from '../../../src/acp/dialect/dialect';
import { offeredDialect, requestedDialect } from '../../../src/acp/dialects';
import { SessionHarness } from '../../unit-support/fakeSession';

/** Updates of each kind in one round. */
const count = 50_000;
const rounds = 7;
/** How much slower than version 1 the other may be. Both do the same with an update once it is read. */
const allowed = 1.25;

const text = (at: number) => ({ type: 'text', text: `word ${at % 100} ` });

/** The same session in both versions: text, tool calls, and the output of a command. */
const streams: Readonly<Record<string, (at: number, isSecond: boolean) => object>> = {
  text: (at) => ({
    sessionUpdate: 'agent_message_chunk',
    messageId: `m${Math.floor(at / 200)}`,
    content: text(at),
  }),
  'tool calls': (at, isSecond) => ({
    sessionUpdate: isSecond || at % 10 > 0 ? 'tool_call_update' : 'tool_call',
    toolCallId: `c${Math.floor(at / 10)}`,
    title: `Read file ${at}`,
    kind: 'read',
    status: at % 10 === 9 ? 'completed' : 'in_progress',
    rawInput: { path: `/workspace/${at}` },
  }),
  output: (at, isSecond) =>
    isSecond
      ? {
          sessionUpdate: 'terminal_output_chunk',
          terminalId: 't',
          data: Buffer.from(`line ${at}\n`).toString('base64'),
        }
      : {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'run',
          _meta: { terminal_output: { terminal_id: 't', data: `line ${at}\n` } },
        },
};

/** Returns the microseconds that a session needs for an update. */
function measured(dialect: Dialect, stream: (at: number, isSecond: boolean) => object): number {
  const isSecond = dialect === offeredDialect;
  const updates = Array.from({ length: count }, (_, at) => stream(at, isSecond));
  const test = new SessionHarness();
  if (isSecond) test.agent.insertsPrompts = true;
  test.open({}, true, dialect);
  test.session.sendPrompt('go');
  const start = performance.now();
  for (const update of updates) test.session.agentSide.handleUpdate(update);
  const took = performance.now() - start;
  if (test.entries.length < 2 && test.session.transcript.terminals.size === 0) throw new Error('Nothing was shown.');
  return (took / count) * 1000;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

const rows = Object.entries(streams).map(([name, stream]) => {
  const ratios: number[] = [];
  const first: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // One after the other, so that a busy machine slows both.
    const before = measured(requestedDialect, stream);
    const after = measured(offeredDialect, stream);
    first.push(before);
    ratios.push(after / before);
  }
  const value = median(ratios);
  return { name: `${name}: version 2 (version 1: ${median(first).toFixed(1)} µs)`, value, budget: allowed, unit: '×' };
});
console.log(JSON.stringify(rows));
