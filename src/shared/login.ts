import type { EntryId } from './ids';

/** A way to log in, as the card shows it. */
export interface LoginChoice {
  readonly methodId: string;
  readonly name: string;
  readonly description?: string;
  /** What a click does: the agent acts, a program runs in a terminal, or the user is asked for something. */
  readonly how: 'agent' | 'terminal' | 'variables' | 'apiKey' | 'gateway';
  /** The command line that runs in the terminal, when the agent names one. */
  readonly command?: string;
}

/** How far a login is. */
export type LoginProgress =
  | { readonly state: 'asked' }
  | { readonly state: 'running'; readonly methodId: string }
  /** What happened, why as far as known, and what to do. */
  | { readonly state: 'failed'; readonly title: string; readonly cause: string }
  | { readonly state: 'done' };

/** The agent wants a login before it goes on. There is at most one in a transcript. */
export interface LoginEntry {
  readonly kind: 'login';
  readonly id: EntryId;
  /** Turns are counted from 1; 0 is what came before the first prompt. */
  readonly turn: number;
  /** Only the session itself needs one. */
  readonly subagent?: never;
  readonly methods: readonly LoginChoice[];
  readonly progress: LoginProgress;
  /** A message of the user's is kept, to be sent again on their click. */
  readonly waits: boolean;
  /** The session is open all the same: only what was asked of it failed. */
  readonly isOpen: boolean;
}
