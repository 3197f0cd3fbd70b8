import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { OfferedCapabilities } from '../../acp/dialect/dialect';
import type { ClientServices } from '../../session/services';
import type { InitialOption } from '../../acp/shape/openingSetup';
import type { Session } from '../../session/session';
import type { ConfigOption, SessionView } from '../../shared/transcript/transcript';
import type { IDisposable } from '../../shared/values/disposable';
import type { ProcessGuard } from '../../shared/limits/processGuard';
import type { HostTarget } from '../../shared/limits/hostTarget';
import type { SessionId } from '../../shared/values/ids';
import type { Blocked, HostAnswer, Sandbox, SandboxPolicy } from '../../shared/limits/sandbox';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { Agent } from '../connection/agent';
import type { AgentLease } from './agentLease';
import type { AgentOptions } from '../handshake/agentOptions';
import type { AgentLaunch } from '../process/agentProcess';
import { tokenMethods } from '../remote/remoteInputs';
import type { AgentSpec } from '../spec/agentSpec';
import type { KnownVersions } from './knownVersions';
import { allOffered } from '../spec/offeredCapabilities';
import type { PrepareSession, SetupNotice } from '../connection/sessionSetup';
import type { Reattach } from './reattach';
import type { ConfigureAgent } from './startAgent';

/** The options and dependencies of an agent pool. */
export interface AgentPoolOptions {
  readonly services: ClientServices;
  /** Parley's version, sent to agents. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back once after `ms` milliseconds unless disposed first. */
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** Resolves to the program to run for this spec in this folder; rejects with a `SpawnFailure` if it can't run. */
  readonly resolveLaunch: (spec: AgentSpec, cwd: string) => Promise<AgentLaunch>;
  /**
   * Makes the place that a session's sandbox needs, before its agent starts: a copy of the user's files. Undefined if it needs none, or has it;
   * rejects if there can't be one.
   */
  readonly placeSession?: (session: Session, spec: AgentSpec, cwd: string) => Promise<PlacedSession> | undefined;
  /** Resolves to the launch inside of the sandbox of `spec.sandbox`; rejects if there can't be one. */
  readonly enclose?: (spec: AgentSpec, cwd: string, launch: AgentLaunch) => Promise<AgentLaunch>;
  /** Returns what a session's agent is held to: `chosen`, or else what the settings say, and never less than required. */
  readonly sandboxOf?: (spec: AgentSpec, chosen: SandboxMode | undefined) => SandboxMode;
  /** Returns the folders that a sandbox is for: those of a session, or of a new one in this folder. */
  readonly sandboxFolders?: (
    place: Pick<SessionView, 'cwd' | 'additionalDirectories' | 'askedBy'>,
  ) => readonly string[];
  /** Decides about a connection of a sandboxed process, which may belong to any of these sessions. */
  readonly decideHost?: (
    sessions: readonly Session[],
    target: HostTarget,
    signal: AbortSignal,
    policy: SandboxPolicy,
  ) => Promise<HostAnswer>;
  /** Called when a sandbox has blocked something for one of these sessions. */
  readonly sandboxBlocked?: (sessions: readonly Session[], blocked: Blocked, policy: SandboxPolicy) => void;
  /** Returns the setup for opening a session, called each time; only the folders if absent. */
  readonly prepareSession?: PrepareSession;
  /** Returns what the user wants of the options that a new session would start with; nothing if absent. */
  readonly wantedOptions?: (session: Session, offered: readonly ConfigOption[]) => readonly InitialOption[];
  /** Called once for each process, before any session is opened in it. */
  readonly configureAgent?: ConfigureAgent;
  /** Returns whether to offer next edit suggestions; called for each process. No, if absent. */
  readonly wantsNextEdits?: () => boolean;
  readonly guard?: ProcessGuard;
  /** What is known about the protocol versions of agents. Without it, only the usual one is requested. */
  readonly versions?: Pick<KnownVersions, 'mayOffer' | 'note'>;
  /** Receives lines for the log channel, without secrets. */
  readonly log?: (line: string) => void;
}

/** The place that was made for a session. */
export interface PlacedSession {
  readonly cwd: string;
  /** Called once the session is open there. */
  readonly opened: () => void;
}

/** An agent's process, started or starting, and the sessions that use it. */
export interface Slot {
  readonly spec: AgentSpec;
  readonly agent: Agent;
  /** Resolves when the agent has answered `initialize`; rejects with a `FailureError`. */
  readonly ready: Promise<void>;
  /** Notices about settings the agent rejected, to show in its sessions. Complete once `ready` resolves. */
  readonly notices: readonly SetupNotice[];
  readonly start: AbortController;
  /** Resolves when the start of a sandbox has ended in any way. */
  readonly enclosed: () => Promise<unknown> | undefined;
  readonly sessions: Set<Session>;
  /** The session in which the user ended the process. */
  endedIn?: Session;
  /** Its sandbox has ended the process, and said why. The user looks at that first. */
  isHoldLost?: true;
  /** Number of leases on the agent outside sessions. */
  leases: number;
}

