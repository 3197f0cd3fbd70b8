import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { Session } from '../../../session/session';
import { Disposable } from '../../../shared/values/disposable';
import { tourAgentId } from '../../../shared/values/ids';
import type { Transcript } from '../../../shared/transcript/transcript';

/** Ends each session's tour with a notice that offers the next step. A tour is over when its plan is completed. */
export class TourEnd extends Disposable {
  private readonly pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>;
  private busy = new Set<Session>();

  constructor(pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>) {
    super();
    this.pool = pool;
    this.register(pool.onDidChangeSessions(() => this.look()));
  }

  private look(): void {
    const before = this.busy;
    const tours = this.pool.sessions.filter(({ transcript }) => transcript.view.agentId === tourAgentId);
    this.busy = new Set(tours.filter(({ transcript }) => transcript.view.activity.state !== 'idle'));
    for (const session of tours) {
      if (!before.has(session) || this.busy.has(session) || !hasFinished(session.transcript)) continue;
      session.addNotice({
        severity: 'info',
        title: l10n.t('The tour is over'),
        description: l10n.t('Continue with an agent of your own.'),
        offer: 'agent',
      });
    }
  }
}

/** Returns whether a transcript has a completed plan and no offer yet. */
function hasFinished({ view, entries }: Transcript): boolean {
  const isDone = view.plans.some(
    (plan) => plan.type === 'items' && plan.items.every(({ status }) => status === 'completed'),
  );
  return isDone && ![...entries.values()].some((entry) => entry.kind === 'notice' && entry.offer !== undefined);
}
