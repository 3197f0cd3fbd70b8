import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { Session } from '../../../session/session';
import { toStored } from '../../../session/transcript/storedSession';
import { fromSnapshot, takeSnapshot } from '../../../shared/transcript/ops';
import type { SessionId, SessionKey } from '../../../shared/values/ids';
import type { Transcript } from '../../../shared/transcript/transcript';
import { inTime } from './inTime';

/**
 * Lets the agent copy a session with all that it remembers. Resolves to the copy's id; undefined if the agent can't.
 * Rejects with the agent's error, and if it's too slow: then its copy is shown as a session when it's made.
 */
export async function branchOf(
  pool: Pick<AgentPool, 'runningAgentOf' | 'restoreSession' | 'specOf'>,
  session: Session,
  name: string,
  signal?: AbortSignal,
): Promise<SessionId | undefined> {
  const vendor = pool.runningAgentOf(session)?.vendor;
  const { transcript } = session;
  // The conversation that is copied, whatever is said until the answer.
  const shown = fromSnapshot(takeSnapshot(transcript));
  const { sessionId } = transcript.view;
  const answer = vendor?.ask('branch', { sessionId, name });
  return answer && inTime(answer, (copy) => void showBranch(pool, session, shown, copy, name), signal);
}

/** Shows a copy that the agent has made, as a session of its own. It continues when the user sends a message there. */
export function showBranch(
  pool: Pick<AgentPool, 'restoreSession' | 'specOf'>,
  session: Session,
  transcript: Transcript,
  sessionId: SessionId,
  title: string,
): Session | undefined {
  const spec = pool.specOf(session);
  if (!spec) return undefined;
  const stored = toStored(`branch-${randomUUID()}` as SessionKey, transcript);
  const { snapshot } = stored;
  const view = {
    ...snapshot.view,
    sessionId,
    title,
    titleFrom: 'agent' as const,
    queue: [],
    scheduled: 'none' as const,
  };
  return pool.restoreSession(spec, { ...stored, snapshot: { ...snapshot, view } });
}

/** Returns the title of a session as others mention it. */
export function nameOf({ transcript }: Session): string {
  const { title } = transcript.view;
  return title === '' ? l10n.t('New session') : title;
}
