// An AcpConnection with a scripted agent at its other end.
import { AcpConnection, type AcpConnectionOptions } from '../../src/acp/connection';
import { ndjson } from '../../src/acp/ndjson';
import { TrafficLog } from '../../src/acp/traffic';
import { ScriptedAgent } from './scriptedAgent';

/** A listening connection, the agent at its other end, and the log of what passed between them. */
export function connected(options: AcpConnectionOptions = {}) {
  const agent = new ScriptedAgent();
  const traffic = new TrafficLog();
  const connection = new AcpConnection(ndjson(agent.streams), { traffic, ...options });
  connection.listen();
  return { agent, connection, traffic };
}

/** How many requests either way the connection still knows of. */
export function openRequests(connection: AcpConnection): { readonly incoming: number; readonly outgoing: number } {
  const { incoming, outgoing } = connection as unknown as Record<'incoming' | 'outgoing', { readonly size: number }>;
  return { incoming: incoming.size, outgoing: outgoing.size };
}

/** The remarks in a log, as text. */
export function notes(traffic: TrafficLog): string[] {
  return traffic
    .entries()
    .filter((entry) => entry.direction === 'note')
    .map((entry) => String(entry.message));
}
