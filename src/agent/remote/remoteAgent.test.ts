import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  all,
  asks,
  isClosed,
  isDone,
  isReady,
  isRunning,
  PoolHarness,
  text,
  until,
} from '../../../test/unit-support/poolHarness';
import { gate, RemoteServer } from '../../../test/unit-support/remoteServer';
import { toStored } from '../../session/transcript/storedSession';
import type { AgentId } from '../../shared/values/ids';
import type { AgentSpec } from '../spec/agentSpec';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

function remote(url: string, more: Partial<AgentSpec> = {}): AgentSpec {
  return {
    id: 'settings:Codex' as AgentId,
    name: 'Codex',
    source: 'settings',
    command: '',
    args: [],
    env: {},
    url,
    headers: { Authorization: 'Bearer s3cret-token' },
    ...more,
  };
}

const chunkCount = (said: string, whole: string) => whole.split(said).length - 1;

for (const kind of ['http', 'ws'] as const) {
  void describe(`an agent behind ${kind}`, { timeout: 60_000 }, () => {
    void it('answers, asks, and ends its connection', async () => {
      const server = await RemoteServer.start({
        onPrompt: async (turn) => turn.say(`${turn.text}: ${await turn.ask()}`),
      });
      const session = test.start(remote(server[kind], { cwd: '/srv/code' }));
      session.sendPrompt('May I');
      await until(session, asks);
      const [call] = all(session, 'tool_call');
      if (call?.permission.state === 'asked') session.answerPermission(call.permission.request, 'yes');
      await until(session, (one) => isDone(one) && text(one).includes('May I: yes'));
      const created = server.methods.find(({ method }) => method === 'session/new');
      assert.equal(created?.params['cwd'], '/srv/code');
      for (const { headers } of server.requests) assert.equal(headers.authorization, 'Bearer s3cret-token');
      assert.equal(JSON.stringify(test.pool.traffic[0]!.traffic.entries()).includes('s3cret'), false);
      assert.equal(test.log.join('\n').includes('s3cret'), false);
      await test.pool.stopAll();
      assert.equal(server.methods.at(-1)?.method, 'session/close');
      if (kind === 'http') assert.equal(server.requests.at(-1)?.method, 'DELETE');
    });

    void it("isn't offered files, terminals, or terminal logins of this machine", async () => {
      const server = await RemoteServer.start();
      const session = test.start(remote(server[kind]));
      await until(session, isReady);
      const { clientCapabilities } = server.methods[0]!.params as { clientCapabilities: Record<string, unknown> };
      assert.deepEqual(clientCapabilities['fs'], { readTextFile: false, writeTextFile: false });
      assert.equal(clientCapabilities['terminal'], false);
      assert.equal((clientCapabilities['auth'] as { terminal?: boolean }).terminal, false);
      assert.match(text(session), /works with files on another machine/);
    });

    void it('is offered files and terminals if it shares them', async () => {
      const server = await RemoteServer.start();
      await until(test.start(remote(server[kind], { sharesFiles: true })), isReady);
      const { clientCapabilities } = server.methods[0]!.params as { clientCapabilities: Record<string, unknown> };
      assert.deepEqual(clientCapabilities['fs'], { readTextFile: true, writeTextFile: true });
      assert.equal((clientCapabilities['auth'] as { terminal?: boolean }).terminal, false);
    });

    void it('continues without a connection; missed updates are shown once', async () => {
      let goOn = () => {};
      const released = new Promise<void>((resolve) => (goOn = resolve));
      let hasEnded = () => {};
      const ended = new Promise<void>((resolve) => (hasEnded = resolve));
      const server = await RemoteServer.start({
        onPrompt: async (turn) => {
          await turn.say('Before. ');
          await released;
          await turn.say('After.');
          hasEnded();
        },
      });
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Work');
      await until(session, (one) => text(one).includes('Before.'));
      server.drop();
      await until(session, (one) => text(one).includes('Reconnecting'));
      goOn();
      await ended;
      await until(session, (one) => isReady(one) && text(one).includes('After.'));
      assert.deepEqual(server.prompts, ['Work']);
      assert.equal(chunkCount('Before. After.', text(session)), 1, text(session));
      await until(session, (one) => text(one).includes('Reconnected to Codex'));
      session.sendPrompt('Next');
      await until(session, (one) => isDone(one) && server.prompts.length === 2 && !isRunning(one));
      assert.deepEqual(server.prompts, ['Work', 'Next']);
    });

    void it('shows a tool call as running that continued without us', async () => {
      const [isDropped, isTold, goOn] = [gate(), gate(), gate()];
      const call = { toolCallId: 'c1', title: 'Test', kind: 'execute' };
      const server = await RemoteServer.start({
        onPrompt: async (turn) => {
          await turn.tell({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
          await isDropped.isOpen;
          const content = [{ type: 'content', content: { type: 'text', text: 'halfway' } }];
          await turn.tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', content });
          isTold.open();
          await goOn.isOpen;
          await turn.tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
        },
      });
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Work');
      await until(session, (one) => all(one, 'tool_call').length === 1);
      server.drop();
      await until(session, (one) => text(one).includes('Reconnecting'));
      isDropped.open();
      await isTold.isOpen;
      await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
      const [tool] = all(session, 'tool_call');
      assert.deepEqual([tool?.status, tool?.content.length], ['in_progress', 1]);
      assert.deepEqual(
        session.transcript.view.lateWork?.map(({ kind: work }) => work),
        ['toolCall'],
      );
      goOn.open();
      await until(session, (one) => all(one, 'tool_call')[0]?.status === 'completed');
      assert.deepEqual(session.transcript.view.lateWork, []);
    });

    void it('keeps working when the window closes, and the next window shows it', async () => {
      let goOn = () => {};
      const released = new Promise<void>((resolve) => (goOn = resolve));
      let hasEnded = () => {};
      const ended = new Promise<void>((resolve) => (hasEnded = resolve));
      const server = await RemoteServer.start({
        onPrompt: async (turn) => {
          await turn.say('Before. ');
          await released;
          await turn.say('After.');
          hasEnded();
        },
      });
      const spec = remote(server[kind]);
      const first = test.start(spec);
      first.sendPrompt('Work');
      await until(first, (one) => text(one).includes('Before.'));
      const stored = structuredClone(toStored(first.key, first.transcript));
      await test.pool.stopAll();
      const told = server.methods.map(({ method }) => method);
      assert.deepEqual(told, ['initialize', 'session/new', 'session/prompt']);
      assert.equal(
        server.requests.some(({ method }) => method === 'DELETE'),
        false,
      );
      goOn();
      await ended;
      test = new PoolHarness();
      const next = test.pool.restoreSession(spec, stored);
      test.pool.reconnect(next);
      await until(next, (one) => isReady(one) && text(one).includes('Before. After.'));
      assert.deepEqual(server.prompts, ['Work']);
    });

    void it('requests another token when the server rejects it during a turn', async () => {
      const server = await RemoteServer.start();
      const headers = { Authorization: 'Bearer ${input:token}' };
      const session = test.start(remote(server[kind], { headers }));
      await until(session, isReady);
      server.intercept = () => 401;
      server.drop();
      await until(session, ({ transcript: { view } }) => view.connection.state === 'login');
      const [card] = all(session, 'login');
      assert.equal(card?.methods[0]?.name, 'Enter a token');
    });

    void it("shows why it can't be reached", async () => {
      const answers: readonly [number, RegExp][] = [
        [401, /needs a valid token \(401\)/],
        [403, /denied access \(403\)/],
        [404, /answered 404 Not Found/],
        [301, /redirects to another URL/],
        [503, /answered 503 Service Unavailable/],
      ];
      const server = await RemoteServer.start();
      for (const [status, words] of answers) {
        server.intercept = () => status;
        const session = test.start(remote(server[kind]));
        await until(session, isClosed);
        const [error] = all(session, 'error');
        assert.equal(error?.code, 'agentUnreachable');
        assert.match(error.cause ?? '', words);
        session.close();
      }
    });

    void it("reports a server that doesn't exist", async () => {
      const session = test.start(remote(`${kind}://127.0.0.1:1/acp`));
      await until(session, isClosed);
      assert.match(all(session, 'error')[0]?.cause ?? '', /No server is listening at 127\.0\.0\.1:1/);
    });

    void it("returns the server's cookies, also after a reconnect", async () => {
      const server = await RemoteServer.start();
      server.cookie = 'route=a7; Path=/; HttpOnly';
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Hello');
      await until(session, (one) => isDone(one) && text(one).includes('You said: Hello'));
      server.drop();
      await until(session, (one) => text(one).includes('Reconnected'));
      const [first, ...others] = server.requests;
      assert.equal(first?.headers.cookie, undefined);
      assert.ok(others.length > 0);
      for (const { headers } of others) assert.equal(headers.cookie, 'route=a7');
    });
  });
}

void describe('an agent behind http', { timeout: 60_000 }, () => {
  void it('keeps the turns of other sessions when the stream of one ends', async () => {
    const [goOn, isAsked] = [gate(), gate()];
    const server = await RemoteServer.start({
      onPrompt: async (turn) => {
        await turn.say('Before. ');
        if (turn.text === 'two') isAsked.open();
        await goOn.isOpen;
        await turn.say('After.');
      },
    });
    const spec = remote(server.http);
    const [one, two] = [test.start(spec), test.start(spec)];
    await Promise.all([until(one, isReady), until(two, isReady)]);
    one.sendPrompt('one');
    two.sendPrompt('two');
    await Promise.all([one, two].map((session) => until(session, (its) => text(its).includes('Before.'))));
    await isAsked.isOpen;
    server.endStream(one.transcript.view.sessionId);
    await until(one, (its) => text(its).includes('Reconnected to Codex'));
    goOn.open();
    await Promise.all(
      [one, two].map((session) => until(session, (its) => isReady(its) && text(its).includes('After.'))),
    );
    await until(two, (its) => isDone(its) && !isRunning(its));
    assert.doesNotMatch(text(two), /connect|Turn ended/i);
    assert.equal(server.methods.filter(({ method }) => method === 'initialize').length, 1);
    assert.deepEqual(server.prompts, ['one', 'two']);
  });

  for (const canClose of [true, false]) {
    const name = canClose ? 'that closes sessions' : 'that can’t close sessions';
    void it(`opens a closed session again in an agent ${name}`, async () => {
      const server = await RemoteServer.start({
        capabilities: { loadSession: true, ...(canClose ? { sessionCapabilities: { close: {} } } : {}) },
      });
      const spec = remote(server.http);
      const [other, first] = [test.start(spec), test.start(spec)];
      await until(other, isReady);
      first.sendPrompt('Hello');
      await until(first, (one) => isDone(one) && text(one).includes('You said: Hello'));
      const stored = structuredClone(toStored(first.key, first.transcript));
      first.close();
      const again = test.pool.restoreSession(spec, stored);
      again.sendPrompt('Again');
      await until(again, (one) => isDone(one) && text(one).includes('You said: Again'));
      assert.equal(again.transcript.view.sessionId, stored.snapshot.view.sessionId);
      assert.equal(server.methods.filter(({ method }) => method === 'session/new').length, 2);
      assert.equal(all(again, 'error').length, 0);
      // The stream has ended with the session, so that another client may have it.
      const { sessionId } = stored.snapshot.view;
      const streams = server.requests.filter(
        ({ method, headers }) => method === 'GET' && headers['acp-session-id'] === sessionId,
      );
      assert.ok(streams.length > 1);
    });
  }

  void it('has one word about a reconnect that fails', async () => {
    const server = await RemoteServer.start();
    const session = test.start(remote(server.http));
    session.sendPrompt('Hello');
    await until(session, (one) => isDone(one) && text(one).includes('You said: Hello'));
    server.intercept = () => 403;
    server.drop();
    await until(session, (one) => all(one, 'error').length === 1);
    assert.doesNotMatch(text(session), /Reconnecting/);
    assert.match(text(session), /The connection to Codex was lost\n/);
  });

  void it('doesn’t speak of work in a session that the server has lost', async () => {
    const isHeard = gate();
    const server = await RemoteServer.start({
      onPrompt: async (turn) => {
        await turn.say('Before.');
        isHeard.open();
        await turn.cancelled;
      },
    });
    const session = test.start(remote(server.http));
    session.sendPrompt('Work');
    await until(session, (one) => text(one).includes('Before.'));
    await isHeard.isOpen;
    server.sessions.clear();
    server.drop();
    await until(session, (one) => text(one).includes('Reconnected'));
    assert.match(text(session), /doesn’t remember this conversation/);
    assert.doesNotMatch(text(session), /still working/);
  });
});
