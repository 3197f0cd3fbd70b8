import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import { limitName, type UsageLimit } from '../../shared/amounts/usageLimit';
import { eachSession, type SessionPool } from '../base/eachSession';
import { ToldOnce, type ToldMemory } from './toldOnce';

/** The parts of a session that are needed to add notices. */
export type NoticedSession = Pick<Session, 'transcript' | 'onDidApply' | 'addNotice'>;

export interface LimitNoticesOptions {
  readonly pool: SessionPool<NoticedSession>;
  readonly isOn: () => boolean;
  readonly now: () => number;
  readonly memory: ToldMemory;
}

/** The share of a limit at which the user is told. */
const share = 0.8;
/** How often the user is told about a limit without a time, in milliseconds: once a day. */
const unknownMs = 24 * 60 * 60_000;

/** Says in the session that most of a limit is used, once until the limit resets. */
export class LimitNotices extends Disposable {
  private readonly options: LimitNoticesOptions;
  private readonly told: ToldOnce;

  constructor(options: LimitNoticesOptions) {
    super();
    this.options = options;
    this.told = new ToldOnce(options.memory, 'parley.usage.toldLimits', options.now);
    this.register(
      eachSession(options.pool, (session) =>
        session.onDidApply((ops) => {
          if (ops.some((op) => op.op === 'view' && op.fields.limits)) this.look(session);
        }),
      ),
    );
  }

  private look(session: NoticedSession): void {
    const { isOn, now } = this.options;
    if (!isOn()) return;
    const { agentId, agentName, limits = [] } = session.transcript.view;
    for (const limit of limits) {
      const { resetsAt, used } = limit;
      if (!isNear(limit) || (resetsAt !== undefined && resetsAt <= now())) continue;
      if (!this.told.isNews(JSON.stringify([agentId, limit.type]), resetsAt ?? now() + unknownMs)) continue;
      const name = limitName(limit.type);
      const title =
        used === undefined
          ? l10n.t('{0}: {1} almost used up', agentName, name)
          : l10n.t('{0}: {1} {2}% used', agentName, name, Math.round(used * 100));
      session.addNotice({ severity: 'info', title, description: '' });
    }
  }
}

function isNear({ state, used }: UsageLimit): boolean {
  // A limit that is used up has a card of its own.
  return state === 'warning' || (state === 'ok' && used !== undefined && used >= share);
}
