import * as l10n from '@vscode/l10n';
import type { IDisposable } from '../../shared/disposable';
import type { EntryId } from '../../shared/ids';
import { stopNotHeard } from '../failures';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** Calls `action` once after `ms` milliseconds unless the returned disposable is disposed first. */
export type Schedule = (ms: number, action: () => void) => IDisposable;

/** How long an agent may take to end a cancelled turn before the user is asked about its process, in milliseconds. */
export const cancelGrace = 10_000;

/** Waits for a cancelled turn to end. After a timeout, asks the user whether to end the process. */
export class StopWait implements IDisposable {
  private readonly store: TranscriptStore;
  private readonly turn: number;
  private readonly schedule: Schedule;
  private readonly since: number;
  private grace: IDisposable | undefined;
  /** The entry that asks about the process. */
  private asked: EntryId | undefined;

  constructor(store: TranscriptStore, turn: number, schedule: Schedule) {
    this.store = store;
    this.turn = turn;
    this.schedule = schedule;
    this.since = store.now();
  }

  start(): void {
    this.grace?.dispose();
    this.grace = this.schedule(cancelGrace, () => {
      const seconds = Math.round((this.store.now() - this.since) / 1000);
      const { agentName, place = 'here' } = this.store.view;
      this.asked = this.store.appendFailure(stopNotHeard(agentName, seconds, place !== 'here'), this.turn).id;
    });
  }

  /** Gives the turn more time, as the user asked. */
  keepWaiting(): void {
    if (this.asked === undefined) return;
    this.answer(l10n.t('Waiting for {0} to stop', this.store.view.agentName));
    this.start();
  }

  /** The turn has ended. */
  ended(): void {
    this.dispose();
    this.answer(l10n.t('{0} stopped', this.store.view.agentName));
  }

  dispose(): void {
    this.grace?.dispose();
  }

  /** Replaces the question about the process with a plain line. */
  private answer(title: string): void {
    const id = this.asked;
    this.asked = undefined;
    if (id === undefined) return;
    this.store.apply([{ op: 'replace', entry: { kind: 'notice', id, turn: this.turn, severity: 'info', title } }]);
  }
}
