import type { IDisposable } from '../../shared/values/disposable';
import type { Agent } from '../connection/agent';
import type { AgentSpec } from '../spec/agentSpec';

/** An agent in use for requests outside any session. Its process keeps running until the lease is disposed. */
export interface AgentLease extends IDisposable {
  readonly spec: AgentSpec;
  readonly agent: Agent;
  /** Resolves when the agent has answered `initialize`; rejects with a `FailureError`. */
  readonly ready: Promise<void>;
}
