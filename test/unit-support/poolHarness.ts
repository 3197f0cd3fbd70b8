// An agent pool with real processes (the scripted agent), files in memory, and terminals without processes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import { ResponseError } from '../../src/acp/base/errors';
import { AgentPool } from '../../src/agent/pool/agentPool';
import type { AgentPoolOptions } from '../../src/agent/pool/poolParts';
import type { AgentLaunch } from '../../src/agent/process/agentProcess';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import type { KnownVersions } from '../../src/agent/pool/knownVersions';
import { CookieJar } from '../../src/agent/remote/cookieJar';
import { resolveRemote } from '../../src/agent/launch/resolveRemote';
import type { PrepareSession } from '../../src/agent/connection/sessionSetup';
import type { ConfigureAgent } from '../../src/agent/pool/startAgent';
import { requireTrust } from '../../src/session/notTrusted';
import { renderText } from '../../src/session/document/renderText';
import type { ClientServices, ProcessExit, ServedTerminal, TerminalEvents } from '../../src/session/services';
import type { Session } from '../../src/session/session';
import type { AgentId, TerminalId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';

const scripted = resolve('test/fixtures/agents/scripted.mjs');
export const workspace = mkdtempSync(join(tmpdir(), 'parley-pool-'));
const pools = new Set<AgentPool>();
after(async () => {
  // Windows doesn't remove the folder of a running process.
  await Promise.all([...pools].map((pool) => pool.stopAll()));
  rmSync(workspace, { recursive: true, maxRetries: 5 });
});

/** A terminal that the test controls. */
export class FakeTerminal implements ServedTerminal {
  readonly terminalId: TerminalId;
  readonly driver = 'pipe';
  readonly command: string;
  readonly cwd: string;
  readonly events: TerminalEvents;
  text = '';
  calls: string[] = [];
  private exited: ProcessExit | undefined;
  private readonly waiting = new Set<(exit: ProcessExit) => void>();

  constructor(id: string, command: string, cwd: string, events: TerminalEvents) {
    this.terminalId = id as TerminalId;
    this.command = command;
    this.cwd = cwd;
    this.events = events;
  }

  print(text: string): void {
    this.text += text;
    this.events.onOutput(text);
  }

  exit(exit: ProcessExit): void {
    if (this.exited) return;
    this.exited = exit;
    this.events.onExit(exit);
    for (const wake of this.waiting) wake(exit);
  }

  output() {
    return { output: this.text, truncated: false, ...(this.exited ? { exit: this.exited } : {}) };
  }

  waitForExit(signal: AbortSignal): Promise<ProcessExit> {
    if (this.exited) return Promise.resolve(this.exited);
    return new Promise((resolvePromise, reject) => {
      this.waiting.add(resolvePromise);
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    });
  }

  async kill(): Promise<void> {
    this.calls.push('kill');
    this.exit({ signal: 'SIGTERM' });
  }

  async release(): Promise<void> {
    this.calls.push('release');
    this.exit({ signal: 'SIGKILL' });
  }
}

export class FakeServices implements ClientServices {
  readonly texts = new Map<string, string>();
  readonly made: FakeTerminal[] = [];
  beforeWork?: NonNullable<ClientServices['beforeWork']>;

  readonly files: ClientServices['files'] = {
    readTextFile: async (_context, { path, line = 1, limit }) => {
      const text = this.texts.get(path);
      if (text === undefined) throw new ResponseError(-32002, `Resource not found: ${path}`, { path });
      const lines = text.split(/(?<=\n)/).slice(line - 1);
      return (limit === undefined ? lines : lines.slice(0, limit)).join('');
    },
    writeTextFile: async (_context, { path, content }) => void this.texts.set(path, content),
  };

  readonly terminals: ClientServices['terminals'] = {
    create: async (context, { command, args, cwd }, events) => {
      const line = [command, ...args].join(' ');
      const terminal = new FakeTerminal(`t${this.made.length + 1}`, line, cwd ?? context.cwd, events);
      this.made.push(terminal);
      // Prints before anything listens, because early output must not be lost.
      terminal.print('$ ');
      return terminal;
    },
  };
}

export class PoolHarness {
  readonly services = new FakeServices();
  readonly log: string[] = [];
  /** Timers that the test fires, by their delay in milliseconds. */
  readonly held = new Map<number, () => void>();
  /** The variables that the user entered for agents' environments. */
  variables: Readonly<Record<string, string>> = {};
  /** What the user enters for a remote agent's `${input:…}`. */
  input: string | undefined = 'typed-token';
  readonly cookies = new CookieJar();
  readonly pool: AgentPool;

  constructor(
    options: {
      holdTimers?: boolean;
      env?: Readonly<Record<string, string>>;
      prepareSession?: PrepareSession;
      configureAgent?: ConfigureAgent;
      isTrusted?: () => boolean;
      versions?: Pick<KnownVersions, 'mayOffer' | 'note'>;
      wantedOptions?: NonNullable<AgentPoolOptions['wantedOptions']>;
      sandbox?: Pick<AgentPoolOptions, 'enclose' | 'placeSession' | 'decideHost' | 'sandboxBlocked'>;
    } = {},
  ) {
    this.pool = new AgentPool({
      services: this.services,
      version: '0.1.0',
      now: Date.now,
      schedule: (ms, action) => {
        if (options.holdTimers) {
          this.held.set(ms, action);
          return { dispose: () => void this.held.delete(ms) };
        }
        const timer = setTimeout(action, ms);
        return { dispose: () => clearTimeout(timer) };
      },
      resolveLaunch: async (spec, cwd): Promise<AgentLaunch> => {
        requireTrust(options.isTrusted?.() ?? true);
        if (spec.url !== undefined) {
          return resolveRemote(spec, {
            workspaceFolder: cwd,
            workspaceFolders: [],
            userHome: cwd,
            environment: () => Promise.resolve({ env: {} }),
            cookies: this.cookies,
            askInput: () => Promise.resolve(this.input),
          });
        }
        return {
          command: spec.command,
          args: spec.args,
          cwd,
          env: { PATH: process.env['PATH'] ?? '', ...options.env, ...spec.env, ...this.variables },
          secretVariables: Object.keys(this.variables),
        };
      },
      log: (line) => this.log.push(line),
      ...(options.prepareSession ? { prepareSession: options.prepareSession } : {}),
      ...(options.versions ? { versions: options.versions } : {}),
      ...(options.wantedOptions ? { wantedOptions: options.wantedOptions } : {}),
      ...(options.configureAgent ? { configureAgent: options.configureAgent } : {}),
      ...options.sandbox,
    });
    pools.add(this.pool);
  }

  start(script: object | AgentSpec, cwd = workspace): Session {
    const spec = 'command' in script ? script : this.spec(script);
    return this.pool.createSession({ spec, cwd });
  }

  spec(script: object, env: Readonly<Record<string, string>> = {}): AgentSpec {
    return {
      id: 'settings:Codex' as AgentId,
      name: 'Codex',
      source: 'settings',
      env,
      command: process.execPath,
      args: [scripted, JSON.stringify(script)],
    };
  }

  /** Returns the messages as `[direction, message]`, of the newest agent at index 0 or of an earlier one. */
  wire(index = 0): readonly [string, { id?: unknown; method?: string; params?: object; result?: unknown }][] {
    const entries = this.pool.traffic[index]!.traffic.entries();
    return entries
      .filter(({ direction }) => direction === 'send' || direction === 'receive')
      .map(({ direction, message }) => [direction, message as object]);
  }

  /** Returns the methods that the client called, in order. */
  sent(index = 0): readonly string[] {
    return this.wire(index).flatMap(([direction, { method }]) => (direction === 'send' && method ? [method] : []));
  }
}

/** Resolves as soon as the session's transcript satisfies the claim. Fails after thirty seconds and shows the transcript. */
export async function until(session: Session, claim: (session: Session) => boolean, withinMs = 30_000): Promise<void> {
  if (claim(session)) return;
  await new Promise<void>((resolvePromise, reject) => {
    const timer = setTimeout(() => {
      listener.dispose();
      reject(new Error(`Never true: ${claim.toString()}\n${text(session)}`));
    }, withinMs);
    const listener = session.onDidApply(() => {
      // Waits until the op is fully applied, including its immediate effects.
      queueMicrotask(() => {
        if (!claim(session)) return;
        clearTimeout(timer);
        listener.dispose();
        resolvePromise();
      });
    });
  });
}

export const text = (session: Session) => renderText(session.transcript);
export const isReady = ({ transcript: { view } }: Session) => view.connection.state === 'ready';
export const isClosed = ({ transcript: { view } }: Session) => view.connection.state === 'closed';
export const asks = ({ transcript: { view } }: Session) => view.activity.state === 'requires_action';
export const isRunning = ({ transcript: { view } }: Session) => view.activity.state === 'running';

/** Returns whether a session is ready, not running, and has completed a turn. */
export const isDone = (session: Session) =>
  isReady(session) && session.transcript.view.activity.state === 'idle' && session.transcript.order.length > 0;

export function all<K extends Entry['kind']>(session: Session, kind: K): readonly Extract<Entry, { kind: K }>[] {
  const entries = session.transcript.order.map((id) => session.transcript.entries.get(id)!);
  return entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
}

/** Returns whether a process with this id is alive. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the ids of the processes that the pool has started, from its log. */
export function pidsOf(harness: PoolHarness): readonly number[] {
  return harness.log.flatMap((line) => {
    const found = /as process (\d+)/.exec(line)?.[1];
    return found === undefined ? [] : [Number(found)];
  });
}
