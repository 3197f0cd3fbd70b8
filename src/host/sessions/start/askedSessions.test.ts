// Sessions that agents start with other agents: what they get, what they answer, and where it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, SessionHarness, settle } from '../../../../test/unit-support/fakeSession';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import { agentExited } from '../../../session/failures';
import type { Session } from '../../../session/session';
import { fromStored, toStored } from '../../../session/transcript/storedSession';
import { Emitter } from '../../../shared/values/event';
import type { AgentId } from '../../../shared/values/ids';
import { ToolProblem } from '../../ide/tool';
import { AskedSessions } from './askedSessions';

const never = new AbortController().signal;

function specOf(name: string, source: AgentSpec['source'] = 'settings'): AgentSpec {
  return { id: `settings:${name}` as AgentId, name, command: name, args: [], env: {}, source };
}

const remote: AgentSpec = { ...specOf('Far'), command: '', url: 'https://example.com' };

/** A window with a session of Claude, whose agents ask each other. */
class Desk {
  readonly clock = new FakeClock();
  readonly changed = new Emitter<void>();
  readonly harnesses: SessionHarness[] = [];
  readonly sessions: Session[] = [];
  /** Whether the agents of new sessions are still starting. */
  startsLate = false;
  readonly claude: SessionHarness;
  readonly asked: AskedSessions;

  constructor() {
    this.claude = this.open('Claude');
    this.asked = new AskedSessions({
      pool: { sessions: this.sessions, onDidChangeSessions: this.changed.event },
      catalog: { all: [specOf('Claude'), specOf('Codex'), specOf('Tour agent', 'builtin'), remote] },
      createSession: ({ name }, like) => this.open(name, like.transcript.view.cwd).session,
      schedule: this.clock.schedule,
    });
  }

  open(agent: string, cwd = '/w'): SessionHarness {
    const harness = new SessionHarness(agent, undefined, cwd, `session:${this.sessions.length + 1}`);
    if (!this.startsLate) harness.open();
    harness.session.onDidChangeState(() => this.changed.fire());
    this.harnesses.push(harness);
    this.sessions.push(harness.session);
    return harness;
  }

  /** Starts a session and returns it with its harness. */
  start(from: SessionHarness, agent: string, prompt = 'Count the files'): SessionHarness {
    const key = this.asked.start(from.session.key, agent, prompt);
    const started = this.harnesses.find(({ session }) => session.key === key);
    assert.ok(started);
    return started;
  }

  answerOf(from: SessionHarness, { session }: SessionHarness, signal = never) {
    return this.asked.answerOf(from.session.key, session.key, signal);
  }
}

test('a started session gets the message, and says who asks', async () => {
  const desk = new Desk();
  assert.deepEqual(desk.asked.agents, ['Claude', 'Codex', 'Far']);
  const codex = desk.start(desk.claude, 'Codex', '/init everything');
  await settle();
  assert.deepEqual(codex.agent.heard, [
    'prompt This message is from Claude, another agent, and not from the user.\n\n/init everything',
  ]);
  assert.equal(codex.view.title, '/init everything');
  assert.equal(codex.view.cwd, '/w');
  assert.equal(codex.all('notice')[0]?.title, 'Started by Claude');
  assert.equal(codex.all('notice')[0]?.opens, desk.claude.session.key);
  assert.equal(desk.claude.all('notice')[0]?.title, 'Claude started a session with Codex');
  assert.equal(desk.claude.all('notice')[0]?.opens, codex.session.key);
});

test('an answer is read once the turn has ended', async () => {
  const desk = new Desk();
  const codex = desk.start(desk.claude, 'Codex');
  await settle();
  let isDone = false;
  const answer = desk.answerOf(desk.claude, codex).finally(() => (isDone = true));
  codex.say('There are 3.');
  await settle();
  assert.equal(isDone, false);
  await codex.agent.end();
  assert.deepEqual(await answer, { state: 'completed', text: 'There are 3.' });
});

test('an answer is awaited while the agent starts', async () => {
  const desk = new Desk();
  desk.startsLate = true;
  const codex = desk.start(desk.claude, 'Codex');
  let isDone = false;
  const answer = desk.answerOf(desk.claude, codex).finally(() => (isDone = true));
  codex.open();
  await settle();
  assert.equal(isDone, false);
  codex.say('There are 3.');
  await codex.agent.end();
  assert.deepEqual(await answer, { state: 'completed', text: 'There are 3.' });
});

test('a call for an answer ends before the agent gives it up', async () => {
  const desk = new Desk();
  const codex = desk.start(desk.claude, 'Codex');
  await settle();
  const running = desk.answerOf(desk.claude, codex);
  desk.clock.pass(45_000);
  assert.deepEqual(await running, { state: 'running', text: '' });
  const permission = codex.ask({ toolCallId: 'c1', title: 'Run it', kind: 'execute' });
  const waiting = desk.answerOf(desk.claude, codex);
  desk.clock.pass(45_000);
  assert.equal((await waiting).state, 'waitsForUser');
  const stop = new AbortController();
  const stopped = desk.answerOf(desk.claude, codex, stop.signal);
  stop.abort();
  assert.equal((await stopped).state, 'waitsForUser');
  assert.equal(desk.clock.waiting, 0);
  codex.answer(0, 'yes');
  await permission;
});

