import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { CheckResult, TryGroup } from '../../tries/tryGroup';
import { untold } from '../storage/storageTroubles';
import { TryStore } from './tryStore';
import { TryTurns, type FollowedSession } from './tryTurns';

const key = 's1' as SessionKey;
const group: TryGroup = {
  id: 'g',
  createdAt: 1,
  message: 'Do it',
  from: resolve('/w'),
  common: resolve('/w/.git'),
  commit: 'a'.repeat(40),
  check: 'npm test',
  tries: [
    {
      session: key,
      agentName: 'Claude',
      worktree: 'abc',
      path: resolve('/w/one'),
      branch: 'parley/one',
      base: 'b'.repeat(40),
      use: { ms: 0, costs: [] },
      taken: [],
    },
  ],
};

/** A session that is a try and works, and what checks it. The test ends the check. */
async function start(context: TestContext) {
  const folder = join(tempFolder(context), 'tries');
  const store = new TryStore(folder, untold);
  await store.ready;
  store.put(group);
  const ops = new Emitter<readonly TranscriptOp[]>();
  const states = new Emitter<void>();
  const activity: { state: string } = { state: 'running' };
  const session = {
    key,
    transcript: { view: { activity } },
    onDidApply: ops.event,
    onDidChangeState: states.event,
  } as unknown as FollowedSession;
  const ran: string[] = [];
  let end = (_result: CheckResult) => {};
  const turns = new TryTurns({
    pool: { sessions: [session], onDidChangeSessions: new Emitter<void>().event },
    store,
    run: (_session, command) => {
      ran.push(command);
      return new Promise<CheckResult>((settle) => (end = settle));
    },
    report: (error) => assert.fail(String(error)),
  });
  context.after(() => {
    turns.dispose();
    store.dispose();
  });
  const become = (state: 'idle' | 'running') => {
    activity.state = state;
    states.fire();
  };
  /** Ends the turn that runs. */
  const endTurn = () => {
    ops.fire([{ op: 'summarize', summary: { startedAt: 10, endedAt: 40 } } as TranscriptOp]);
    assert.deepEqual(ran, []);
    become('idle');
  };
  /** Ends the check, and resolves once it isn't running. */
  const endCheck = (result: CheckResult) => {
    const done = new Promise<void>((settle) => turns.onDidChange(() => !turns.isChecking(key) && settle()));
    end(result);
    return done;
  };
  return { folder, store, turns, ran, become, endTurn, endCheck };
}

test('a finished turn is counted, checked, and stored', async (context) => {
  const { folder, store, turns, ran, endTurn, endCheck } = await start(context);
  endTurn();
  assert.deepEqual(ran, ['npm test']);
  assert.equal(turns.isChecking(key), true);
  await endCheck({ exitCode: 1, ms: 7 });
  await store.flushNow();
  const next = new TryStore(folder, untold);
  await next.ready;
  const [one] = next.get('g')?.tries ?? [];
  assert.deepEqual([one?.use.ms, one?.check], [30, { exitCode: 1, ms: 7 }]);
  next.dispose();
});

test('a check that the next turn stopped says nothing', async (context) => {
  const { store, endTurn, endCheck, become } = await start(context);
  endTurn();
  become('running');
  await endCheck({ exitCode: 0, ms: 7 });
  assert.equal(store.get('g')?.tries[0]?.check, undefined);
});

test('nothing is checked while the agent works', async (context) => {
  const { turns, ran, become } = await start(context);
  turns.check(key);
  assert.deepEqual(ran, []);
  become('idle');
  turns.check(key);
  assert.deepEqual(ran, ['npm test']);
});
