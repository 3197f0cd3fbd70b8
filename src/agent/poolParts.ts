import type { ClientServices } from '../session/services';
import type { Session } from '../session/session';
import type { IDisposable } from '../shared/disposable';
import type { ProcessGuard } from '../shared/processGuard';
import type { SessionId } from '../shared/ids';
import type { Agent } from './agent';
import type { AgentLease } from './agentLease';
import type { AgentOptions } from './agentOptions';
import type { AgentLaunch } from './agentProcess';
import type { AgentSpec } from './agentSpec';
import type { PrepareSession, SetupNotice } from './sessionSetup';
import type { ConfigureAgent } from './startAgent';

/** What a pool of agents needs of its surroundings. */
export interface AgentPoolOptions {
  readonly services: ClientServices;
  /** Parley's version, told to agents. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back once after `ms` milliseconds unless disposed first. */
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** What to run for this spec in this folder; rejects with a `SpawnFailure` when that is known not to work. */
  readonly resolveLaunch: (spec: AgentSpec, cwd: string) => Promise<AgentLaunch>;
  /** What sessions are opened with, asked each time; nothing but their folders when absent. */
  readonly prepareSession?: PrepareSession;
  /** Called once for each process, before any session is opened in it. */
  readonly configureAgent?: ConfigureAgent;
  readonly guard?: ProcessGuard;
  /** A line for the log channel; holds no secrets. */
  readonly log?: (line: string) => void;
}

/** An agent's process, started or starting, and the sessions that need it. */
export interface Slot {
  readonly spec: AgentSpec;
  readonly agent: Agent;
  /** Settles when the agent has introduced itself; rejects with a `FailureError`. */
  readonly ready: Promise<void>;
  /** What its sessions are to tell of what it did not take; complete when it is ready. */
  readonly notices: readonly SetupNotice[];
  readonly start: AbortController;
  readonly sessions: Set<Session>;
  /** How many need the agent for something else. */
  leases: number;
}

/** What the pool knows of a session. */
export interface Member {
  readonly spec: AgentSpec;
  readonly cwd: string;
  /** The agent's session that it begins as, if it is a fork. */
  readonly forkOf: SessionId | undefined;
  slot: Slot | undefined;
  /** Set while the agent starts or the session opens. */
  opening: AbortController | undefined;
}

/** An agent that has introduced itself, and the folder it was started for. */
export interface RunningAgent {
  readonly agent: Agent;
  readonly spec: AgentSpec;
  readonly cwd: string;
}

/** What a process of this agent for this folder is made of. */
export function agentOptionsFor(options: AgentPoolOptions, spec: AgentSpec, cwd: string): AgentOptions {
  const { services, version, now, schedule, guard, log, resolveLaunch } = options;
  return {
    name: spec.name,
    version,
    services,
    now,
    schedule,
    launch: () => resolveLaunch(spec, cwd),
    secretVariables: Object.keys(spec.env),
    ...(spec.clientCapabilities ? { offered: spec.clientCapabilities } : {}),
    ...(guard ? { guard } : {}),
    ...(log ? { log } : {}),
  };
}

/** Takes an agent; `onFree` is called when nothing needs it any more. */
export function leaseOf(slot: Slot, onFree: () => void): AgentLease {
  slot.leases += 1;
  let isTaken = true;
  const dispose = () => {
    if (!isTaken) return;
    isTaken = false;
    slot.leases -= 1;
    if (slot.sessions.size + slot.leases === 0) onFree();
  };
  return { spec: slot.spec, agent: slot.agent, ready: slot.ready, dispose };
}

/** The agents of these that have introduced themselves, each once. */
export function runningAgents(members: Iterable<Member>): RunningAgent[] {
  const found = new Map<Agent, RunningAgent>();
  for (const { slot, spec, cwd } of members) {
    if (slot?.agent.can && !slot.agent.hasExited) found.set(slot.agent, { agent: slot.agent, spec, cwd });
  }
  return [...found.values()];
}
