import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/values/event';
import type { Log } from '../log/log';
import type { AgentOffers } from '../registry/agentOffers';
import type { AddWatch, Registry } from '../registry/registry';
import { OfferedAgents } from './offeredAgents';

const none: AgentOffers = { offers: [], count: 0, updates: new Map(), icons: new Map() };
const goose: AgentOffers = {
  offers: [{ id: 'goose', name: 'Goose', detail: 'goose acp', kind: 'found' }],
  count: 31,
  updates: new Map([['claude-acp', '2.0.0']]),
  icons: new Map(),
};

/** A registry that offers what the test sets. */
class FakeRegistry {
  now = none;
  later: AgentOffers | undefined;
  looked = 0;
  readonly adding: ((isAdded: boolean) => void)[] = [];

  async offers(): Promise<AgentOffers> {
    this.looked += 1;
    return this.now;
  }

  async refreshDaily(): Promise<boolean> {
    const { later } = this;
    this.now = later ?? this.now;
    this.later = undefined;
    return later !== undefined;
  }

  watch: AddWatch | undefined;

  add(_id: string, watch: AddWatch): Promise<boolean> {
    this.watch = watch;
    return new Promise((resolve) => {
      this.adding.push(resolve);
      watch.signal.addEventListener('abort', () => resolve(false));
    });
  }
}

let registry: FakeRegistry;
let added: Emitter<void>;
let offered: OfferedAgents;
let changes: number;

beforeEach(() => {
  editor.reset();
  registry = new FakeRegistry();
  added = new Emitter();
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line) } as unknown as Log;
  offered = new OfferedAgents({ get: async () => registry as unknown as Registry }, { onDidChange: added.event }, log);
  changes = 0;
  offered.onDidChange(() => (changes += 1));
});
afterEach(() => offered.dispose());

suite('the offered agents', () => {
  test('are searched for only once a page asks', async () => {
    added.fire();
    assert.equal(registry.looked, 0);
    assert.equal(offered.offers, undefined);
    registry.now = goose;
    await Promise.all([offered.find(), offered.find()]);
    assert.equal(registry.looked, 1);
    assert.deepEqual(offered.offers, goose.offers);
    assert.equal(offered.updateOf('claude-acp'), '2.0.0');
    assert.equal(changes, 1);
  });

  test('update the page if they differ and after the list was refreshed', async () => {
    await offered.find();
    await offered.find();
    assert.equal(changes, 1);
    registry.later = goose;
    await offered.find();
    assert.deepEqual(offered.offers, goose.offers);
    assert.equal(changes, 2);
    const { args } = editor.executed.findLast(({ id }) => id === 'setContext')!;
    assert.deepEqual(args, ['parley.hasAgentUpdates', true]);
  });

  test('are searched for again when an agent is added during a search', async () => {
    await offered.find();
    const running = offered.find();
    registry.now = goose;
    added.fire();
    await running;
    await offered.findAgain();
    assert.deepEqual(offered.offers, goose.offers);
  });

  test('are not searched for in an untrusted folder', async () => {
    editor.isTrusted = false;
    await offered.find();
    assert.equal(registry.looked, 0);
  });

  test('are busy while they are added, which can be cancelled', async () => {
    registry.now = goose;
    await offered.find();
    const before = changes;
    const adding = offered.add('goose');
    await Promise.resolve();
    assert.deepEqual([offered.offers?.[0]?.isBusy, offered.isBusy('goose'), changes], [true, true, before + 1]);
    offered.cancel('goose');
    assert.equal(await adding, false);
    assert.deepEqual([offered.offers, offered.isBusy('goose'), changes], [goose.offers, false, before + 2]);
  });

  test('show why they were not added, until they are tried again', async () => {
    registry.now = goose;
    await offered.find();
    const adding = offered.add('goose');
    await Promise.resolve();
    registry.watch?.failed('Couldn’t reach the registry.');
    // The message with “Try Again” is still open.
    assert.deepEqual(offered.offers, [{ ...goose.offers[0], problem: 'Couldn’t reach the registry.' }]);
    assert.equal(registry.watch?.began(), true);
    assert.deepEqual(offered.offers, [{ ...goose.offers[0], isBusy: true }]);
    registry.adding[0]?.(true);
    assert.equal(await adding, true);
    assert.deepEqual(offered.offers, goose.offers);
  });

  test('are added once however often the button is pressed', async () => {
    const first = offered.add('goose');
    assert.equal(await offered.add('goose'), false);
    const other = offered.add('gemini');
    await Promise.resolve();
    for (const finish of registry.adding) finish(true);
    assert.deepEqual(await Promise.all([first, other]), [true, true]);
    assert.equal(registry.adding.length, 2);
  });
});
