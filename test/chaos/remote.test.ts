// A remote agent behind a network that breaks at every step of a turn: nothing is lost, and nothing is sent twice.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import type { AgentId } from '../../src/shared/values/ids';
import type { Session } from '../../src/session/session';
import { ChaosProxy, type Fate } from '../unit-support/chaosProxy';
import { all, asks, isDone, isReady, PoolHarness, text, until } from '../unit-support/poolHarness';
import { RemoteServer, type RemoteTurn } from '../unit-support/remoteServer';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

type Kind = 'http' | 'ws';
const kinds: readonly Kind[] = ['http', 'ws'];

interface Setup {
  readonly server: RemoteServer;
  readonly proxy: ChaosProxy;
  readonly session: Session;
}

async function setUp(kind: Kind, onPrompt?: (turn: RemoteTurn) => Promise<void>): Promise<Setup> {
  const server = await RemoteServer.start(onPrompt ? { onPrompt } : {});
  const proxy = await ChaosProxy.start(server.port);
  const spec: AgentSpec = {
    id: 'settings:Codex' as AgentId,
    name: 'Codex',
    source: 'settings',
    command: '',
    args: [],
    env: {},
    url: `${kind}://127.0.0.1:${proxy.port}/acp`,
    headers: { Authorization: 'Bearer ${input:token}' },
  };
  return { server, proxy, session: test.start(spec) };
}

/** Applies a fate once, to the first piece that matches. */
function once(from: 'client' | 'server', matches: (piece: string) => boolean, fate: Fate): ChaosProxy['onPiece'] {
  let isDone = false;
  return (side, piece) => {
    if (isDone || side !== from || !matches(piece)) return 'pass';
    isDone = true;
    return fate;
  };
}

const count = (part: string, whole: string) => whole.split(part).length - 1;
/** Each prompt reached the agent at most once. */
function sentOnce({ prompts }: RemoteServer): void {
  assert.equal(new Set(prompts).size, prompts.length, prompts.join());
}

/** A turn with text before and after a request; the whole answer is two lines. */
const wholeTurn = async (turn: RemoteTurn): Promise<void> => {
  await turn.say('First. ');
  await turn.say('Last.');
};

async function firstTurn({ session }: Setup): Promise<void> {
  session.sendPrompt('one');
  await until(session, (one) => isDone(one) && text(one).includes('First. Last.'));
}

/** A frame from the client is masked, so the place in a WebSocket conversation is found by the server's frames. */
const steps: readonly (readonly [string, Kind, 'client' | 'server', (piece: string) => boolean])[] = [
  ['the first message', 'http', 'client', (piece) => piece.includes('"initialize"')],
  ['the answer to the first message', 'http', 'server', (piece) => /acp-connection-id/i.test(piece)],
  ['the new session', 'http', 'client', (piece) => piece.includes('"session/new"')],
  ['the answer to the new session', 'http', 'server', (piece) => piece.includes('"sessionId":"s1"')],
  ['the session’s stream', 'http', 'client', (piece) => /acp-session-id: s1/i.test(piece) && piece.startsWith('GET')],
  ['the prompt', 'http', 'client', (piece) => piece.includes('"session/prompt"')],
  ['the first text', 'http', 'server', (piece) => piece.includes('First. ')],
  ['the last text', 'http', 'server', (piece) => piece.includes('Last.')],
  ['the end of the turn', 'http', 'server', (piece) => piece.includes('end_turn')],
  ['the upgrade', 'ws', 'client', (piece) => piece.includes('Upgrade: websocket')],
  ['the answer to the upgrade', 'ws', 'server', (piece) => piece.includes('101 Switching')],
  ['the answer to the first message', 'ws', 'server', (piece) => piece.includes('"agentCapabilities"')],
  ['the answer to the new session', 'ws', 'server', (piece) => piece.includes('"sessionId":"s1"')],
  ['the first text', 'ws', 'server', (piece) => piece.includes('First. ')],
  ['the last text', 'ws', 'server', (piece) => piece.includes('Last.')],
  ['the end of the turn', 'ws', 'server', (piece) => piece.includes('end_turn')],
];

void describe('the network breaks', { timeout: 120_000 }, () => {
  for (const [step, kind, from, matches] of steps) {
    void it(`at ${step} (${kind})`, async () => {
      const setup = await setUp(kind, wholeTurn);
      const { server, proxy, session } = setup;
      proxy.onPiece = once(from, matches, 'drop');
      session.sendPrompt('one');
      // Before the session is open, the failure is shown and the user decides.
      const isOver = (one: Session) =>
        all(one, 'error').length > 0 ||
        (isReady(one) && isDone(one) && all(one, 'notice').length > 1) ||
        isAnswered(one);
      await until(session, isOver);
      if (all(session, 'error').length > 0) session.restart();
      await until(session, (one) => isReady(one) && isDone(one));
      session.sendPrompt('two');
      await until(
        session,
        (one) => isDone(one) && count('First. Last.', text(one)) >= 1 && server.prompts.includes('two'),
      );
      await until(session, (one) => isDone(one) && text(one).lastIndexOf('First. Last.') > text(one).indexOf('two'));
      sentOnce(server);
      assert.equal(count('\n  one\n', text(session)), 1, text(session));
      assert.equal(count('First. Last.', text(session)), server.prompts.length, text(session));
    });
  }
});

const isAnswered = (session: Session) => isDone(session) && text(session).includes('First. Last.');

