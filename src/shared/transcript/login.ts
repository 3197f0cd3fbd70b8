import type { EntryId } from '../values/ids';

/** A login method as shown on the card. */
export interface LoginChoice {
  readonly methodId: string;
  readonly name: string;
  readonly description?: string;
  /** The result of a click: the agent acts, a program runs in a terminal, or the user is asked for input. */
  readonly how: 'agent' | 'terminal' | 'variables' | 'apiKey' | 'gateway';
  /** The command line that runs in the terminal, if the agent sends one. */
  readonly command?: string;
}

/** The state of a login. */
export type LoginProgress =
  | { readonly state: 'asked' }
  | { readonly state: 'running'; readonly methodId: string }
  /** The title says what happened; the cause says why, if known, and what to do. */
  | { readonly state: 'failed'; readonly title: string; readonly cause: string }
  | { readonly state: 'done' };

/** A card for a login that the agent requires. A transcript has at most one. */
export interface LoginEntry {
  readonly kind: 'login';
  readonly id: EntryId;
  /** The turn, starting at 1; 0 is before the first prompt. */
  readonly turn: number;
  /** Only the main agent requires a login. */
  readonly subagent?: never;
  /** Not the end of a turn: the agent hasn't answered. */
  readonly turnSummary?: never;
  readonly earlier?: never;
  readonly methods: readonly LoginChoice[];
  readonly progress: LoginProgress;
  /** A user message is kept, to be sent again when they click. */
  readonly waits: boolean;
  /** The session is open; only a request failed. */
  readonly isOpen: boolean;
}
