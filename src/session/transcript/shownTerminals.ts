import type { TerminalId } from '../../shared/values/ids';
import type { ProcessExit, ServedTerminal } from '../services';
import type { TranscriptStore } from './transcriptStore';

/** The terminals of a session in its transcript. */
export class ShownTerminals {
  private readonly store: TranscriptStore;
  /** The commands that are running. */
  private readonly running = new Map<TerminalId, ServedTerminal>();

  constructor(store: TranscriptStore) {
    this.store = store;
  }

  created(served: ServedTerminal): void {
    const { terminalId, driver, command, cwd } = served;
    this.running.set(terminalId, served);
    const startedAt = this.store.now();
    const terminal = { terminalId, driver, command, cwd, output: '', hidden: 0, startedAt } as const;
    this.store.apply([{ op: 'terminal', terminal: { ...terminal, exit: { state: 'running' } } }]);
  }

  output(id: TerminalId, data: string): void {
    if (data !== '') this.store.apply([{ op: 'terminalOutput', id, data }]);
  }

  exited(id: TerminalId, exit: ProcessExit): void {
    this.running.delete(id);
    const fields = { exit: { state: 'exited', ...exit, endedAt: this.store.now() } } as const;
    this.store.apply([{ op: 'patchTerminal', id, fields }]);
  }

  /** Kills a command and all processes it started. Its exit is reported as usual. */
  kill(id: TerminalId): void {
    this.running
      .get(id)
      ?.kill()
      .catch(() => {
        // The transcript still shows the command as running, and the user can try again.
      });
  }
}
