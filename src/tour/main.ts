import { Readable, Writable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
} from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { runTour } from './tour';
import { TurnOutput } from './turnOutput';
import { commands, readTopic } from './topics';

/**
 * The built-in tour agent: an ACP agent like any other, in its own process, with scripted answers. It needs no account,
 * model, or network, so it can demonstrate Parley on any machine.
 */

interface TourSession {
  readonly cwd: string;
  turns: number;
  running: AbortController | undefined;
}

const sessions = new Map<string, TourSession>();
let canReadFiles = false;
let canWriteFiles = false;
let canRunTerminals = false;

async function announce(client: AgentContext, sessionId: string): Promise<void> {
  await client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'available_commands_update', availableCommands: commands },
  });
}

const connection = agent({ name: 'parley-tour' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    canReadFiles = params.clientCapabilities?.fs?.readTextFile ?? false;
    canWriteFiles = params.clientCapabilities?.fs?.writeTextFile ?? false;
    canRunTerminals = params.clientCapabilities?.terminal ?? false;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'parley-tour', title: 'Tour agent', version: '1.0.0' },
      agentCapabilities: { sessionCapabilities: { close: {} } },
    };
  })
  .onRequest(methods.agent.session.new, ({ params, client }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { cwd: params.cwd, turns: 0, running: undefined });
    // Sent after the response, as most agents do.
    setImmediate(() => void announce(client, sessionId));
    return { sessionId };
  })
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.get(params.sessionId)?.running?.abort();
    sessions.delete(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (!session) throw RequestError.invalidParams({ sessionId: params.sessionId }, 'This session is not open.');
    if (session.running) throw RequestError.invalidRequest(undefined, 'A turn is already running in this session.');
    const abort = new AbortController();
    session.running = abort;
    session.turns += 1;
    try {
      const output = new TurnOutput(client, params.sessionId, abort.signal);
      await runTour({
        topic: readTopic(params.prompt),
        turn: session.turns,
        cwd: session.cwd,
        output,
        can: { readFiles: canReadFiles, writeFiles: canWriteFiles, runTerminals: canRunTerminals },
      });
      return { stopReason: abort.signal.aborted ? 'cancelled' : 'end_turn' };
    } catch (error) {
      if (abort.signal.aborted || (error instanceof Error && error.name === 'AbortError')) {
        return { stopReason: 'cancelled' };
      }
      throw error;
    } finally {
      session.running = undefined;
    }
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    sessions.get(params.sessionId)?.running?.abort();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, Readable.toWeb(process.stdin)));

void connection.closed.finally(() => {
  for (const session of sessions.values()) session.running?.abort();
  process.exit(0);
});
