import { currentLimits, type UsageLimit } from '../../shared/amounts/usageLimit';
import { compact } from '../../shared/values/decodeValue';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { AgentId } from '../../shared/values/ids';
import type { AgentListing } from '../../shared/pages/messages';
import type { Session } from '../../session/session';
import { eachSession, type SessionPool } from '../base/eachSession';

/** The parts of a session that an agent's reports are read from. */
export type ReportedSession = Pick<Session, 'transcript' | 'onDidApply'>;

/** What agents said last about themselves in sessions of this window: the limits of their providers, and that they need a login. */
export class AgentReports extends Disposable {
  private readonly limits = new Map<AgentId, readonly UsageLimit[]>();
  private readonly wanting = new Set<AgentId>();
  private readonly now: () => number;
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(pool: SessionPool<ReportedSession>, now: () => number) {
    super();
    this.now = now;
    this.register(
      eachSession(pool, (session) => {
        this.read(session);
        return session.onDidApply((ops) => {
          const isNews = ops.some((op) => op.op === 'view' && (op.fields.limits ?? op.fields.connection) !== undefined);
          if (isNews && this.read(session)) this.changed.fire();
        });
      }),
    );
  }

  of(agent: AgentId): Pick<AgentListing, 'limit' | 'needsLogin'> {
    const current = currentLimits(this.limits.get(agent) ?? [], this.now());
    const limit = current.toSorted((one, other) => shareOf(other) - shareOf(one)).find((one) => shareOf(one) > 0);
    return { ...compact({ limit }), ...(this.wanting.has(agent) ? { needsLogin: true } : {}) };
  }

  /** Returns whether something is other than before. */
  private read({ transcript: { view } }: ReportedSession): boolean {
    const { agentId, limits, connection } = view;
    const wanted = this.wanting.has(agentId);
    if (connection.state === 'login') this.wanting.add(agentId);
    else if (connection.state === 'ready') this.wanting.delete(agentId);
    const isOther = limits !== undefined && limits !== this.limits.get(agentId);
    if (isOther) this.limits.set(agentId, limits);
    return isOther || wanted !== this.wanting.has(agentId);
  }
}

/** Returns how much of a limit is used, from 0 to 1. One that is used up comes before all others. */
function shareOf({ state, used }: UsageLimit): number {
  if (state === 'reached') return 1;
  return used ?? (state === 'warning' ? 0.8 : 0);
}
