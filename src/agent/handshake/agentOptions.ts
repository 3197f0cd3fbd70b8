import type { OfferedCapabilities } from '../../acp/dialect/dialect';
import type { ClientServices } from '../../session/services';
import type { IDisposable } from '../../shared/values/disposable';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import type { AgentLaunch } from '../process/agentProcess';

/** The options and dependencies of one agent process. */
export interface AgentOptions {
  readonly name: string;
  /** Parley's version. */
  readonly version: string;
  /** Returns the program to start; called once. */
  readonly launch: () => Promise<AgentLaunch>;
  /** Names of the environment variables with the user's own secrets. */
  readonly secretVariables: readonly string[];
  readonly services: ClientServices;
  /** The editor services offered to the agent; all of them if absent. */
  readonly offered?: OfferedCapabilities;
  /** Whether the agent is offered a newer protocol version first. */
  readonly offersNewest?: boolean;
  /** Called when the agent has agreed to a protocol version, with its own version. */
  readonly onAgreed?: (agentVersion: string, protocolVersion: number) => void;
  readonly now: () => number;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  readonly guard?: ProcessGuard;
  readonly log?: (line: string) => void;
}
