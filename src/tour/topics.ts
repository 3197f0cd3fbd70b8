import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';

/** What the user asked to see. */
export type Topic = 'all' | 'files' | 'terminal' | 'text' | 'help';

/** The slash commands the tour offers. */
export const commands: AvailableCommand[] = [
  { name: 'tour', description: 'The whole tour: plan, read, ask, edit, run', input: { hint: 'files or terminal' } },
  { name: 'text', description: 'How text, tables, and code look' },
  { name: 'help', description: 'What this agent can show' },
];

/** Reads the topic out of a prompt; anything that is no command of ours means the whole tour. */
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
