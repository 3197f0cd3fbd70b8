import type { Entry, Transcript } from '../../shared/transcript/transcript';
import { turnMarkdown } from './documentMarkdown';
import { exportedEntry, exportedSession } from './exportedSession';

/**
 * Returns an entry as Markdown for the clipboard. A message is exactly as the user or the agent wrote it. In anything
 * else, secrets are redacted, as in an export.
 */
export function copiedEntry(transcript: Transcript, entry: Entry): string {
  if (entry.kind === 'user_message' || entry.kind === 'agent_message') {
    return entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  }
  return turnMarkdown(exportedEntry(transcript, entry), transcript.view.agentName);
}

/** Returns a turn as Markdown for the clipboard: the message, the answers, and the tool calls in brief. */
export function copiedTurn(transcript: Transcript, turn: number): string {
  const { turns } = exportedSession(transcript, 0, turn);
  return `${turns.map((one) => turnMarkdown(one, transcript.view.agentName)).join('\n\n')}\n`;
}
