import type * as vscode from 'vscode';

/** The parts of the git extension's API that are used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
  };
  log(options: { readonly maxEntries: number }): Promise<readonly GitCommit[]>;
  diff(cached?: boolean): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
  diffIndexWithHEAD(path: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
}

/** A commit as the git extension reports it. */
export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string;
}
