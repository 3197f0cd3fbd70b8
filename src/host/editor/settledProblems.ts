import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';

/** How long nothing must be reported until problems count as settled, in milliseconds. */
const quietMs = 300;
/** How long to wait for a report about a file that was just opened or edited, in milliseconds. */
const patienceMs = 3000;
/** The most to wait in total, in milliseconds. */
const mostMs = 8000;

/** Knows whether the language services have reported problems since the last edit of a file. */
export class SettledProblems extends Disposable {
  private readonly edits = new Map<string, number>();
  private readonly reports = new Map<string, number>();
  private lastReport = 0;
  readonly now: () => number;

  constructor(now: () => number) {
    super();
    this.now = now;
    const edited = (document: vscode.TextDocument) => this.edits.set(document.uri.toString(), now());
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) edited(document);
      }),
    );
    this.register(vscode.workspace.onDidOpenTextDocument(edited));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.edits.delete(uri.toString())));
    this.register(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        this.lastReport = now();
        for (const uri of uris) this.reports.set(uri.toString(), this.lastReport);
      }),
    );
  }

  /** Resolves to whether the problems of a file, or of all, have settled. `openedAt`: services check the file since then. */
  async wait(uri: vscode.Uri | undefined, signal: AbortSignal, openedAt?: number): Promise<boolean> {
    const start = this.now();
    if (uri && openedAt !== undefined) this.edits.set(uri.toString(), openedAt);
    const open = this.waiting(uri);
    for (;;) {
      const passed = this.now() - start;
      if (open.every((key) => this.isReported(key)) && this.now() - this.lastReport >= quietMs) return true;
      if (signal.aborted || passed >= mostMs) return false;
      if (passed >= patienceMs && this.now() - this.lastReport >= quietMs) {
        // No service has anything to say about these files. Later calls needn't wait for them.
        for (const key of open) this.edits.delete(key);
        return true;
      }
      await nextReport(quietMs, signal);
    }
  }

  private waiting(uri: vscode.Uri | undefined): string[] {
    const keys = uri ? [uri.toString()] : [...this.edits.keys()].filter((key) => key.startsWith('file:'));
    return keys.filter((key) => !this.isReported(key));
  }

  private isReported(key: string): boolean {
    return (this.edits.get(key) ?? -1) <= (this.reports.get(key) ?? -1);
  }
}

/** Resolves with the next report, at the latest after `ms`. */
function nextReport(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      subscription.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const subscription = vscode.languages.onDidChangeDiagnostics(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
