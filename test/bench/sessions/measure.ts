// Runs in plain Node: `run.mjs` bundles it. Prints rows as JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SessionFeed, type FeedPage } from '../../../src/host/sessionList/sessionFeed';
import { AgentMarks } from '../../../src/host/sessionList/agentMarks';
import { SessionStore } from '../../../src/host/sessions/stored/sessionStore';
import type { StoredListing } from '../../../src/host/sessions/stored/storedListing';
import { WindowBoard } from '../../../src/host/sessions/stored/windowBoard';
import { WordIndex } from '../../../src/host/sessions/stored/wordIndex';
import { JsonFiles } from '../../../src/host/storage/jsonFiles';
import { StorageWindows } from '../../../src/host/storage/storageWindows';
import { toStored } from '../../../src/session/transcript/storedSession';
import { Emitter } from '../../../src/shared/values/event';
import type { AgentId, EntryId, SessionKey } from '../../../src/shared/values/ids';
import type { ToWebview } from '../../../src/shared/pages/messages';
import { createTranscript } from '../../../src/shared/transcript/ops';
import { emptyView } from '../../unit-support/emptyView';
import { noTroubles } from '../../unit-support/storage';

const count = 1000;
const turns = 20;
const agents = ['Claude', 'Codex', 'Gemini', 'Qwen', 'opencode', 'Copilot'];
const words = 'upload retry backoff session store page host agent index rule watch parse context view tree test'.split(
  ' ',
);
/** Said once, in the oldest session. */
const rare = 'heliotrope';
const day = 24 * 60 * 60_000;

function sentence(at: number): string {
  return Array.from(
    { length: 60 },
    (_, word) => `${words[(at * 7 + word * 5) % words.length]}${(at * word) % 97}`,
  ).join(' ');
}

/** Writes 1,000 closed sessions of 40 messages each, the oldest from a year ago. */
function createSessions(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at++) {
    const key = `session-${at}` as SessionKey;
    const agentName = agents[at % agents.length] ?? '';
    const agentId = `settings:${agentName}` as AgentId;
    const updatedAt = Date.now() - ((at + 1) * 365 * day) / count;
    const view = {
      title: `Task ${at}: ${sentence(at).slice(0, 40)}`,
      agentId,
      agentName,
      cwd: `/work/project-${at % 9}`,
    };
    const transcript = createTranscript({ ...emptyView, ...view });
    for (let turn = 1; turn <= turns; turn++) {
      for (const kind of ['user_message', 'agent_message'] as const) {
        const id = `${kind}-${turn}` as EntryId;
        const isRare = at === count - 1 && turn === 7 && kind === 'agent_message';
        const text = isRare ? `The color is ${rare} here.` : sentence(at * turns + turn);
        transcript.order.push(id);
        const content = [{ type: 'text', text }] as const;
        const message = kind === 'user_message' ? ({ kind, state: 'sent' } as const) : { kind };
        transcript.entries.set(id, { ...message, id, turn, content });
      }
    }
    const listing: StoredListing = {
      key,
      ...view,
      size: transcript.order.length,
      madeAt: updatedAt,
      updatedAt,
      isOpen: false,
      branch: `feature-${at % 30}`,
    };
    const name = JsonFiles.nameOf(key);
    writeFileSync(join(folder, name), JSON.stringify(toStored(key, transcript)));
    writeFileSync(join(folder, `${name}.listing.json`), JSON.stringify(listing));
  }
}

function usedMemory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const [folder = ''] = process.argv.slice(2);
createSessions(join(folder, 'sessions'));
const never = new Emitter<void>();
const source = { sessions: [], onDidChangeSessions: never.event };
const open = () => {
  const windows = new StorageWindows(folder);
  return new SessionStore(source, join(folder, 'sessions'), { now: Date.now, windows, troubles: noTroubles });
};
{
  // In the background, long before.
  const store = open();
  await store.look();
  const index = new WordIndex(store, join(folder, 'words'));
  await index.update();
  index.dispose();
  store.dispose();
}

const before = usedMemory();
const store = open();
const start = performance.now();
await store.look();
const listed = performance.now() - start;
const marks = new AgentMarks({ get: () => undefined, update: () => Promise.resolve() });
const feed = new SessionFeed({
  pool: {
    ...source,
    running: [],
    leaseRunning: () => [],
    lease: () => {
      throw new Error('No agent is started.');
    },
  },
  catalog: { all: [], onDidChange: never.event },
  sessions: store,
  board: new WindowBoard(join(folder, 'board')),
  marks,
  branches: { of: () => undefined, onDidChange: never.event },
  changes: { of: () => undefined, onDidChange: never.event },
  tries: { groupOf: () => undefined, onDidChange: never.event },
  folders: () => [folder],
  isTrusted: () => true,
});
let sent = 0;
const page: FeedPage = {
  post: (message: ToWebview) => {
    // The editor sends it as text to the page.
    if (message.type === 'sessions') sent = (JSON.parse(JSON.stringify(message)) as typeof message).rows.length;
  },
};
const times: number[] = [];
const reads: number[] = [];
for (let round = 0; round < 7; round++) {
  const looked = new Promise<void>((resolve) => {
    const listening = feed.onDidLook(() => {
      listening.dispose();
      resolve();
    });
  });
  feed.unwatch(page);
  const began = performance.now();
  feed.watch(page);
  times.push(performance.now() - began);
  await looked;
  reads.push(performance.now() - began);
}
if (sent !== count) throw new Error(`The page got ${sent} sessions.`);
await new Promise((resolve) => setImmediate(resolve));
const memory = (usedMemory() - before) / 1e6;

const index = new WordIndex(store, join(folder, 'words'));
const searchStart = performance.now();
const found = await index.search(rare);
const firstSearch = performance.now() - searchStart;
if (found[0]?.sentence.includes(rare) !== true) throw new Error('The word was not found.');
const searches: number[] = [];
for (let round = 0; round < 9; round++) {
  const began = performance.now();
  await index.search(rare);
  searches.push(performance.now() - began);
}
const whole = (usedMemory() - before) / 1e6;
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rows = [
  { name: '1,000 listings read when the window opens', value: listed, budget: 2000 },
  { name: '1,000 sessions, sent to the page, first time', value: times[0] ?? Number.NaN, budget: 150 },
  { name: '1,000 sessions, sent to the page, median', value: median(times.slice(1)), budget: 150 },
  { name: '1,000 sessions, read again behind it', value: median(reads), budget: 2000 },
  { name: '1,000 sessions, memory with the list open', value: memory, budget: 20, unit: 'MB' },
  { name: '1,000 sessions, memory with the index of words', value: whole, budget: 20, unit: 'MB' },
  { name: 'A word from a year ago, first search', value: firstSearch, budget: 200 },
  { name: 'A word from a year ago, median', value: median(searches), budget: 200 },
];
process.stdout.write(JSON.stringify(rows));
process.exit(0);
