import type { IDisposable } from '../shared/disposable';
import type { Agent } from './agent';
import type { AgentSpec } from './agentSpec';

/** An agent that is asked something outside of any session. Its process is kept until the lease is disposed. */
export interface AgentLease extends IDisposable {
  readonly spec: AgentSpec;
  readonly agent: Agent;
  /** Settles when the agent has introduced itself; rejects with a `FailureError`. */
  readonly ready: Promise<void>;
}
