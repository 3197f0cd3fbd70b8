import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';

/** The topic that the user asked for. */
export type Topic = 'all' | 'files' | 'terminal' | 'text' | 'help';

/** The tour's slash commands. */
export const commands: AvailableCommand[] = [
  { name: 'tour', description: 'The whole tour: plan, read, ask, edit, run', input: { hint: 'files or terminal' } },
  { name: 'text', description: 'How text, tables, and code look' },
  { name: 'help', description: 'What this agent can show' },
];

/** Returns the topic of a prompt; anything other than the tour's commands means the whole tour. */
export function readTopic(prompt: readonly ContentBlock[]): Topic {
  const text = prompt
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join(' ')
    .trim();
  if (text.startsWith('/help')) return 'help';
  if (text.startsWith('/text')) return 'text';
  const topic = /^\/tour\s+(\w+)/.exec(text)?.[1];
  return topic === 'files' || topic === 'terminal' ? topic : 'all';
}
