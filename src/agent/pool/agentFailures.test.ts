import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  all,
  asks,
  isClosed,
  isDone,
  isReady,
  isRunning,
  lives,
  pidsOf,
  PoolHarness,
  text,
  until,
} from '../../../test/unit-support/poolHarness';
import { handshakeTimeout } from '../handshake/handshakeTime';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

const chunk = (role: string, value: string) => ({
  update: { sessionUpdate: `${role}_message_chunk`, content: { type: 'text', text: value } },
});

void describe('an agent that does not start', () => {
  void it('is reported with its program if the program does not exist', async () => {
    const session = test.start({ ...test.spec({}), command: '/nowhere/codex-acp' });
    session.sendPrompt('kept');
    await until(session, isClosed);
    const [error] = all(session, 'error');
    assert.deepEqual([error!.code, error!.actions[0]], ['agentNotFound', 'openSettings']);
    assert.match(error!.title, /Couldn’t start Codex: the program “\/nowhere\/codex-acp” wasn’t found/);
  });

  void it('shows its last output when it crashes, and restarts on request', async () => {
    const crash = test.spec({});
    const session = test.start({ ...crash, args: ['-e', 'console.error("no API key"); process.exit(3)'] });
    session.sendPrompt('kept');
    await until(session, isClosed);
    assert.match(text(session), /Error \(agentNotStarted\)[\s\S]*exit code 3[\s\S]*no API key/);
    assert.match(text(session), /You:\n {2}kept/);
    session.restart();
    assert.equal(session.transcript.view.connection.state, 'starting');
    await until(session, isClosed);
    assert.equal(all(session, 'error').length, 1);
  });

  void it('is stopped when it speaks another version', async () => {
    const session = test.start({ initialize: { protocolVersion: 3 } });
    await until(session, isClosed);
    assert.match(text(session), /Error \(versionNotSupported\)[\s\S]*version 3/);
    assert.deepEqual(test.sent(), ['initialize']);
  });

  void it('asks the user to wait if slow, and runs until stopped', async () => {
    test = new PoolHarness({ holdTimers: true });
    const session = test.start({ initialize: 'silent' });
    const pass = async () => {
      while (!test.held.has(handshakeTimeout)) await new Promise(setImmediate);
      const action = test.held.get(handshakeTimeout)!;
      test.held.delete(handshakeTimeout);
      action();
    };
    await pass();
    assert.match(
      text(session),
      /Error \(startIsSlow\): Codex hasn’t responded for 60 s\.[\s\S]*keepWaiting, endProcess/,
    );
    assert.equal(session.transcript.view.connection.state, 'starting');
    session.keepWaiting();
    assert.match(text(session), /Notice \(info\): Waiting for Codex to start/);
    await pass();
    assert.match(text(session), /Error \(startIsSlow\): Codex hasn’t responded for 120 s\./);
    session.endProcess();
    await until(session, isClosed);
    assert.match(text(session), /Codex was slow to start[\s\S]*Error \(agentEnded\)/);
  });

  void it('is stopped when it stays silent and nobody can be asked', async () => {
    test = new PoolHarness({ holdTimers: true });
    const lease = test.pool.lease(test.spec({ initialize: 'silent' }), process.cwd());
    const failed = assert.rejects(lease.ready, /didn’t respond within 60 s/);
    while (!test.held.has(handshakeTimeout)) await new Promise(setImmediate);
    test.held.get(handshakeTimeout)!();
    await failed;
    lease.dispose();
  });

  void it('shows why it refused the connection', async () => {
    const session = test.start({
      initialize: { error: { code: -32603, message: 'Internal error', data: { details: 'bad config' } } },
    });
    await until(session, isClosed);
    assert.match(text(session), /Error \(handshakeFailed\)[\s\S]*bad config/);
  });

  void it('can be cancelled while it starts', async () => {
    const session = test.start({ initialize: 'silent' });
    test.pool.cancelStart(session);
    await until(session, isClosed);
    assert.match(text(session), /Notice \(info\): Cancelled starting Codex/);
    await test.pool.stopAll();
    assert.equal(
      pidsOf(test).every((pid) => !lives(pid)),
      true,
    );
  });

  void it('does not affect another waiting session when one gives up', async () => {
    const [first, second] = [test.start({}), test.start({})];
    test.pool.cancelStart(first);
    await Promise.all([until(first, isClosed), until(second, isReady)]);
    assert.equal(pidsOf(test).length, 1);
  });
});

