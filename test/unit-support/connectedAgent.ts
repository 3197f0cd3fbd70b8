// An AcpConnection with a scripted agent at its other end.
import { AcpConnection, type AcpConnectionOptions } from '../../src/acp/wire/connection';
import { ndjson } from '../../src/acp/wire/ndjson';
import { TrafficLog } from '../../src/acp/wire/traffic';
import { ScriptedAgent } from './scriptedAgent';

/** Returns a listening connection, the agent at its other end, and the log of their messages. */
export function connected(options: AcpConnectionOptions = {}) {
  const agent = new ScriptedAgent();
  const traffic = new TrafficLog();
  const connection = new AcpConnection(ndjson(agent.streams), { traffic, ...options });
  connection.listen();
  return { agent, connection, traffic };
}

/** Returns how many requests in each direction the connection still tracks. */
export function openRequests(connection: AcpConnection): { readonly incoming: number; readonly outgoing: number } {
  const { incoming, outgoing } = connection as unknown as Record<'incoming' | 'outgoing', { readonly size: number }>;
  return { incoming: incoming.size, outgoing: outgoing.size };
}

/** Returns the notes in a log as text. */
export function notes(traffic: TrafficLog): string[] {
  return traffic
    .entries()
    .filter((entry) => entry.direction === 'note')
    .map((entry) => String(entry.message));
}
