import type { HostTarget } from '../../shared/limits/hostTarget';
import type { Blocked, HostAnswer, SandboxPolicy } from '../../shared/limits/sandbox';
import type { InsideCommand } from '../windows/insideCommand';

/** A file in whose place programs see another one, with what git has of it. */
export interface ShownFile {
  readonly path: string;
  readonly source: string;
}

/** What the keeper is started with. */
export interface KeeperStart {
  readonly kind: 'start';
  readonly policy: SandboxPolicy;
  /** A folder for temporary files that exists and belongs to this sandbox alone. */
  readonly temporary: string;
  /** Files in whose place programs see another one. */
  readonly shown?: readonly ShownFile[];
  /** The program ripgrep, if it isn't on PATH. */
  readonly ripgrep?: string;
}

/** Sent to the keeper. */
export type ToKeeper =
  | KeeperStart
  | { readonly kind: 'wrap'; readonly id: number; readonly line: string }
  | {
      readonly kind: 'wrapOnWindows';
      readonly id: number;
      readonly command: InsideCommand;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'ended' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: HostAnswer }
  | { readonly kind: 'end' };

/** Sent by the keeper. */
export type FromKeeper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  /** The program to start, and its arguments. */
  | { readonly kind: 'wrapped'; readonly id: number; readonly argv: readonly string[] }
  | { readonly kind: 'notWrapped'; readonly id: number; readonly message: string }
  | { readonly kind: 'ask'; readonly id: number; readonly target: HostTarget }
  /** The connection of a question has closed: nobody waits for the answer. */
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'blocked'; readonly blocked: Blocked };
