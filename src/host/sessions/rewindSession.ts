import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import { decodeRewindTurns, decodeRewound } from '../../agent/vendor/decodeTurns';
import type { Session } from '../../session/session';
import { promptOf } from '../../session/transcript/promptParts';
import type { EntryId, SessionId } from '../../shared/ids';
import type { Transcript, UserMessageEntry } from '../../shared/transcript';
import { branchOf, nameOf, showBranch } from './branchSession';

type RewindPool = Pick<AgentPool, 'runningAgentOf' | 'restoreSession' | 'specOf'>;

/** An agent that is slower doesn't answer, in milliseconds. */
const patience = 15_000;

/**
 * Returns to before a message in the same session: the agent forgets it and what follows, and so does the transcript. A
 * copy of the session keeps all of it. Resolves to false, with nothing changed, if the agent can't. Never rejects.
 */
export async function rewindSession(pool: RewindPool, session: Session, message: EntryId): Promise<boolean> {
  try {
    return await rewind(pool, session, message);
  } catch {
    return false;
  }
}

async function rewind(pool: RewindPool, session: Session, message: EntryId): Promise<boolean> {
  const vendor = pool.runningAgentOf(session)?.vendor;
  const { sessionId } = session.transcript.view;
  if (!vendor?.offers('rewind') || sessionId === '' || !isAtRest(session, sessionId)) return false;
  const signal = () => AbortSignal.timeout(patience);
  const turns = await vendor.ask('rewindSnapshots', { sessionId }, decodeRewindTurns, signal());
  const targetTurnIndex = turns && turnOf(session.transcript, message, turns);
  if (targetTurnIndex === undefined) return false;
  const title = l10n.t('{0} (before returning)', nameOf(session));
  const copyId = await branchOf(pool, session, title);
  if (copyId === undefined || !isAtRest(session, sessionId)) return false;
  // Parley restores the files itself, as the user chose.
  const params = { sessionId, targetTurnIndex, rewindFiles: false };
  if ((await vendor.ask('rewind', params, decodeRewound, signal())) !== true) return false;
  const copy = showBranch(pool, session, session.transcript, copyId, title);
  session.returnTo(message);
  const description = copy && l10n.t('The later messages are in “{0}”.', title);
  session.addNotice({
    severity: 'info',
    title: l10n.t('Returned to an earlier message'),
    ...(description && { description }),
  });
  return true;
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
