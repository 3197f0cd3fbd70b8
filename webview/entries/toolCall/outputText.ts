import { wasRejected } from '../../../src/shared/transcript/openQuestion';
import type { ToolCallContent } from '../../../src/shared/transcript/content';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { isForUser } from '../view/contentBlock';

/*
 * Which text in a tool call is output. Version 1 has no type for it: agents send the output of commands, and the text of
 * files, as Markdown or plain text, and some put it in a code fence.
 *
 * - Text in a call of the kind `execute`, `read`, or `search` is output, once the call may have run. Before, agents
 *   describe there what they are about to do. After a rejection, they write what they tell their model about it.
 * - Web searches are calls of the kind `search`, too. Their text is Markdown if it has a Markdown link to a web page.
 * - Text in a call of any other kind is Markdown, because nothing says that it is output.
 * - A code fence around the whole text isn't part of the output.
 */

/** Text to show as output. */
export interface OutputText {
  readonly text: string;
  /** The part that matters most if there isn't room for all of it. */
  readonly keeps: 'start' | 'end';
}

const webLink = /\]\(https?:\/\//;

/** Returns the output in an item of a tool call, or undefined if the item isn't output. */
export function outputText(entry: ToolCallEntry, item: ToolCallContent): OutputText | undefined {
  if (item.type !== 'content' || item.content.type !== 'text' || !isForUser(item.content)) return undefined;
  const { toolKind, status, permission } = entry;
  if (toolKind !== 'execute' && toolKind !== 'read' && toolKind !== 'search') return undefined;
  if (status === 'pending' || permission.state === 'asked' || permission.state === 'cancelled') return undefined;
  if (wasRejected(entry)) return undefined;
  const text = withoutFence(item.content.text);
  if (toolKind === 'search' && text === item.content.text && webLink.test(text)) return undefined;
  // The end of a command's output shows its result. A file is read from its start.
  return { text, keeps: toolKind === 'execute' ? 'end' : 'start' };
}

const opening = /^\s*(`{3,}|~{3,})[^`\n]*\n/;

/** Returns the text inside a code fence if the fence contains the whole text, and otherwise the text itself. */
export function withoutFence(text: string): string {
  const [start = '', fence = ''] = opening.exec(text) ?? [];
  const end = text.trimEnd();
  if (fence === '' || !end.endsWith(fence)) return text;
  const lines = end.slice(start.length).split('\n');
  const closes = (line: string) => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === '';
  // The first line that closes the fence must be the last one. Otherwise, there is text after the fence.
  if (lines.findIndex(closes) !== lines.length - 1) return text;
  return lines.slice(0, -1).join('\n');
}
