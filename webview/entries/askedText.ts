import * as l10n from '@vscode/l10n';
import { requestedAction, type RequestedAction } from '../../src/shared/requestedAction';
import type { ToolCallEntry } from '../../src/shared/transcript';
import { shortenMiddle, showHidden } from '../../src/shared/visibleText';
import { commandOf, type ToolLabel } from './toolLabel';

/** What a question is about, in words that stand above it as a whole. */
export interface AskedText {
  readonly text: string;
  /** Whether that is the command; else it is what the agent calls the tool, too long for a header. */
  readonly isCommand: boolean;
}

/** A header that wraps holds so much. */
const header = { characters: 240, lines: 6 };
/** Beyond this a text is likely to be scrolled, and says how long it is. */
const short = { characters: 400, lines: 10 };
/** Not even what is asked about is drawn beyond so many characters (UTF-16 units): the page would stand still. */
export const askedLimit = 1_000_000;

/** What of an open question its header cannot hold; undefined when it can, and when nothing is asked. */
export function askedText(entry: ToolCallEntry, label: ToolLabel): AskedText | undefined {
  // What the user agreed to can be read later, too.
  if (entry.asks) return { text: entry.asks.text, isCommand: false };
  if (entry.permission.state !== 'asked') return undefined;
  const command = askedCommand(entry);
  if (command !== undefined) return { text: command, isCommand: true };
  const text = [label.object, label.folder].filter(Boolean).join('\n');
  return isBeyond(text, header) ? { text, isCommand: false } : undefined;
}

/** The commands that a call is to run. An agent that sends no input of the tool names the call by its command (Gemini does). */
export function askedCommand(entry: ToolCallEntry): string | undefined {
  if (entry.toolKind !== 'execute') return undefined;
  const lines = actionOf(entry).commands.map(({ line }) => line);
  const command = lines.length > 0 ? lines.join('\n') : commandOf(entry);
  if (command !== undefined && command.trim() !== '') return command;
  const { rawInput } = entry;
  const hasInput = typeof rawInput === 'object' && rawInput !== null ? Object.keys(rawInput).length > 0 : rawInput;
  return hasInput ? undefined : entry.title.trim() || undefined;
}

const actions = new WeakMap<ToolCallEntry, RequestedAction>();

/** What would happen if the call were allowed, as the rules see it, too. */
export function actionOf(entry: ToolCallEntry): RequestedAction {
  const known = actions.get(entry);
  if (known) return known;
  const action = requestedAction(entry);
  actions.set(entry, action);
  return action;
}

/** How long a text is and how much of it is left out, in words; empty when all of it is seen at a glance. */
export function lengthWords(text: string, limit = askedLimit): string {
  if (!isBeyond(text, short)) return '';
  const all = text.length.toLocaleString();
  if (text.length > limit) return l10n.t('{0} of {1} characters', limit.toLocaleString(), all);
  const lines = lineCount(text);
  return lines === 1 ? l10n.t('{0} characters', all) : l10n.t('{0} lines, {1} characters', lines.toLocaleString(), all);
}

/** A text to decide by: with its line breaks, its beginning and its end, and nothing in it that can't be seen. */
export function visibleText(text: string, limit = askedLimit): string {
  return showHidden(shortenMiddle(text, limit).replaceAll('\r\n', '\n'));
}

function isBeyond(text: string, size: typeof header): boolean {
  return text.length > size.characters || lineCount(text) > size.lines;
}

function lineCount(text: string): number {
  let count = 1;
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
