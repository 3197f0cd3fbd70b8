import * as l10n from '@vscode/l10n';
import { requestedAction, type RequestedAction } from '../../../src/rules/requestedAction';
import type { ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { shortenMiddle, showHidden } from '../../../src/shared/text/visibleText';
import { commandOf, type ToolLabel } from '../words/toolLabel';

/** The full text of a request, shown above its options. */
export interface AskedText {
  readonly text: string;
  /** Whether the text is the command. Otherwise, it is the agent's title of the tool call, which is too long for a header. */
  readonly isCommand: boolean;
}

/** Maximum size of a text in a wrapped header. */
const header = { characters: 240, lines: 6 };
/** A text beyond this is likely to scroll, so its length is shown. */
const short = { characters: 400, lines: 10 };
/** Maximum length of a request's text, in UTF-16 units. Drawing a longer one would freeze the page. */
export const askedLimit = 1_000_000;

/** Returns the text of an open request that doesn't fit in its header, or undefined if it fits or nothing is asked. */
export function askedText(entry: ToolCallEntry, label: ToolLabel): AskedText | undefined {
  // The text that the user agreed to stays readable later.
  if (entry.asks) return { text: entry.asks.text, isCommand: false };
  if (entry.permission.state !== 'asked') return undefined;
  const command = askedCommand(entry);
  if (command !== undefined) return { text: command, isCommand: true };
  const text = [label.object, label.folder].filter(Boolean).join('\n');
  return isBeyond(text, header) ? { text, isCommand: false } : undefined;
}

/** Returns the commands that a call would run. If the agent sends no input, the title is the command (Gemini). */
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

/** Returns the action that allowing the call would permit. The rules use the same one. */
export function actionOf(entry: ToolCallEntry): RequestedAction {
  const known = actions.get(entry);
  if (known) return known;
  const action = requestedAction(entry);
  actions.set(entry, action);
  return action;
}

/** Describes the length of a text and how much is omitted. Returns an empty string if the whole text is visible without scrolling. */
export function lengthWords(text: string, limit = askedLimit): string {
  if (!isBeyond(text, short)) return '';
  const all = text.length.toLocaleString();
  if (text.length > limit) return l10n.t('{0} of {1} characters', limit.toLocaleString(), all);
  const lines = lineCount(text);
  return lines === 1 ? l10n.t('{0} characters', all) : l10n.t('{0} lines, {1} characters', lines.toLocaleString(), all);
}

/** Returns a text for a decision: with its line breaks, its beginning and end, and no invisible characters. */
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
