import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';

/** The parts of a session that are needed to ask its agent. */
export type AskedSession = Pick<Session, 'transcript' | 'onDidApply' | 'sendPrompt'>;

/**
 * Asks a session's agent something, as a turn that the user sees in the chat. Resolves to what the agent said last, or to undefined if
 * `signal` aborts first. Rejects with a sentence if the agent can't be asked now.
 */
export async function askAgent(session: AskedSession, text: string, signal: AbortSignal): Promise<string | undefined> {
  const { agentName, activity } = session.transcript.view;
  if (activity.state !== 'idle') throw new Error(l10n.t('{0} is working. Ask when the turn has ended.', agentName));
  const before = new Set(session.transcript.order);
  const ended = untilTurnEnds(session, signal);
  session.sendPrompt(text);
  await ended;
  if (signal.aborted) return undefined;
  const { order, entries } = session.transcript;
  const answer = order
    .map((id) => entries.get(id))
    .findLast((entry) => entry?.kind === 'agent_message' && entry.subagent === undefined);
  return answer?.kind === 'agent_message' && !before.has(answer.id)
    ? answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    : '';
}

/** Resolves once a turn that starts from now on has ended. */
function untilTurnEnds(session: AskedSession, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let hasStarted = false;
    const end = () => {
      listening.dispose();
      resolve();
    };
    const listening = session.onDidApply(() => {
      const isIdle = session.transcript.view.activity.state === 'idle';
      if (isIdle && hasStarted) end();
      hasStarted ||= !isIdle;
    });
    signal.addEventListener('abort', end, { once: true });
  });
}
