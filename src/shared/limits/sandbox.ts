import type { IDisposable } from '../values/disposable';
import type { Event } from '../values/event';
import type { HostTarget } from './hostTarget';
import type { SandboxMode } from './sandboxMode';

/** A mode that holds an agent to something. */
export type HoldingMode = Exclude<SandboxMode, 'off'>;

/** A folder of the agent's own that takes the place of a cache of the user's. */
export interface CacheLayer {
  readonly folder: string;
  readonly place: string;
  /** The variable that moves the cache. */
  readonly variable?: string;
}

/** What git has of a file that can't be read. */
export interface CommittedFile {
  readonly path: string;
  readonly base64: string;
  readonly isProgram: boolean;
}

/** What git inside sees of files that are hidden: otherwise, each would stop `git add --all`. */
export interface GitView {
  readonly committed: readonly CommittedFile[];
  /** The text of a file of patterns that git ignores. Undefined if the user's own is enough. */
  readonly ignored?: string;
}

/** A link of the file system, and where it leads. */
export interface FolderLink {
  readonly path: string;
  readonly to: string;
}

/** What an agent's process is held to. All paths are absolute. */
export interface SandboxPolicy {
  readonly mode: HoldingMode;
  /** The session's folders. They can be changed, except what is read-only. */
  readonly folders: readonly string[];
  /** The agent's own files and folders, which it can change. */
  readonly state: readonly string[];
  /** Other folders that can be changed: what worktrees share, and what the user allows. */
  readonly shared: readonly string[];
  /** The agent's own caches for package managers. */
  readonly layers?: readonly CacheLayer[];
  readonly readOnly: readonly string[];
  readonly unreadable: readonly string[];
  /** Unreadable files in whose place programs see what git has, on Linux. */
  readonly committed?: readonly CommittedFile[];
  /** The text of a file of patterns that git ignores, in place of the user's own. */
  readonly ignored?: string;
  /** Links through which the session's folders were opened. */
  readonly links?: readonly FolderLink[];
  /** Folders of what is read-only that are made if they are missing, so that nobody makes them inside. */
  readonly placeholders?: readonly string[];
  /** What can be read inside of unreadable folders and homes, such as tools. */
  readonly stillReadable?: readonly string[];
  /** Home folders of which a program sees only what is still readable and what it can change. */
  readonly homes?: readonly string[];
  /** Those of the unreadable folders in which a program can't write at all, instead of writing what nobody sees. */
  readonly sealed?: readonly string[];
  /**
   * Set where the agent runs as an account of its own, as on Windows, which can't read the user's profile: what it can read
   * there besides what it can change.
   */
  readonly readable?: readonly string[];
  /** Names of the user's variables that the agent doesn't get. */
  readonly leftOut?: readonly string[];
  /** Hosts that nobody is asked about, as `host:port`; `*.` stands for the subdomains. */
  readonly hosts: readonly string[];
  /** Hosts that are denied without a question until the agent runs a tool: it looks for updates there. */
  readonly updateHosts?: readonly string[];
  /** Ports of servers on this machine that can be reached. */
  readonly localPorts: readonly number[];
  /** Ports of servers on this machine that can be reached if the user allows it at the first connection. */
  readonly askedPorts?: readonly number[];
}

/** A program with its arguments, on Windows perhaps as one quoted line for `cmd.exe`. `env` is its whole environment. */
export interface SandboxCommand {
  readonly file: string;
  readonly args: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
}

/** A command that runs another one inside of a sandbox. */
export interface WrappedCommand extends SandboxCommand {
  readonly args: readonly string[];
}

/** The answer for one connection. `reason` reaches the program. */
export type HostAnswer = { readonly allow: true } | { readonly allow: false; readonly reason?: string };

/** Decides about a connection to a host that the policy doesn't allow. */
export type AskHost = (target: HostTarget, signal: AbortSignal) => Promise<HostAnswer>;

/** Opens a page outside, if the user wants that; resolves to whether it was opened. */
export type OpenPage = (address: string) => Promise<boolean>;

/** What a sandbox didn't allow. The sandboxed program is a source of it, so this is a hint and never decides anything. */
export type Blocked =
  | { readonly kind: 'write' | 'read'; readonly path: string }
  | { readonly kind: 'host'; readonly host: string; readonly port: number }
  /** Something outside replaced a place, and it couldn't be held again, so the sandbox has ended its programs. */
  | { readonly kind: 'lost'; readonly path: string };

/** What an agent's process and its commands run in. Disposed with the agent. */
export interface Sandbox extends IDisposable {
  readonly policy: SandboxPolicy;
  /** Decides about hosts that the policy doesn't allow. Without it, they are denied. */
  askHost: AskHost | undefined;
  /** Fires some time after something was blocked. Doesn't fire for everything on every system. */
  readonly onDidBlock: Event<Blocked>;
  /** Resolves to the command that runs this one inside; rejects with a `SandboxFailure`. */
  wrap(command: SandboxCommand): Promise<WrappedCommand>;
  /**
   * Lets programs inside ask for pages, and lets the browser's answers in, until the result is disposed. Only while the user
   * logs in.
   */
  startLogin(openPage: OpenPage): Promise<IDisposable>;
  /** Must be called when a wrapped command has ended. */
  ended(): void;
}

/** A sandbox couldn't be set up, or can't run a command. `message` is for the user. */
export class SandboxFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SandboxFailure';
  }
}
