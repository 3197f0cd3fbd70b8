import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { AgentPlace } from './agentPlace';
import { Follow, type EditorUse, type FollowPage } from './follow';

/** A window whose editor and pages are the test's. */
function setUp(context: TestContext) {
  const test = new SessionHarness('Claude');
  const { session } = test;
  const [changed, shown, used] = [new Emitter<void>(), new Emitter<FollowPage>(), new Emitter<EditorUse>()];
  const opened: string[] = [];
  const missing = new Set<string>();
  const posted: ToWebview[] = [];
  let left = 0;
  const page: FollowPage = { session, post: (message) => void posted.push(message) };
  const follow = new Follow({
    pool: { onDidChangeSessions: changed.event },
    pages: { all: [page], onDidShow: shown.event },
    editor: {
      show: async ({ path, line }: AgentPlace) => {
        await Promise.resolve();
        if (missing.has(path)) return false;
        opened.push(line === undefined ? path : `${path}:${String(line)}`);
        return true;
      },
      leave: () => void (left += 1),
      onDidUse: used.event,
    },
    report: (error) => assert.fail(String(error)),
  });
  context.after(() => follow.dispose());
  const read = (id: string, path: string, line?: number) =>
    test.update({
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: id,
      kind: 'read',
      status: 'in_progress',
      locations: [{ path, ...(line !== undefined && { line }) }],
    });
  const state = () => {
    const last = posted.at(-1);
    return last?.type === 'following' ? [last.isOn, last.canGoBack, last.canGoForward] : undefined;
  };
  return { test, session, follow, opened, missing, read, state, page, posted, changed, shown, used, left: () => left };
}

test('opens where the agent works once, and only while on', async (context) => {
  const { test, session, follow, opened, read, state } = setUp(context);
  test.open();
  session.sendPrompt('Go');
  read('a', '/workspace/a.ts', 3);
  assert.deepEqual(opened, []);
  follow.turnOn(session);
  await settle();
  assert.deepEqual([opened, state()], [['/workspace/a.ts:3'], [true, false, false]]);
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' });
  read('b', '/workspace/b.ts');
  await settle();
  assert.deepEqual([opened.slice(1), state()], [['/workspace/b.ts'], [true, true, false]]);
  follow.turnOff();
  read('c', '/workspace/c.ts');
  await settle();
  assert.deepEqual([opened.length, state()], [2, [false, false, false]]);
});

test('opens nothing during a replay', async (context) => {
  const { test, session, follow, opened, read } = setUp(context);
  test.introduce();
  follow.turnOn(session);
  read('a', '/workspace/a.ts');
  await settle();
  test.open({}, false);
  read('b', '/workspace/b.ts');
  session.sendPrompt('Go');
  await settle();
  assert.deepEqual(opened, []);
  read('c', '/workspace/c.ts');
  await settle();
  assert.deepEqual(opened, ['/workspace/c.ts']);
});

test('of several places at once, opens the newest', async (context) => {
  const { test, session, follow, opened, read } = setUp(context);
  test.open();
  session.sendPrompt('Go');
  follow.turnOn(session);
  for (const name of ['a', 'b', 'c']) read(name, `/workspace/${name}.ts`);
  await settle();
  assert.deepEqual(opened, ['/workspace/a.ts', '/workspace/c.ts']);
});

test('opens a file that the call creates once it exists', async (context) => {
  const { test, session, follow, opened, missing, read, state } = setUp(context);
  test.open();
  session.sendPrompt('Go');
  follow.turnOn(session);
  missing.add('/workspace/new.ts');
  read('a', '/workspace/new.ts', 1);
  await settle();
  assert.deepEqual([opened, state()], [[], [true, false, false]]);
  missing.clear();
  test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' });
  await settle();
  assert.deepEqual(opened, ['/workspace/new.ts:1']);
});

test('stays at an earlier place until the user goes forward', async (context) => {
  const { test, session, follow, opened, read, state } = setUp(context);
  test.open();
  session.sendPrompt('Go');
  follow.turnOn(session);
  for (const name of ['a', 'b']) {
    read(name, `/workspace/${name}.ts`);
    await settle();
  }
  follow.step(session.key, -1);
  read('c', '/workspace/c.ts');
  await settle();
  assert.deepEqual([opened.slice(2), state()], [['/workspace/a.ts'], [true, false, true]]);
  follow.step(session.key, 1);
  follow.step(session.key, 1);
  follow.step(session.key, 1);
  await settle();
  assert.deepEqual(
    [opened.slice(3), state()],
    [
      ['/workspace/b.ts', '/workspace/c.ts'],
      [true, true, false],
    ],
  );
});

test('ends when the user takes the editor, and says why', (context) => {
  const { test, session, follow, used, state, left } = setUp(context);
  test.open();
  used.fire('typed');
  follow.turnOn(session);
  used.fire('scrolled');
  used.fire('scrolled');
  assert.deepEqual([follow.isOn(session.key), state(), left()], [false, [false, false, false], 1]);
  const notices = test.all('notice').map(({ title, description }) => [title, description]);
  assert.deepEqual(notices, [['Stopped following Claude', 'You scrolled in the editor.']]);
});

test('ends with its session and tells pages that show it later', (context) => {
  const { test, session, follow, changed, shown, page, posted } = setUp(context);
  test.open();
  follow.turnOn(session);
  posted.length = 0;
  shown.fire(page);
  assert.deepEqual(
    posted.map((message) => message.type === 'following' && [message.session, message.isOn]),
    [[session.key, true]],
  );
  session.close();
  changed.fire();
  assert.equal(follow.isOn(session.key), false);
  follow.turnOn(session);
  assert.equal(follow.isOn(session.key), false);
});

test("doesn't follow an agent on another machine, whose paths aren't here", (context) => {
  const { test, session, follow } = setUp(context);
  test.open();
  session.placeAgent('elsewhere');
  follow.turnOn(session);
  assert.equal(follow.isOn(session.key), false);
  assert.equal(follow.isOn('' as SessionKey), false);
});
