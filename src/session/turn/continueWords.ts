import * as l10n from '@vscode/l10n';
import type { Transcript } from '../../shared/transcript/transcript';

/** How many tool calls are named. */
const most = 5;

/** Returns the message that asks an agent to continue a turn that was cut off, with the tool calls that were running. */
export function continueWords(transcript: Transcript): string {
  const ask = l10n.t('Continue where you left off.');
  const calls = [...transcript.entries.values()].filter((entry) => entry.kind === 'tool_call');
  const last = Math.max(0, ...[...transcript.entries.values()].map(({ turn }) => turn));
  const cut = calls.filter(({ turn, status }) => turn === last && status === 'cancelled');
  if (cut.length === 0) return ask;
  const names = cut.slice(0, most).map(({ title }) => `- ${title}`);
  const more = cut.length > most ? [l10n.t('and {0} more', cut.length - most)] : [];
  const why = l10n.t('These were cut off, and may be done in part:');
  return [ask, '', why, ...names, ...more].join('\n');
}
