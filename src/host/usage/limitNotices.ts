import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import { limitName, type UsageLimit } from '../../shared/usageLimit';
import { eachSession, type SessionPool } from '../base/eachSession';

/** The parts of a session that are needed to add notices. */
export type NoticedSession = Pick<Session, 'transcript' | 'onDidApply' | 'addNotice'>;

export interface LimitNoticesOptions {
  readonly pool: SessionPool<NoticedSession>;
  readonly isOn: () => boolean;
  readonly now: () => number;
  /** Remembers which limits the user was told about, for all windows. */
  readonly memory: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
}

const memoryKey = 'parley.usage.toldLimits';
/** The share of a limit at which the user is told. */
const share = 0.8;
/** How often the user is told about a limit without a time, in milliseconds: once a day. */
const unknownMs = 24 * 60 * 60_000;

/** Says in the session that most of a limit is used, once until the limit resets. */
export class LimitNotices extends Disposable {
  private readonly options: LimitNoticesOptions;

  constructor(options: LimitNoticesOptions) {
    super();
    this.options = options;
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
      if (!this.isNews(JSON.stringify([agentId, limit.type]), resetsAt)) continue;
      const name = limitName(limit.type);
      const title =
        used === undefined
          ? l10n.t('{0}: {1} almost used up', agentName, name)
          : l10n.t('{0}: {1} {2}% used', agentName, name, Math.round(used * 100));
      session.addNotice({ severity: 'info', title, description: '' });
    }
  }

  /** Returns whether the user hasn't been told about a limit since it last reset, and remembers that they are told now. */
  private isNews(key: string, resetsAt: number | undefined): boolean {
    const { memory, now } = this.options;
    const told = (memory.get(memoryKey) ?? {}) as Readonly<Record<string, number>>;
    if ((told[key] ?? 0) > now()) return false;
    const current = Object.entries(told).filter(([, until]) => until > now());
    void memory.update(memoryKey, Object.fromEntries([...current, [key, resetsAt ?? now() + unknownMs]]));
    return true;
  }
}

function isNear({ state, used }: UsageLimit): boolean {
  // A limit that is used up has a card of its own.
  return state === 'warning' || (state === 'ok' && used !== undefined && used >= share);
}
