import type { OfferedCapabilities } from '../acp/dialect';
import type { ClientServices } from '../session/services';
import type { IDisposable } from '../shared/disposable';
import type { ProcessGuard } from '../shared/processGuard';
import type { AgentLaunch } from './agentProcess';

/** What one process of an agent is made of, and what it needs of its surroundings. */
export interface AgentOptions {
  readonly name: string;
  /** Parley's version. */
  readonly version: string;
  /** What to start; asked once. */
  readonly launch: () => Promise<AgentLaunch>;
  /** Names of the environment variables whose values are the user's own, and secret. */
  readonly secretVariables: readonly string[];
  readonly services: ClientServices;
  /** What of them the agent is offered; everything when absent. */
  readonly offered?: OfferedCapabilities;
  readonly now: () => number;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  readonly guard?: ProcessGuard;
  readonly log?: (line: string) => void;
}
