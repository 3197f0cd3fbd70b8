import type { ContentBlock } from '../../../src/shared/transcript/content';
import type { Entry } from '../../../src/shared/transcript/transcript';
import { isQuiet } from '../../entries/words/toolLabel';

/** The height of a line of text and the average width of a letter, in px. */
const lineHeight = 20;
const letterWidth = 7;
/** The distance between two rows of text in px. */
const distance = 12;
/** The height of a row of one line in px, with its distance. */
const oneLine = 26;
/** The height of a card with some lines of a change or of output, in px. */
const card = 240;

/**
 * Returns the height that an entry is expected to have in a transcript that is `width` px wide. The actual height replaces it once the
 * entry was on the page.
 */
export function estimatedHeight(entry: Entry, width: number): number {
  return ownHeight(entry, width) + (entry.turnSummary ? oneLine : 0);
}

function ownHeight(entry: Entry, width: number): number {
  switch (entry.kind) {
    case 'user_message':
      return Math.min(textHeight(entry.content, width), 24 * lineHeight) + 2 * distance;
    case 'agent_message':
      return textHeight(entry.content, width) + distance;
    case 'tool_call':
      if (entry.permission.state === 'asked' || entry.content.some(({ type }) => type === 'diff')) return card;
      return isQuiet(entry) ? oneLine / 2 : oneLine;
    case 'agent_thought':
    case 'subagent':
      return oneLine;
    case 'error':
    case 'login':
    case 'elicitation':
      return card / 2;
    case 'plan':
    case 'notice':
    case 'compaction':
      return lineHeight + distance;
  }
}

function textHeight(content: readonly ContentBlock[], width: number): number {
  const perLine = Math.max(20, width / letterWidth);
  let height = 0;
  for (const block of content) {
    height += block.type === 'text' ? Math.ceil(block.text.length / perLine) * lineHeight : lineHeight + distance;
  }
  return Math.max(lineHeight, height);
}
