import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { messagePrompt, subjectOf } from './commitChoices';
import type { UncommittedFile } from './gitCommit';

/**
 * Asks the session's agent for a message, as a turn that the user sees in the chat. Resolves to undefined if `signal` aborts first. Rejects
 * with a sentence if the agent can't be asked now or gives no message.
 */
export async function suggestMessage(
  session: Session,
  files: readonly UncommittedFile[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { agentName, activity } = session.transcript.view;
  if (activity.state !== 'idle') throw new Error(l10n.t('{0} is working. Ask when the turn has ended.', agentName));
  const before = new Set(session.transcript.order);
  session.sendPrompt(messagePrompt(files));
  await untilTurnEnds(session, signal);
  if (signal.aborted) return undefined;
  const { order, entries } = session.transcript;
  const answer = order.map((id) => entries.get(id)).findLast((entry) => entry?.kind === 'agent_message');
  const text =
    answer?.kind === 'agent_message' && !before.has(answer.id)
      ? answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      : '';
  const subject = subjectOf(text);
  if (subject === '') throw new Error(l10n.t('{0} suggested no message.', agentName));
  return subject;
}

/** Resolves once a turn that starts now has ended. */
function untilTurnEnds(session: Session, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let hasStarted = session.transcript.view.activity.state !== 'idle';
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
