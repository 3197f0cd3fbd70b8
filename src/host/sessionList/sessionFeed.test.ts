import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { AgentLease } from '../../agent/pool/agentLease';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { Session } from '../../session/session';
import { toDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { SessionRow } from '../../shared/pages/sessionRows';
import type { StoredListing } from '../sessions/stored/storedListing';
import type { OtherWindow } from '../sessions/stored/windowBoard';
import { SessionFeed } from './sessionFeed';

const ada = { id: 'settings:Ada', name: 'Ada', source: 'settings' } as unknown as AgentSpec;
const bob = { id: 'settings:Bob', name: 'Bob', source: 'settings' } as unknown as AgentSpec;

const listing = (key: string, fields: Partial<StoredListing> = {}): StoredListing => ({
  key: key as SessionKey,
  title: key,
  agentId: ada.id,
  agentName: 'Ada',
  cwd: '/work/harbor',
  size: 1,
  madeAt: 1,
  updatedAt: 5,
  isOpen: false,
  ...fields,
});

function newSession(key: string): Session {
  const owner = { restart: () => undefined, closed: () => undefined, endProcess: () => undefined };
  const schedule = () => ({ dispose: () => undefined });
  const names = { key: key as SessionKey, agentId: ada.id, agentName: 'Ada', cwd: '/work/harbor' };
  return new Session({ ...names, owner, now: () => 7, schedule });
}

/** A page that the list is sent to. */
class Page {
  readonly got: ToWebview[] = [];
  private heard = (): void => undefined;

  post(message: ToWebview): void {
    this.got.push(message);
    this.heard();
  }

  /** Resolves with the next message about the list. */
  next(): Promise<ToWebview> {
    return new Promise((resolve) => {
      this.heard = () => resolve(this.got.at(-1)!);
    });
  }
}

/** A window with stored sessions, and agents that list one session each. */
function list(t: TestContext) {
  const sessionsChanged = new Emitter<void>();
  const storeChanged = new Emitter<void>();
  const catalogChanged = new Emitter<void>();
  const never = new Emitter<void>();
  const world = {
    agents: [ada, bob],
    live: [] as Session[],
    stored: [listing('one'), listing('two')] as StoredListing[],
    others: [] as OtherWindow[],
    running: [] as AgentSpec[],
    isTrusted: true,
    looks: 0,
    watching: 0,
    /** The agents that are kept running. */
    leases: [] as string[],
    started: [] as string[],
  };
  const lease = (spec: AgentSpec): AgentLease => {
    world.leases.push(spec.name);
    const can = { list: true, loadSession: true } as unknown as AgentCapabilities;
    const sessions = [{ sessionId: `of ${spec.name}`, cwd: '/work/harbor', title: `Told by ${spec.name}` }];
    const agent = { can, ask: () => Promise.resolve({ sessions }), redact: (text: string) => text };
    const dispose = () => void world.leases.splice(world.leases.indexOf(spec.name), 1);
    return { spec, agent: agent as unknown as AgentLease['agent'], ready: Promise.resolve(), dispose };
  };
  const watch = () => {
    world.watching += 1;
    return toDisposable(() => (world.watching -= 1));
  };
  const look = async () => void (world.looks += 1);
  const feed = new SessionFeed({
    pool: {
      get sessions() {
        return world.live;
      },
      get running() {
        return world.running.map((spec) => ({ spec }));
      },
      onDidChangeSessions: sessionsChanged.event,
      leaseRunning: () => world.running.map(lease),
      lease: (spec) => {
        world.started.push(spec.name);
        return lease(spec);
      },
    },
    catalog: {
      get all() {
        return world.agents;
      },
      onDidChange: catalogChanged.event,
    },
    sessions: {
      get stored() {
        return world.stored;
      },
      look,
      flush: () => Promise.resolve(),
      watchOthers: watch,
      onDidChange: storeChanged.event,
    },
    board: {
      get others() {
        return world.others;
      },
      look: () => Promise.resolve(),
      watch,
    },
    marks: { of: () => undefined },
    branches: { of: () => undefined, onDidChange: never.event },
    tries: { groupOf: () => undefined, onDidChange: never.event },
    changes: { of: () => undefined, onDidChange: never.event },
    folders: () => ['/work/harbor'],
    isTrusted: () => world.isTrusted,
  });
  t.after(() => feed.dispose());
  return { feed, world, sessionsChanged, storeChanged, catalogChanged };
}

const rowsOf = (message: ToWebview) =>
  message.type === 'sessions' || message.type === 'sessionsChanged' ? message.rows.map(({ title }) => title) : [];

test('a page gets all rows, and then only those that change', async (t) => {
  const { feed, world, storeChanged } = list(t);
  const page = new Page();
  feed.watch(page);
  assert.deepEqual([page.got[0]?.type, rowsOf(page.got[0]!)], ['sessions', ['one', 'two']]);
  await page.next();
  world.stored = [listing('one', { isPinned: true }), listing('three')];
  storeChanged.fire();
  const changed = await page.next();
  assert.equal(changed.type, 'sessionsChanged');
  assert.deepEqual(rowsOf(changed), ['one', 'three']);
  assert.deepEqual(changed.removed, ['own two']);
});

test('reads and watches nothing unless a page has the list open', async (t) => {
  const { feed, world, storeChanged } = list(t);
  world.running = [ada];
  storeChanged.fire();
  assert.deepEqual([world.looks, world.watching, world.leases], [0, 0, []]);
  const [page, other] = [new Page(), new Page()];
  const looked = new Promise<void>((resolve) => feed.onDidLook(resolve));
  feed.watch(page);
  feed.watch(other);
  await looked;
  assert.ok(world.looks > 0);
  assert.deepEqual([world.watching, world.leases], [2, ['Ada']]);
  feed.keep((one) => one === other);
  assert.deepEqual([world.watching, world.leases], [2, ['Ada']]);
  let isClosed = false;
  feed.onDidClose(() => (isClosed = true));
  feed.unwatch(other);
  assert.deepEqual([world.watching, world.leases, isClosed], [0, [], true]);
});

test('a start page gets few sessions, and no agent is asked', async (t) => {
  const { feed, world, storeChanged } = list(t);
  world.running = [ada];
  world.stored = ['one', 'two', 'three', 'four'].map((key, at) => listing(key, { updatedAt: at }));
  const page = new Page();
  feed.watchRecent(page);
  const titles = (message: ToWebview | undefined) =>
    message?.type === 'recentSessions' ? message.recent.map(({ title }) => title) : undefined;
  assert.deepEqual(titles(page.got[0]), ['four', 'three', 'two']);
  world.stored = [listing('five', { updatedAt: 9 })];
  storeChanged.fire();
  assert.deepEqual(titles(await page.next()), ['five']);
  assert.deepEqual([world.watching, world.leases], [2, []]);
  // The list opens over the page, and closes.
  feed.watch(page);
  assert.deepEqual(world.leases, ['Ada']);
  feed.unwatch(page);
  assert.deepEqual([world.watching, world.leases], [2, []]);
  feed.keep(() => false);
  assert.equal(world.watching, 0);
});

test('lists the sessions of running agents and finds one by its row', async (t) => {
  const { feed, world } = list(t);
  world.running = [ada];
  const page = new Page();
  feed.watch(page);
  while (!page.got.some((message) => rowsOf(message).includes('Told by Ada'))) await page.next();
  const target = feed.find('agent settings:Ada\nof Ada');
  assert.deepEqual([target?.title, target?.key, target?.listed?.spec.name], ['Told by Ada', undefined, 'Ada']);
});

test('an agent that the user removes leaves the open list', async (t) => {
  const { feed, world, catalogChanged } = list(t);
  world.running = [ada];
  const page = new Page();
  feed.watch(page);
  while (!page.got.some((message) => rowsOf(message).includes('Told by Ada'))) await page.next();
  world.agents = [bob];
  catalogChanged.fire();
  const changed = await page.next();
  assert.deepEqual(changed.type === 'sessionsChanged' && changed.removed, ['agent settings:Ada\nof Ada']);
  assert.deepEqual(changed.type === 'sessionsChanged' && changed.ends.map(({ agentName }) => agentName), ['Bob']);
  assert.deepEqual(world.leases, []);
});

test('starts another agent only when the user asks for its sessions', async (t) => {
  const { feed, world } = list(t);
  const page = new Page();
  feed.ask(bob.id);
  feed.watch(page);
  const [first] = page.got;
  assert.deepEqual(first?.type === 'sessions' && first.ends.map(({ agentName, state }) => [agentName, state]), [
    ['Ada', 'ask'],
    ['Bob', 'ask'],
  ]);
  world.isTrusted = false;
  feed.ask(bob.id);
  assert.deepEqual(world.started, []);
  world.isTrusted = true;
  feed.ask('settings:Eve' as AgentId);
  feed.ask(bob.id);
  feed.ask(bob.id);
  assert.deepEqual(world.started, ['Bob']);
  while (!page.got.some((message) => rowsOf(message).includes('Told by Bob'))) await page.next();
});

test('a session that opens is in the list at once', async (t) => {
  const { feed, world, sessionsChanged } = list(t);
  const page = new Page();
  feed.watch(page);
  await page.next();
  world.live = [newSession('new')];
  sessionsChanged.fire();
  const changed = await page.next();
  assert.deepEqual(changed.type === 'sessionsChanged' && changed.rows.map(({ id, place }) => [id, place]), [
    ['own new', 'here'],
  ]);
  assert.equal(feed.find('own new')?.key, 'new');
});

test('lists the sessions of other windows once, and finds their window', (t) => {
  const { feed, world } = list(t);
  const row = { id: 'own far', session: 'far', title: 'Far away', agentId: ada.id, agentName: 'Ada' };
  const more = { place: 'otherWindow', state: 'needsYou', folder: 'quay', at: 9, actions: [] };
  const far = { ...row, ...more } as unknown as SessionRow;
  // A window of the same folder also has its sessions in the storage.
  const near = { ...far, id: 'own two', session: 'two' as SessionKey };
  world.others = [{ id: 'w', name: 'quay', place: '', rows: [far, near] }];
  const rows = feed.rows();
  assert.deepEqual(
    rows.map(({ title, state }) => [title, state]),
    [
      ['one', 'closed'],
      ['two', 'closed'],
      ['Far away', 'needsYou'],
    ],
  );
  assert.deepEqual([feed.find(rows[2]!.id)?.elsewhere, feed.find(rows[2]!.id)?.key], ['far', undefined]);
});

test('deleted rows aren’t sent until they are brought back', async (t) => {
  const { feed } = list(t);
  const page = new Page();
  feed.watch(page);
  feed.hide(['own one']);
  const hidden = await page.next();
  assert.deepEqual(hidden.type === 'sessionsChanged' && [hidden.removed, hidden.deleted], [['own one'], 1]);
  feed.unhide();
  const back = await page.next();
  assert.deepEqual([rowsOf(back), back.type === 'sessionsChanged' && back.deleted], [['one'], 0]);
});
