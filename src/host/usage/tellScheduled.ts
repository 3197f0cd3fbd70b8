import * as l10n from '@vscode/l10n';
import { showInformation } from '../ui/notifications';
import type { SchedulingSession } from './scheduledMessages';

const maxText = 60;

/** Tells the user that a scheduled message is sent in a minute. */
export async function tellScheduled(
  { transcript }: SchedulingSession,
  text: string,
): Promise<'send' | 'cancel' | undefined> {
  const line = text.trim().split('\n')[0] ?? '';
  const short = line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line;
  const [send, cancel] = [l10n.t('Send Now'), l10n.t('Don’t Send')];
  const words = l10n.t('Your message to {0} will be sent in 1 min: “{1}”', transcript.view.agentName, short);
  const answer = await showInformation(words, send, cancel);
  return answer === send ? 'send' : answer === cancel ? 'cancel' : undefined;
}
