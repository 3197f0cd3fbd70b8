import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Preset } from '../../agent/spec/preset';
import type { SessionKey } from '../../shared/values/ids';
import type { ReviewPageScope } from '../../shared/changes/reviewPage';
import type { ParleyTab } from '../../shared/pages/parleyPage';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { Prompt } from '../../shared/transcript/transcript';

/** What a new session starts with, so that nothing is asked. */
export interface NewSessionArgument {
  /** A name from `parley.agents`, or an agent's id. */
  readonly agent?: string;
  /** A name from `parley.presets`, which wins over the agent. */
  readonly preset?: string;
  /** A folder, preferably absolute. */
  readonly cwd?: string;
  readonly prompt?: string;
  /** What the agent is held to, at least as far as the workspace and the policy require. */
  readonly sandbox?: SandboxMode;
}

/** Several tries of a message, without a question. */
export interface TriesRequest {
  readonly folder: string;
  readonly prompt: Prompt;
  /** Who makes them. */
  readonly starts: readonly { readonly agent: AgentSpec; readonly preset?: Preset }[];
}

/** What a feature does for others, with the arguments of each. Without a session, it's the one used last. */
export interface ActionArguments {
  readonly addAgent: [];
  readonly bringChanges: [session?: SessionKey | undefined];
  readonly checkSetup: [];
  readonly commit: [session?: SessionKey | undefined, turn?: number | undefined];
  readonly continueWith: [session?: SessionKey | undefined];
  readonly discardWorktree: [session?: SessionKey | undefined];
  readonly fetchBranch: [session?: SessionKey | undefined];
  readonly managePresets: [];
  readonly mergeBranch: [session?: SessionKey | undefined];
  readonly moveToWorktree: [session?: SessionKey | undefined];
  /** Without an argument, the user is asked. */
  readonly newSession: [argument?: NewSessionArgument | undefined];
  readonly newSessionInWorktree: [argument?: NewSessionArgument | undefined];
  readonly openChat: [];
  readonly openReview: [scope: ReviewPageScope];
  readonly reviewWithAgent: [scope?: ReviewPageScope | undefined];
  readonly reviewWorktree: [session?: SessionKey | undefined];
  /** The page “Parley”, with this tab and this entry of it. */
  readonly showParley: [tab?: ParleyTab | undefined, entry?: string | undefined];
  /** Rejects with the reason, a sentence, if they can't start. */
  readonly startTries: [request: TriesRequest];
  readonly showProtocolLog: [startedAt?: number | undefined];
}

export type ActionName = keyof ActionArguments;

/** What some actions do. Other features call them, so their arguments are what their types say. */
export type Actions<Name extends ActionName> = {
  readonly [Key in Name]: (...args: ActionArguments[Key]) => unknown;
};

/** Lets another feature do something. Resolves when that is done, and rejects if it fails. */
export type Act<Names extends ActionName> = <Name extends Names>(
  name: Name,
  ...args: ActionArguments[Name]
) => Promise<void>;

/** The way from each feature to the actions of all, which exist once all features do. */
export class ActionDesk {
  private actions: Actions<ActionName> | undefined;

  /** Takes the actions of all features. */
  join(actions: Actions<ActionName>): void {
    this.actions = actions;
  }

  readonly act: Act<ActionName> = async (name, ...args) => {
    if (!this.actions) throw new Error(`Nothing can ${name} yet.`);
    await this.actions[name](...args);
  };
}

/** Reads a session from the argument of a command. Menus pass their own context, which is none. */
export function sessionIn(argument: unknown): SessionKey | undefined {
  return typeof argument === 'string' && argument !== '' ? (argument as SessionKey) : undefined;
}