void describe('a session that does not open', () => {
  void it('shows the reason that the agent put into its data', async () => {
    const error = { code: -32603, message: 'Internal error', data: { details: 'no model chosen' } };
    const session = test.start({ newSession: { error } });
    await until(session, isClosed);
    assert.match(text(session), /Error \(sessionNotOpened\): Codex couldn’t open a session\.\n {2}no model chosen/);
  });

  void it('sends a cancel to the agent when the user gives up', async () => {
    const other = test.start({ newSession: 'silent' });
    const session = test.start({ newSession: 'silent' });
    const isOpening = () => session.transcript.view.connection.state === 'opening';
    await until(session, isOpening);
    const news = () => test.wire().filter(([, { method }]) => method === 'session/new');
    while (news().length < 2) await new Promise(setImmediate);
    test.pool.cancelStart(session);
    await until(session, isClosed);
    const cancels = test.wire().flatMap(([, { method, params }]) => (method === '$/cancel_request' ? [params] : []));
    assert.deepEqual(cancels, [{ requestId: news()[1]![1].id }]);
    assert.equal(other.transcript.view.connection.state, 'opening');
  });
});

void describe('an agent that exits', () => {
  const permission = {
    toolCall: { toolCallId: 'c', title: 'Edit' },
    options: [{ optionId: 'y', name: 'Y', kind: 'allow_once' }],
  };

  void it('in a turn closes everything open and shows its last output', async () => {
    const steps = [
      { request: 'terminal/create', params: { command: 'x' } },
      { stderr: 'panic: key is hunter2secret\n' },
      { request: 'session/request_permission', params: permission },
    ];
    const spec = test.spec({ turns: [{ steps }] }, { API_KEY: 'hunter2secret' });
    const [session, other] = [test.start(spec), test.start(spec)];
    await until(other, isReady);
    session.sendPrompt('go');
    await until(session, asks);
    process.kill(pidsOf(test)[0]!, 'SIGKILL');
    await Promise.all([until(session, isClosed), until(other, isClosed)]);
    assert.match(text(session), /question withdrawn/);
    // Windows has no signals.
    const killed = process.platform === 'win32' ? 'exit code 1' : 'SIGKILL';
    assert.match(
      text(session),
      new RegExp(
        `Error \\(agentExited\\): Codex stopped unexpectedly \\(${killed}\\)[\\s\\S]*panic: key is \\[redacted\\]`,
      ),
    );
    assert.match(text(other), /Error \(agentExited\)/);
    assert.deepEqual(session.transcript.view.activity, { state: 'idle' });
    assert.deepEqual(test.services.made[0]!.calls, ['release']);
    assert.doesNotMatch(test.log.join('\n') + test.pool.traffic[0]!.traffic.export(), /hunter2secret/);
  });

  void it('restarts with a notice that it remembers nothing', async () => {
    const session = test.start({ turns: [{ steps: [{ say: 'bye' }, { exit: 7 }] }] });
    session.sendPrompt('go');
    await until(session, isClosed);
    assert.match(text(session), /exit code 7/);
    session.restart();
    await until(session, isReady);
    assert.deepEqual(test.sent(), ['initialize', 'session/new']);
    assert.match(text(session), /bye[\s\S]*exit code 7[\s\S]*Codex doesn’t remember this conversation/);
  });

  void it('has all of its output handled, however much it sent before', async () => {
    const asks = { repeat: 300, steps: [{ ask: 'terminal/output', params: { terminalId: 'none' } }] };
    const session = test.start({ turns: [{ steps: [asks, { say: 'last words' }, { exit: 7 }] }] });
    session.sendPrompt('go');
    await until(session, isClosed);
    assert.match(text(session), /last words[\s\S]*exit code 7/);
  });

  void it('restarts when the user continues', async () => {
    const session = test.start({ turns: [{ steps: [{ exit: 7 }] }] });
    session.sendPrompt('go');
    await until(session, isClosed);
    session.sendPrompt('again');
    await until(session, () => isClosed(session) && all(session, 'error').length === 2);
    assert.deepEqual(test.sent(), ['initialize', 'session/new', 'session/prompt']);
    assert.match(text(session), /doesn’t remember this conversation[\s\S]*You:\n {2}again/);
  });

  void it('resumes the session if it can', async () => {
    const session = test.start({
      initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } },
      replay: [chunk('agent', 'a replay that nobody asked for')],
      turns: [{ steps: [{ say: 'here $n' }] }],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    assert.match(text(session), /Error \(agentEnded\): Codex’s process was ended/);
    session.sendPrompt('again');
    await until(session, () => isDone(session) && all(session, 'agent_message').length === 2);
    assert.deepEqual(test.sent(), ['initialize', 'session/resume', 'session/prompt']);
    assert.doesNotMatch(text(session), /nobody asked|remember/);
  });

  void it('keeps the transcript and adds new entries of its replay', async () => {
    const session = test.start({
      initialize: { agentCapabilities: { loadSession: true } },
      replay: [chunk('user', 'go'), chunk('agent', 'live, and told to its end'), chunk('user', 'said elsewhere')],
      lateReplay: [chunk('agent', 'late')],
      turns: [{ steps: [{ say: 'live' }] }],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.restart();
    await until(session, () => text(session).includes('late'));
    const said = text(session).replace(/\n\nError[^]*?showLog/, '\n\nError');
    assert.equal(
      said,
      '# go\n\nYou:\n  go\n\nCodex:\n  live, and told to its end\n\nError\n\nYou:\n  said elsewhere\n\nCodex:\n  late\n',
    );
    session.sendPrompt('more');
    await until(session, () => isDone(session) && /more[^]*live/.test(text(session)));
    assert.match(text(session), /late\n\nYou:\n {2}more\n\nCodex:\n {2}live/);
  });

  void it('keeps the transcript on an empty replay and adds a notice', async () => {
    const session = test.start({
      initialize: { agentCapabilities: { loadSession: true } },
      replay: [],
      turns: [{ steps: [{ say: 'live' }] }],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.sendPrompt('more');
    await until(session, (one) => isDone(one) && /more[^]*live/.test(text(one)));
    assert.match(text(session), /go\n\nCodex:\n {2}live\n\nError[^]*Codex doesn’t remember[^]*You:\n {2}more/);
    assert.equal(text(session).split('You:').length, 3, 'Each message stands there once.');
  });

  void it('keeps its transcript when the replay fails', async () => {
    const session = test.start({
      initialize: { agentCapabilities: { loadSession: true } },
      load: { error: { code: -32002, message: 'Invalid session identifier' } },
      sessions: ['first'],
      turns: [{ steps: [{ say: 'live' }] }],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.restart();
    await until(session, isReady);
    assert.deepEqual(test.sent(), ['initialize', 'session/load', 'session/new']);
    assert.match(text(session), /live/);
  });

  const broken = { code: -32603, message: 'Internal error', data: { details: 'database is locked' } };
  const reopenings = [
    { title: 'load', can: { loadSession: true }, script: { load: { error: broken } } },
    { title: 'resume', can: { sessionCapabilities: { resume: {} } }, script: { resume: { error: broken } } },
  ];
  for (const { title, can, script } of reopenings) {
    void it(`asks before it gives up a session that fails to ${title}`, async () => {
      const session = test.start({
        initialize: { agentCapabilities: can },
        ...script,
        turns: [{ steps: [{ say: 'answer' }] }],
      });
      session.sendPrompt('go');
      await until(session, isDone);
      session.endProcess();
      await until(session, isClosed);
      const { sessionId } = session.transcript.view;
      const isRefused = () => isClosed(session) && all(session, 'error').at(-1)?.code === 'sessionNotReopened';
      session.sendPrompt('more');
      await until(session, isRefused);
      assert.deepEqual(test.sent(), ['initialize', `session/${title}`]);
      assert.equal(session.transcript.view.sessionId, sessionId);
      assert.match(text(session), /more[^]*couldn’t reopen this session\.\n {2}database is locked[^]*Nothing was sent/);

      session.sendPrompt('even more');
      await until(session, ({ transcript: { view } }) => view.connection.state === 'opening');
      await until(session, isRefused);
      assert.deepEqual(test.sent(), ['initialize', `session/${title}`]);
      assert.equal(text(session).match(/couldn’t reopen/g)?.length, 1);

      session.startFresh();
      await until(session, (one) => isDone(one) && /even more[^]*answer/.test(text(one)));
      assert.deepEqual(test.sent(), ['initialize', 'session/new', 'session/prompt', 'session/prompt']);
      assert.match(text(session), /doesn’t remember this conversation[^]*more[^]*answer/);
    });
  }

  void it('keeps an agent running that only suggests edits', async () => {
    const missing = { error: { code: -32601, message: 'Method not found' } };
    const session = test.start({ initialize: { agentCapabilities: { nes: {} } }, newSession: missing });
    assert.equal(test.pool.canSuggest(session), false);
    await until(session, isClosed);
    assert.equal(all(session, 'error').at(-1)?.code, 'onlySuggestsEdits');
    assert.equal(test.pool.canSuggest(session), true);
    const agent = test.pool.runningAgentOf(session);
    assert.equal(agent?.hasExited, false);
    session.close();
    assert.equal(test.pool.canSuggest(session), false);
    await agent.exited;
    const other = test.start({ newSession: missing });
    await until(other, isClosed);
    assert.equal(all(other, 'error').at(-1)?.code, 'sessionNotOpened');
    assert.equal(test.pool.runningAgentOf(other), undefined);
  });

  void it('starts a new session if the agent says that it is lost', async () => {
    const session = test.start({
      initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } },
      resume: { error: { code: -32601, message: 'Method not found' } },
      load: { error: { code: -32002, message: 'No such session' } },
      turns: [{ steps: [{ say: 'answer' }] }],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, isClosed);
    session.sendPrompt('more');
    await until(session, (one) => isDone(one) && /more[^]*answer/.test(text(one)));
    assert.deepEqual(test.sent(), ['initialize', 'session/resume', 'session/load', 'session/new', 'session/prompt']);
  });

  void it('has one card for an opening that fails again and again', async () => {
    const error = { code: -32603, message: 'no model chosen' };
    const session = test.start({ newSession: { error } });
    await until(session, isClosed);
    for (const message of ['one', 'two']) {
      session.sendPrompt(message);
      await until(session, ({ transcript: { view } }) => view.connection.state === 'opening');
      await until(session, isClosed);
      session.cancel();
    }
    assert.equal(all(session, 'error').length, 1);
    assert.match(text(session), /one[^]*couldn’t open a session\n[^]*two[^]*Error \(sessionNotOpened\)/);
  });

  void it('can be stopped by the user if it does not respond', async () => {
    test = new PoolHarness({ holdTimers: true });
    const session = test.start({
      turns: [
        {
          steps: [
            { ask: 'session/request_permission', params: permission },
            { waitForAsked: true },
            { waitForCancel: true },
            { waitForCancel: true },
          ],
        },
      ],
    });
    session.sendPrompt('go');
    await until(session, asks);
    session.cancel();
    await until(session, isRunning);
    test.held.get(10_000)!();
    assert.match(text(session), /state: ready, running, not stopping/);
    session.endProcess();
    await until(session, isClosed);
    assert.equal(all(session, 'error').at(-1)!.code, 'agentEnded');
  });
});
