import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import type { AgentStats, ContextParts } from '../../shared/amounts/contextParts';
import { compact } from '../../shared/values/decodeValue';
import type { IDisposable } from '../../shared/values/disposable';
import { eachSession } from '../base/eachSession';

/** An agent that is slower doesn't answer, in milliseconds. */
const patience = 5000;

/** Asks the agent what its context holds and what it has counted. Resolves to undefined if it can't be asked. Never rejects. */
export async function askContext(
  pool: Pick<AgentPool, 'runningAgentOf'>,
  session: Session,
): Promise<{ readonly context?: ContextParts; readonly stats?: AgentStats } | undefined> {
  const vendor = pool.runningAgentOf(session)?.vendor;
  const { sessionId } = session.transcript.view;
  if (!vendor || sessionId === '') return undefined;
  const signal = AbortSignal.timeout(patience);
  const [context, stats] = await Promise.all([
    vendor.ask('contextUsage', { sessionId, detail: false }, signal).catch(() => undefined),
    vendor.ask('stats', { sessionId }, signal).catch(() => undefined),
  ]);
  return context || stats ? compact({ context, stats }) : undefined;
}

/** Asks agents how full their context is after each turn, if they don't say so by themselves. */
export function followContext(
  pool: Pick<AgentPool, 'runningAgentOf' | 'sessions' | 'onDidChangeSessions'>,
): IDisposable {
  return eachSession(pool, (session) =>
    session.onDidApply((ops) => {
      if (!ops.some(({ op }) => op === 'summarize')) return;
      const vendor = pool.runningAgentOf(session)?.vendor;
      const { sessionId } = session.transcript.view;
      if (!vendor?.offers('contextUsage') || sessionId === '') return;
      const params = { sessionId, detail: false };
      vendor.ask('contextUsage', params, AbortSignal.timeout(patience)).then(
        (context) => {
          // Nothing was counted yet, or the session continues elsewhere.
          if (!context || context.isEstimated || session.transcript.view.sessionId !== sessionId) return;
          session.agentSide.showContext(context);
        },
        () => undefined,
      );
    }),
  );
}
