import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Session } from '../../src/session/session';
import type { AgentId } from '../../src/shared/values/ids';
import { all, isClosed, isReady, lives, pidsOf, PoolHarness } from '../unit-support/poolHarness';

// Eight sessions of four agents, real processes: they stream, die, are started again, are closed and opened anew. What that leaves in
// memory, and which handles and listeners, must not grow with it.

const { values } = parseArgs({ options: { updates: { type: 'string' }, reconnects: { type: 'string' } } });
const reconnects = Number(values.reconnects ?? 500);
const updates = Number(values.updates ?? 1_000_000);
const agents = ['One', 'Two', 'Three', 'Four'];
const sessionsPerAgent = 2;
const rounds = Math.ceil(reconnects / agents.length);
const perTurn = Math.ceil(updates / (rounds * agents.length * sessionsPerAgent));
/** Sessions keep their transcripts: after so many rounds they are closed, and others opened. */
const roundsPerSession = 5;
/** Until then code is compiled and caches fill. */
const warmUp = Math.max(roundsPerSession, Math.ceil(rounds / 5 / roundsPerSession) * roundsPerSession);
const allowedGrowth = 1.1;

const test = new PoolHarness();

function specOf(name: string) {
  const toolCall = {
    sessionUpdate: 'tool_call',
    toolCallId: 'call',
    title: 'Work',
    kind: 'execute',
    status: 'in_progress',
  };
  const text = 'what the tool says so far, and a little more of it';
  const content = [{ type: 'content', content: { type: 'text', text } }];
  const steps = [
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'call', content } },
    { update: { sessionUpdate: 'plan', entries: [{ content: 'Step $n', priority: 'high', status: 'pending' }] } },
    { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'so' } } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 'call', title: 'Work $n' } },
  ];
  const repeat = Math.max(1, Math.ceil((perTurn - 2) / steps.length));
  const turn = { steps: [{ update: toolCall }, { repeat, steps }, { say: 'done' }] };
  return { ...test.spec({ turns: [turn] }, { AGENT: name }), id: `settings:${name}` as AgentId, name };
}

const specs = agents.map(specOf);
let sent = 0;

function openAll(): Session[] {
  return specs.flatMap((spec) =>
    Array.from({ length: sessionsPerAgent }, () => test.pool.createSession({ spec, cwd: process.cwd() })),
  );
}

/** Resolves as soon as the claim holds. It is tried after each op, so the cheap part of it comes first. */
async function until(session: Session, claim: (session: Session) => boolean): Promise<void> {
  if (claim(session)) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Never true: ${claim.toString()}`)), 120_000);
    const listener = session.onDidApply(() => {
      queueMicrotask(() => {
        if (!claim(session)) return;
        clearTimeout(timer);
        listener.dispose();
        resolve();
      });
    });
  });
}

const answers = (session: Session) => all(session, 'agent_message').length;
const isIdle = ({ transcript: { view } }: Session) => view.activity.state === 'idle';

async function runTurn(session: Session): Promise<void> {
  await until(session, isReady);
  const before = answers(session);
  session.sendPrompt('go');
  await until(session, (one) => isIdle(one) && answers(one) > before);
  sent += perTurn;
}

/** Ends all agents as a crash would, and starts them again in their sessions. */
async function reconnect(sessions: readonly Session[]): Promise<number> {
  const pids = pidsOf(test).filter(lives);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await Promise.all(sessions.map((session) => until(session, isClosed)));
  // The next numbers are those of the next processes.
  test.log.length = 0;
  for (const session of sessions) session.restart();
  await Promise.all(sessions.map((session) => until(session, isReady)));
  for (const pid of pids) if (lives(pid)) throw new Error(`Process ${pid} is left`);
  return pids.length;
}

/** Memory in use when everything that can go has gone, in MB. */
async function heap(): Promise<number> {
  for (let count = 0; count < 4; count += 1) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function handles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** How many listeners the pool's own events have. */
function listeners(): number {
  return Object.values(test.pool as object)
    .map((field: unknown) => (field as { listeners?: unknown } | undefined)?.listeners)
    .reduce<number>((sum, set) => sum + (set instanceof Set ? set.size : 0), 0);
}

async function soak(): Promise<void> {
  if (!globalThis.gc) throw new Error('Run it with --expose-gc');
  const started = performance.now();
  const [handlesBefore, listenersBefore] = [handles(), listeners()];
  let sessions = openAll();
  let made = 0;
  const measured: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    await Promise.all(sessions.map(runTurn));
    made += await reconnect(sessions);
    if (round % roundsPerSession > 0 && round < rounds) continue;
    for (const session of sessions) session.close();
    sessions = openAll();
    await Promise.all(sessions.map((session) => until(session, isReady)));
    if (round < warmUp) continue;
    measured.push(await heap());
    if (measured.length % 5 === 1) console.log(`Round ${round} of ${rounds}: ${measured.at(-1)?.toFixed(1)} MB`);
  }
  const pids = pidsOf(test);
  await test.pool.stopAll();
  for (const pid of pids) if (lives(pid)) throw new Error(`Process ${pid} is left`);
  await heap();
  // Of several measurements the lowest: what a moment needs is no growth.
  const third = Math.max(1, Math.floor(measured.length / 3));
  const [first, last] = [Math.min(...measured.slice(0, third)), Math.min(...measured.slice(-third))];
  const seconds = (performance.now() - started) / 1000;
  const [handlesAfter, listenersAfter] = [handles(), listeners()];
  console.log(
    `${sessions.length} sessions of ${agents.length} agents, ${sent} updates, ${made} reconnects in ${seconds.toFixed(0)} s`,
  );
  console.log(
    `Heap after warm-up ${first.toFixed(1)} MB, at the end ${last.toFixed(1)} MB: ${((last / first - 1) * 100).toFixed(1)}%`,
  );
  console.log(`Handles ${JSON.stringify(handlesBefore)} before, ${JSON.stringify(handlesAfter)} after`);
  console.log(`Listeners ${listenersBefore} before, ${listenersAfter} after`);
  if (last > first * allowedGrowth) throw new Error('Memory grows');
  if (listenersAfter !== listenersBefore) throw new Error('Listeners are left');
  for (const [kind, count] of Object.entries(handlesAfter)) {
    if (count > (handlesBefore[kind] ?? 0)) throw new Error(`Handles are left: ${kind}`);
  }
}

soak().then(
  () => process.exit(0),
  async (error: unknown) => {
    console.error(error);
    await test.pool.stopAll();
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    process.exit(1);
  },
);
