import * as l10n from '@vscode/l10n';
import type { EntryId } from '../shared/values/ids';
import { startIsSlow } from './failures';
import type { TranscriptStore } from './transcript/transcriptStore';

/** Asks the user about an agent that is slow to start. It keeps starting meanwhile. */
export class StartWait {
  private readonly store: TranscriptStore;
  private readonly turn: () => number;
  /** The entry that asks. */
  private asked: EntryId | undefined;

  constructor(store: TranscriptStore, turn: () => number) {
    this.store = store;
    this.turn = turn;
  }

  /** Asks, unless the user hasn't answered yet. */
  ask(seconds: number, mayDownload: boolean): void {
    const { agentName } = this.store.view;
    this.asked ??= this.store.appendFailure(startIsSlow(agentName, seconds, mayDownload), this.turn()).id;
  }

  /** The user gives the agent more time. */
  keepWaiting(): void {
    this.answer(l10n.t('Waiting for {0} to start', this.store.view.agentName));
  }

  /** The agent has started, or no longer tries to. */
  over(isStarted: boolean): void {
    const { agentName } = this.store.view;
    this.answer(isStarted ? l10n.t('{0} started', agentName) : l10n.t('{0} was slow to start', agentName));
  }

  /** Replaces the question with a plain line. */
  private answer(title: string): void {
    const id = this.asked;
    this.asked = undefined;
    const entry = id === undefined ? undefined : this.store.transcript.entries.get(id);
    if (!entry) return;
    const { turn } = entry;
    this.store.apply([{ op: 'replace', entry: { kind: 'notice', id: entry.id, turn, severity: 'info', title } }]);
  }
}
