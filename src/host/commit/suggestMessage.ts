import * as l10n from '@vscode/l10n';
import { askAgent, type AskedSession } from '../base/askAgent';
import { messagePrompt, subjectOf } from './commitChoices';
import type { UncommittedFile } from './gitCommit';

/**
 * Asks the session's agent for a message. Resolves to undefined if `signal` aborts first. Rejects with a sentence if the agent can't be asked
 * now or gives no message.
 */
export async function suggestMessage(
  session: AskedSession,
  files: readonly UncommittedFile[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const text = await askAgent(session, messagePrompt(files), signal);
  if (text === undefined) return undefined;
  const subject = subjectOf(text);
  if (subject === '') throw new Error(l10n.t('{0} suggested no message.', session.transcript.view.agentName));
  return subject;
}