test('only the agent that started a session reads its answer', async () => {
  const desk = new Desk();
  const own = desk.open('Codex');
  const codex = desk.start(desk.claude, 'Codex');
  for (const [from, of] of [
    [desk.claude, own],
    [own, codex],
    [codex, desk.claude],
  ] as const) {
    await assert.rejects(desk.answerOf(from, of), /you didn't start it/);
  }
});

test('two agents that ask each other come to an end', () => {
  const desk = new Desk();
  const codex = desk.start(desk.claude, 'Codex');
  const claude = desk.start(codex, 'Claude');
  assert.deepEqual(claude.view.askedBy, {
    session: codex.session.key,
    title: 'Count the files',
    depth: 2,
    first: desk.claude.session.key,
  });
  assert.throws(() => desk.start(claude, 'Codex'), /too many times in a row/);
  assert.throws(() => desk.asked.check(claude.session.key), ToolProblem);
  assert.equal(desk.sessions.length, 3);
});

test('only a few started sessions are open below one of the user', () => {
  const desk = new Desk();
  const codex = desk.start(desk.claude, 'Codex');
  for (let count = 1; count < 5; count++) desk.start(count % 2 === 0 ? desk.claude : codex, 'Claude');
  assert.throws(() => desk.start(desk.claude, 'Codex'), /At most 5 sessions/);
  assert.throws(() => desk.asked.check(codex.session.key), /At most 5 sessions/);
  // The user closes one.
  desk.sessions.pop();
  desk.start(desk.claude, 'Codex');
  // Another session of the user has its own number.
  desk.start(desk.open('Claude'), 'Codex');
});

test('an agent that the user has not chosen is not started', () => {
  const desk = new Desk();
  for (const name of ['Tour agent', 'Gemini', 'settings:Codex', '__proto__']) {
    assert.throws(() => desk.start(desk.claude, name), /can't be started/);
  }
  assert.equal(desk.sessions.length, 1);
});

test('a sandboxed session can’t start an agent on another machine', () => {
  const desk = new Desk();
  desk.start(desk.claude, 'Far');
  desk.claude.session.showSandbox('files');
  desk.start(desk.claude, 'Codex');
  assert.throws(() => desk.start(desk.claude, 'Far'), /on another machine/);
  assert.equal(desk.sessions.length, 3);
});

test('a started session has the folders of the one that asks', async () => {
  const desk = new Desk();
  assert.equal(desk.start(desk.claude, 'Codex').view.additionalDirectories, undefined);
  const { agent, session } = desk.claude;
  const opened = { sessionId: agent.sessionId, configOptions: [], additionalDirectories: ['/lib'] };
  session.agentSide.opened(agent, opened, false);
  const codex = desk.start(desk.claude, 'Codex');
  assert.deepEqual(codex.view.additionalDirectories, ['/lib']);
  assert.deepEqual(desk.start(codex, 'Claude').view.additionalDirectories, ['/lib']);
});

test('stopping a turn stops what it started, but nothing of the user', async () => {
  const desk = new Desk();
  desk.claude.session.sendPrompt('Ask others');
  await settle();
  const [first, second] = [desk.start(desk.claude, 'Codex'), desk.start(desk.claude, 'Codex')];
  await settle();
  const below = desk.start(first, 'Claude');
  await settle();
  await second.agent.end();
  second.session.sendPrompt('And now this');
  await settle();
  desk.claude.session.cancel();
  await desk.claude.agent.end('cancelled');
  await first.agent.end('cancelled');
  for (const { agent } of [first, below]) assert.equal(agent.heard.at(-1), 'cancel');
  assert.match(second.agent.heard.at(-1) ?? '', /^prompt And now this/);
  assert.equal((await desk.answerOf(desk.claude, first)).state, 'stopped');
});

test('what an agent asked others ends with the agent that asked', async () => {
  const desk = new Desk();
  desk.claude.session.sendPrompt('Ask others');
  await settle();
  const codex = desk.start(desk.claude, 'Codex');
  await settle();
  desk.claude.session.agentSide.disconnected(agentExited('Claude', { exitCode: 137, logTail: '', wanted: false }));
  await settle();
  assert.equal(codex.agent.heard.at(-1), 'cancel');
});

test('what an agent asked others ends with its closed session', async () => {
  const desk = new Desk();
  const other = desk.open('Claude');
  const [codex, others] = [desk.start(desk.claude, 'Codex'), desk.start(other, 'Codex')];
  await settle();
  desk.sessions.splice(desk.sessions.indexOf(desk.claude.session), 1);
  desk.changed.fire();
  await settle();
  assert.equal(codex.agent.heard.at(-1), 'cancel');
  assert.match(others.agent.heard.at(-1) ?? '', /^prompt/);
});

test('the link to the asking session survives a reload', () => {
  const desk = new Desk();
  const { session, view } = desk.start(desk.claude, 'Codex');
  const stored = fromStored(JSON.parse(JSON.stringify(toStored(session.key, session.transcript))));
  assert.ok(stored && stored !== 'later');
  assert.deepEqual(new SessionHarness('Codex', stored).view.askedBy, view.askedBy);
});