void describe('the network is slow or unusual', { timeout: 120_000 }, () => {
  for (const kind of kinds) {
    for (const size of [1, 7]) {
      void it(`delivers ${size} byte(s) at a time (${kind})`, async () => {
        const setup = await setUp(kind, async (turn) => {
          await turn.say('Grüße 🚀\u2028 ');
          await wholeTurn(turn);
        });
        setup.proxy.cut = size;
        await firstTurn(setup);
        assert.ok(text(setup.session).includes('Grüße 🚀'));
        sentOnce(setup.server);
      });
    }

    void it(`delays the first text (${kind})`, async () => {
      const setup = await setUp(kind, wholeTurn);
      const { proxy, session, server } = setup;
      let stall = () => {};
      const stalled = new Promise<void>((resolve) => (stall = resolve));
      const fate = once('server', (piece) => piece.includes('First. '), 'stall');
      proxy.onPiece = (from, piece) => {
        const result = fate(from, piece);
        if (result === 'stall') stall();
        return result;
      };
      session.sendPrompt('one');
      await stalled;
      // What overtakes it belongs to another stream; the texts of one stream stay in order for HTTP and WebSocket.
      proxy.release();
      await until(session, isAnswered);
      sentOnce(server);
    });

    void it(`is down for several attempts (${kind})`, async () => {
      const setup = await setUp(kind, wholeTurn);
      const { proxy, session, server } = setup;
      await firstTurn(setup);
      proxy.isDown = true;
      proxy.drop();
      await until(session, (one) => text(one).includes('Reconnecting'));
      session.sendPrompt('two');
      proxy.isDown = false;
      await until(session, (one) => isDone(one) && count('First. Last.', text(one)) === 2);
      assert.deepEqual(server.prompts, ['one', 'two']);
    });

    void it(`loses an open permission request (${kind})`, async () => {
      const setup = await setUp(kind, async (turn) => {
        await turn.ask();
        await wholeTurn(turn);
      });
      const { proxy, session, server } = setup;
      session.sendPrompt('one');
      await until(session, asks);
      proxy.drop();
      await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
      const [call] = all(session, 'tool_call');
      assert.notEqual(call?.permission.state, 'asked');
      sentOnce(server);
    });

    void it(`rejects the token during a turn (${kind})`, async () => {
      let goOn = () => {};
      const released = new Promise<void>((resolve) => (goOn = resolve));
      const setup = await setUp(kind, async (turn) => {
        await turn.say('First. ');
        await released;
        await turn.say('Last.');
      });
      const { proxy, session, server } = setup;
      session.sendPrompt('one');
      await until(session, (one) => text(one).includes('First. '));
      server.intercept = () => 401;
      proxy.drop();
      await until(session, ({ transcript: { view } }) => view.connection.state === 'login');
      goOn();
      server.intercept = undefined;
      session.login.card.through();
      test.pool.reopen(session);
      await until(session, (one) => isReady(one) && text(one).includes('First. Last.'));
      assert.deepEqual(server.prompts, ['one']);
    });

    void it(`restarts the server, which forgets its connections (${kind})`, async () => {
      const setup = await setUp(kind, wholeTurn);
      const { session, server } = setup;
      await firstTurn(setup);
      await server.restart();
      await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
      session.sendPrompt('two');
      await until(session, (one) => isDone(one) && count('First. Last.', text(one)) === 2);
      assert.deepEqual(server.prompts, ['one', 'two']);
    });

    void it(`breaks three times in one turn (${kind})`, async () => {
      const gates = [0, 1, 2].map(() => {
        let open = () => {};
        const opened = new Promise<void>((resolve) => (open = resolve));
        return { open, opened };
      });
      const setup = await setUp(kind, async (turn) => {
        for (const [index, { opened }] of gates.entries()) {
          await turn.say(`Part ${index}. `);
          await opened;
        }
        await turn.say('End.');
      });
      const { proxy, session, server } = setup;
      session.sendPrompt('one');
      for (const [index, { open }] of gates.entries()) {
        await until(session, (one) => isReady(one) && text(one).includes(`Part ${index}.`));
        proxy.drop();
        await until(session, (one) => !isReady(one));
        open();
      }
      await until(session, (one) => isReady(one) && text(one).includes('End.'));
      assert.ok(text(session).includes('Part 0. Part 1. Part 2. End.'), text(session));
      assert.deepEqual(server.prompts, ['one']);
    });
  }

  void it('repeats an event with an id (http)', async () => {
    const setup = await setUp('http', wholeTurn);
    setup.proxy.change = (piece) => {
      // A chunk of the chunked body, repeated whole.
      const [, size, body] = /^([0-9a-f]+)\r\n(data: [^]*First\. [^]*\n\n)\r\n$/.exec(piece) ?? [];
      if (size === undefined || body === undefined) return piece;
      const event = `id: 7\n${body}`;
      const chunk = `${event.length.toString(16)}\r\n${event}\r\n`;
      return chunk + chunk;
    };
    await firstTurn(setup);
    assert.equal(count('First.', text(setup.session)), 1);
  });

  void it('answers a message with 503, and only that message fails (http)', async () => {
    const setup = await setUp('http', wholeTurn);
    const { session, server } = setup;
    await until(session, isReady);
    server.intercept = ({ method }) => (method === 'POST' ? 503 : undefined);
    session.sendPrompt('lost');
    await until(session, (one) => all(one, 'error').length === 1);
    assert.match(all(session, 'error')[0]?.cause ?? '', /503 Service Unavailable/);
    server.intercept = undefined;
    await firstTurn(setup);
    assert.deepEqual(server.prompts, ['one']);
  });

  void it('answers a message with 404, and the session is opened again (http)', async () => {
    const setup = await setUp('http', wholeTurn);
    const { session, server } = setup;
    await firstTurn(setup);
    server.intercept = ({ method }) => {
      if (method !== 'POST') return undefined;
      server.intercept = undefined;
      return 404;
    };
    session.sendPrompt('unknown');
    await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
    assert.deepEqual(server.prompts, ['one'], 'Whether the message was handled is the user’s to decide.');
  });
});