/** The pool's data about a session. */
export interface Member {
  spec: AgentSpec;
  cwd: string;
  /** The agent's session that this one forks, if it is a fork. */
  readonly forkOf: SessionId | undefined;
  /** The user continues in a new session of the agent, because it couldn't reopen its own. */
  startsFresh: boolean;
  /** The session was begun in this window, so its agent has nothing of it before the first message. */
  beganHere?: true;
  /** The session moved to another folder, in which the agent may not find its own session. */
  hasMoved?: boolean;
  slot: Slot | undefined;
  /** The agent has no sessions, and keeps running for its suggestions of edits. */
  onlySuggests?: boolean;
  /** Set while the agent starts or the session opens. */
  opening: AbortController | undefined;
  /** Set while a crashed agent waits for its next start. */
  restarting?: IDisposable | undefined;
  /** Set while the connection to a remote agent is lost and is being opened again. */
  reattach?: Reattach | undefined;
}

/** An agent that has answered `initialize`, and the folder it was started for. */
export interface RunningAgent {
  readonly agent: Agent;
  readonly spec: AgentSpec;
  readonly cwd: string;
}

/** What a command runs in. Disposed when the command has ended. */
export interface CommandSandbox extends IDisposable {
  readonly sandbox: Sandbox;
}

/** Returns how the user can log in to an agent: what it offers, and for a program, entering the values again that its settings ask for. */
export function loginMethodsOf(spec: AgentSpec, { authMethods }: Pick<Agent, 'authMethods'>): readonly AuthMethod[] {
  return spec.url === undefined ? [...authMethods, ...tokenMethods(spec)] : authMethods;
}

/** Returns the options for a process of this agent in this folder. */
export function agentOptionsFor(options: AgentPoolOptions, spec: AgentSpec, cwd: string): AgentOptions {
  const { services, version, now, schedule, guard, log, resolveLaunch, versions, wantsNextEdits } = options;
  return {
    name: spec.name,
    version,
    services,
    now,
    schedule,
    launch: async () => enclosed(options, spec, cwd, await resolveLaunch(spec, cwd)),
    secretVariables: Object.keys({ ...spec.chain?.env, ...spec.env }),
    offered: offeredTo(spec, wantsNextEdits?.() ?? false),
    ...(versions
      ? {
          offersNewest: versions.mayOffer(spec),
          onAgreed: (agentVersion, protocolVersion) => versions.note(spec, agentVersion, protocolVersion),
        }
      : {}),
    ...(guard ? { guard } : {}),
    ...(log ? { log } : {}),
  };
}

/** A sandbox that can't be made is a failure: the agent never starts without it. */
async function enclosed(
  { enclose }: AgentPoolOptions,
  spec: AgentSpec,
  cwd: string,
  launch: AgentLaunch,
): Promise<AgentLaunch> {
  if (!isSandboxed(spec)) return launch;
  if (!enclose || launch.remote) throw new Error('There is no sandbox for this agent');
  return enclose(spec, cwd, launch);
}

/** Returns whether an agent runs in a sandbox. */
export function isSandboxed({ sandbox = 'off' }: AgentSpec): boolean {
  return sandbox !== 'off';
}

/** Returns the settings of an agent with the folders of the session that it is started for, if it runs in a sandbox. */
export function placedSpec(
  { sandboxFolders }: AgentPoolOptions,
  spec: AgentSpec,
  cwd: string,
  view: Partial<SessionView> = {},
): AgentSpec {
  if (!sandboxFolders || !isSandboxed(spec)) return spec;
  return { ...spec, sandboxFolders: sandboxFolders({ ...view, cwd }) };
}

/** Returns the settings of an agent with what a session's sandbox holds it to. A remote agent has none here. */
export function heldSpec(options: AgentPoolOptions, spec: AgentSpec, chosen: SandboxMode | undefined): AgentSpec {
  if (spec.url !== undefined) return spec;
  return { ...spec, sandbox: options.sandboxOf?.(spec, chosen) ?? chosen ?? spec.sandbox ?? 'off' };
}

/** A remote agent is offered what concerns files only if the same paths mean the same files there. */
function offeredTo(
  { url, sharesFiles, clientCapabilities = allOffered }: AgentSpec,
  wantsNextEdits: boolean,
): OfferedCapabilities {
  if (url === undefined) return { ...clientCapabilities, nes: wantsNextEdits };
  if (sharesFiles === true) return { ...clientCapabilities, nes: wantsNextEdits, isRemote: true };
  return { fs: false, terminal: false, isRemote: true };
}

/** Leases an agent; `onFree` is called when nothing uses the agent any more. */
export function leaseOf(slot: Slot, onFree: () => void): AgentLease {
  slot.leases += 1;
  let isLeased = true;
  const dispose = () => {
    if (!isLeased) return;
    isLeased = false;
    slot.leases -= 1;
    if (slot.sessions.size + slot.leases === 0) onFree();
  };
  return { spec: slot.spec, agent: slot.agent, ready: slot.ready, dispose };
}

/** Returns the agents of these members that have answered `initialize`, each once. */
export function runningAgents(members: Iterable<Member>): RunningAgent[] {
  const found = new Map<Agent, RunningAgent>();
  for (const { slot, spec, cwd } of members) {
    if (slot?.agent.can && !slot.agent.hasExited) found.set(slot.agent, { agent: slot.agent, spec, cwd });
  }
  return [...found.values()];
}

/** Returns whether the user ended the process of a slot in another session than this one. */
export function isEndedElsewhere({ endedIn }: Slot, session: Session): boolean {
  return endedIn !== undefined && endedIn !== session;
}
