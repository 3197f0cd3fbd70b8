import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { Session } from '../../../session/session';
import { promptOf } from '../../../session/transcript/promptParts';
import type { EntryId, SessionId } from '../../../shared/values/ids';
import { fromSnapshot, takeSnapshot } from '../../../shared/transcript/ops';
import type { Transcript, UserMessageEntry } from '../../../shared/transcript/transcript';
import { branchOf, nameOf, showBranch } from './branchSession';
import { inTime } from './inTime';

type RewindPool = Pick<AgentPool, 'runningAgentOf' | 'restoreSession' | 'specOf'>;

/**
 * Returns to before a message in the same session: the agent forgets it and what follows, and so does the transcript. A
 * copy of the session keeps all of it. Resolves to false, with nothing changed, if the agent can't. If the agent returns only
 * after it was given up, the session shows that then. Never rejects.
 */
export async function rewindSession(
  pool: RewindPool,
  session: Session,
  message: EntryId,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    return await rewind(pool, session, message, signal);
  } catch {
    return false;
  }
}

async function rewind(
  pool: RewindPool,
  session: Session,
  message: EntryId,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const vendor = pool.runningAgentOf(session)?.vendor;
  const { sessionId } = session.transcript.view;
  if (!vendor?.offers('rewind') || sessionId === '' || !isAtRest(session, sessionId)) return false;
  const asked = vendor.ask('rewindSnapshots', { sessionId });
  const turns = await inTime(asked, () => undefined, signal);
  const targetTurnIndex = turns && turnOf(session.transcript, message, turns);
  if (targetTurnIndex === undefined) return false;
  const title = l10n.t('{0} (before returning)', nameOf(session));
  const copyId = await branchOf(pool, session, title, signal);
  if (copyId === undefined || !isAtRest(session, sessionId)) return false;
  // Parley restores the files itself, as the user chose.
  const params = { sessionId, targetTurnIndex, rewindFiles: false };
  const shown = fromSnapshot(takeSnapshot(session.transcript));
  const showCopy = () => showBranch(pool, session, shown, copyId, title);
  const returned = vendor.ask('rewind', params);
  const late = (isDone: boolean) => isDone && returnedLate(session, message, showCopy() && title);
  if ((await inTime(returned, late, signal)) !== true) return false;
  const copy = showCopy();
  session.returnTo(message);
  const description = copy && l10n.t('The later messages are in “{0}”.', title);
  session.addNotice({
    severity: 'info',
    title: l10n.t('Returned to an earlier message'),
    ...(description && { description }),
  });
  return true;
}

/** The agent has returned after it was given up. What it no longer remembers mustn't look as if it did. */
function returnedLate(session: Session, message: EntryId, copy: string | undefined): void {
  const { sessionId, agentName } = session.transcript.view;
  if (sessionId !== '' && isAtRest(session, sessionId)) session.returnTo(message);
  session.addNotice({
    severity: 'warning',
    title: l10n.t('{0} returned to an earlier message after all', agentName),
    ...(copy !== undefined && { description: l10n.t('The later messages are in “{0}”.', copy) }),
  });
}

function isAtRest({ isClosed, queue, transcript: { view } }: Session, sessionId: SessionId): boolean {
  const isReady = view.connection.state === 'ready' && view.sessionId === sessionId;
  return !isClosed && isReady && view.activity.state === 'idle' && (view.lateWork ?? []).length === 0 && queue.isEmpty;
}

/**
 * Returns the agent's number for the turn of a message. Undefined if the agent doesn't count the same messages as the
 * transcript: commands don't reach its model, and a compacted conversation has fewer.
 */
export function turnOf({ order, entries }: Transcript, message: EntryId, turns: readonly number[]): number | undefined {
  const prompts = order.flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'user_message' && isPrompt(entry) ? [id] : [];
  });
  const at = prompts.indexOf(message);
  return at === -1 || prompts.length !== turns.length ? undefined : turns[at];
}

/** Whether a message began a turn of the agent's model. */
function isPrompt({ id, content, subagent, earlier, isReported, state }: UserMessageEntry): boolean {
  const isOwn = subagent === undefined && !earlier && !isReported && state === 'sent';
  return isOwn && !id.startsWith('steered:') && !promptOf(content).text.startsWith('/');
}
