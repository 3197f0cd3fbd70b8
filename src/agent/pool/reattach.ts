import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { NoticeText, Session } from '../../session/session';
import type { IDisposable } from '../../shared/values/disposable';
import type { EntryId } from '../../shared/values/ids';
import type { LinkLoss } from '../remote/remoteTarget';

/** The waits before the attempts to connect again, in seconds; the last one is repeated. */
const waits = [1, 2, 4, 8, 15, 30];
/** How long to try before the user decides, in milliseconds. A laptop that slept starts anew. */
export const reattachPatience = 15 * 60_000;

export interface ReattachOptions {
  readonly agent: string;
  readonly now: () => number;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
  /** Between 0 and 1: spreads the attempts of many windows. */
  readonly random: () => number;
}

/**
 * The attempts to reach a remote agent again after its connection was lost. The session shows them in one notice. The
 * message that was being answered is never sent again: the agent may be working on it.
 */
export class Reattach implements IDisposable {
  private readonly session: Session;
  private readonly options: ReattachOptions;
  private readonly since: number;
  private readonly hadTurn: boolean;
  private attempts = 0;
  private notice: EntryId | undefined;
  private timer: IDisposable | undefined;

  /** `hadTurn`: the agent was answering a message. */
  constructor(session: Session, hadTurn: boolean, options: ReattachOptions) {
    this.session = session;
    this.options = options;
    this.hadTurn = hadTurn;
    this.since = options.now();
  }

  /** Plans the next attempt, or returns false if it's the user's turn. */
  again(loss: LinkLoss, open: () => void): boolean {
    this.timer?.dispose();
    if (this.options.now() - this.since > reattachPatience) {
      const title = l10n.t('The connection to {0} was lost', this.options.agent);
      this.show({ severity: 'warning', title, description: loss.reason });
      this.notice = undefined;
      return false;
    }
    const seconds = waits[Math.min(this.attempts, waits.length - 1)] ?? 30;
    this.attempts += 1;
    this.show({
      severity: 'warning',
      title: l10n.t('The connection to {0} was lost. Reconnecting…', this.options.agent),
      description: this.hadTurn
        ? l10n.t('{0} The agent may still be working, and your message isn’t sent again.', loss.reason)
        : loss.reason,
    });
    this.timer = this.options.schedule(seconds * 1000 * (0.75 + this.options.random() / 2), open);
    return true;
  }

  /** The session is open again, and the agent continues the conversation if `remembers`. */
  succeeded({ remembers, work }: { readonly remembers: boolean; readonly work: 'runs' | 'idle' | 'unknown' }): void {
    this.timer?.dispose();
    if (this.notice === undefined) return;
    const title = l10n.t('Reconnected to {0}', this.options.agent);
    const description = this.hadTurn && remembers ? workWords(work) : undefined;
    this.show({ severity: 'info', title, ...compact({ description }) });
    this.notice = undefined;
  }

  /** Stops waiting for the next attempt, because there is one now. */
  pause(): void {
    this.timer?.dispose();
  }

  /** There are no more attempts. */
  dispose(): void {
    this.timer?.dispose();
    if (this.notice === undefined) return;
    this.show({ severity: 'warning', title: l10n.t('The connection to {0} was lost', this.options.agent) });
    this.notice = undefined;
  }

  private show(notice: NoticeText): void {
    if (this.notice === undefined) this.notice = this.session.addNotice(notice);
    else this.session.changeNotice(this.notice, notice);
  }
}

function workWords(work: 'runs' | 'idle' | 'unknown'): string | undefined {
  if (work === 'runs') return l10n.t('The agent is still working.');
  return work === 'unknown' ? l10n.t('If the agent is still working, its next messages appear here.') : undefined;
}
