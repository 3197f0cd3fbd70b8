import type { ShellParser } from '../../rules/line/shellParser';
import type { Log } from '../log/log';
import { loadBashParser } from './bashParser';

/** Loads the parser for command lines with the first request that needs it. */
export class LazyParser {
  private readonly folder: string;
  private readonly log: Pick<Log, 'error'>;
  private loading: Promise<ShellParser | undefined> | undefined;

  /** `folder` contains the files of `@vscode/tree-sitter-wasm`. */
  constructor(folder: string, log: Pick<Log, 'error'>) {
    this.folder = folder;
    this.log = log;
  }

  /** Resolves to undefined if it can't be loaded. Then no rule allows a command. */
  get(): Promise<ShellParser | undefined> {
    this.loading ??= loadBashParser(this.folder).catch((error: unknown) => {
      this.log.error(`Permission rules: couldn't load the parser for commands: ${String(error)}. The user is asked.`);
      return undefined;
    });
    return this.loading;
  }
}
