// The contract of the editor's interface, as Parley's tests rely on it. The same tests run against the real module `vscode`, in an extension
// host, and against the one that plays it in plain Node.

import type { TextDocument } from 'vscode';

/** What both test runners give to the body of a test. */
export interface ContractContext {
  /** Runs `action` after the test, passed or failed. */
  after(action: () => unknown): void;
}

/** Declares groups and tests with one of the two test runners. */
export interface Declare {
  readonly suite: (name: string, define: () => void) => void;
  readonly test: (name: string, body: (context: ContractContext) => unknown) => void;
}

/** What a contract needs of its surroundings, besides the module `vscode` itself. */
export interface Ground {
  /** Returns an empty folder inside the only folder of the workspace. It is removed after the test. */
  folder(context: ContractContext): Promise<string>;
  /** Resolves once something is true. */
  until(isTrue: () => boolean): Promise<void>;
  /** Presses Enter in the list or box that is open, or that opens next. */
  accept(): Promise<void>;
  /** Presses Escape there. */
  escape(): Promise<void>;
  /** Gives up what is unsaved in a document. */
  discard(document: TextDocument): Promise<void>;
  /** Lets listeners throw until the test ends. The editor logs such errors. */
  mayThrow(context: ContractContext): void;
}

/** Declares the tests of one part of the contract. */
export type Contract = (declare: Declare, ground: Ground) => void;
