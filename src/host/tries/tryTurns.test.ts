import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { TranscriptOp } from '../../shared/ops';
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

test('a finished turn is counted, checked, and stored', async (context) => {
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
  const ended = new Promise<CheckResult>((settle) => (end = settle));
  const turns = new TryTurns({
    pool: { sessions: [session], onDidChangeSessions: new Emitter<void>().event },
    store,
    run: (_session, command) => {
      ran.push(command);
      return ended;
    },
    report: (error) => assert.fail(String(error)),
  });
  ops.fire([{ op: 'summarize', summary: { startedAt: 10, endedAt: 40 } } as TranscriptOp]);
  assert.deepEqual(ran, []);
  activity.state = 'idle';
  states.fire();
  assert.deepEqual(ran, ['npm test']);
  assert.equal(turns.isChecking(key), true);
  const done = new Promise<void>((settle) => turns.onDidChange(() => !turns.isChecking(key) && settle()));
  end({ exitCode: 1, ms: 7 });
  await done;
  await store.flushNow();
  const next = new TryStore(folder, untold);
  await next.ready;
  const [one] = next.get('g')?.tries ?? [];
  assert.deepEqual([one?.use.ms, one?.check], [30, { exitCode: 1, ms: 7 }]);
  turns.dispose();
  store.dispose();
  next.dispose();
});
