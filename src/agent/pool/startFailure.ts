import { ConnectionClosedError, isAuthRequired, ResponseError } from '../../acp/base/errors';
import {
  agentExitedAtStart,
  agentNotFound,
  agentNotStarted,
  authRequired,
  failedInSandbox,
  FailureError,
  handshakeFailed,
  sandboxNotMade,
  sessionNotOpened,
  type Failure,
} from '../../session/failures';
import { messageOf } from '../../shared/values/messageOf';
import { SandboxFailure } from '../../shared/limits/sandbox';
import type { Agent } from '../connection/agent';
import { SpawnFailure } from '../process/agentProcess';

/** Returns the failure to show for an agent whose `start` rejected with `error`. */
export async function startFailure(name: string, agent: Agent, error: unknown): Promise<Failure> {
  const failure = await plainFailure(name, agent, error);
  return agent.sandbox ? failedInSandbox(name, failure) : failure;
}

async function plainFailure(name: string, agent: Agent, error: unknown): Promise<Failure> {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof SpawnFailure) {
    if (error.kind === 'notFound') return agentNotFound(name, error.command);
    return agentNotStarted(name, error.message);
  }
  if (error instanceof SandboxFailure) return sandboxNotMade(name, error.message);
  if (error instanceof ConnectionClosedError) {
    return agentExitedAtStart(name, await agent.exited);
  }
  if (isAuthRequired(error)) return authRequired(name);
  if (error instanceof ResponseError) return handshakeFailed(name, error, agent.logTail());
  return agentNotStarted(name, messageOf(error), agent.logTail());
}

/** Returns the failure to show for a session that wasn't opened because of `error`. */
export function openFailure(name: string, agent: Agent, error: unknown): Failure {
  if (error instanceof FailureError) return error.failure;
  return sessionNotOpened(name, error, agent.logTail());
}
