import type { TerminalId } from '../../shared/ids';
import type { ProcessExit, ServedTerminal } from '../services';
import type { TranscriptStore } from './transcriptStore';

/** The terminals of a session in its transcript. */
export class ShownTerminals {
  private readonly store: TranscriptStore;

  constructor(store: TranscriptStore) {
    this.store = store;
  }

  created({ terminalId, driver, command, cwd }: ServedTerminal): void {
    const startedAt = this.store.now();
    const terminal = { terminalId, driver, command, cwd, output: '', hidden: 0, startedAt } as const;
    this.store.apply([{ op: 'terminal', terminal: { ...terminal, exit: { state: 'running' } } }]);
  }

  output(id: TerminalId, data: string): void {
    if (data !== '') this.store.apply([{ op: 'terminalOutput', id, data }]);
  }

  exited(id: TerminalId, exit: ProcessExit): void {
    const fields = { exit: { state: 'exited', ...exit, endedAt: this.store.now() } } as const;
    this.store.apply([{ op: 'patchTerminal', id, fields }]);
  }
}
