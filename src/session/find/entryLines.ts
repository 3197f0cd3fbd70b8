import { assertNever } from '../../shared/values/assert';
import { changeWords } from '../../shared/transcript/fileChange';
import type { ContentBlock } from '../../shared/transcript/content';
import type { Entry, Plan, Transcript } from '../../shared/transcript/transcript';
import { nameOfUri } from '../../shared/text/uriName';
import { diffText } from '../../shared/diff/diffText';
import { documentItem, type CallOutput, type DocumentItem } from '../document/sessionDocument';
import { terminalText } from '../document/terminalText';
import MarkdownIt from 'markdown-it';

/** The lines of entries that don't change without being replaced. */
const known = new WeakMap<Entry, readonly string[]>();

/** Returns the lines that a reader of an entry can see, folded ones included. */
export function entryLines(transcript: Transcript, entry: Entry): readonly string[] {
  const before = known.get(entry);
  if (before) return before;
  const item = documentItem(transcript, entry);
  const lines = linesOf(item);
  if (isWhole(item)) known.set(entry, lines);
  return lines;
}

/** Returns whether an item shows nothing that changes outside its entry: a command's output, or the newest plan. */
function isWhole(item: DocumentItem): boolean {
  if (item.type === 'toolCall') return item.output.every(({ type }) => type !== 'terminal');
  return item.type !== 'plan';
}

function linesOf(item: DocumentItem): readonly string[] {
  switch (item.type) {
    case 'message':
      if (item.from === 'agent') return item.content.flatMap(blockLines);
      return item.content.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : blockLines(block)));
    case 'thought':
      return item.content.flatMap(blockLines);
    case 'toolCall':
      return [...item.title.split('\n'), ...item.output.flatMap(outputLines)];
    case 'plan':
      return item.plan ? planLines(item.plan) : [];
    case 'notice':
    case 'subagent':
      return [...item.title.split('\n'), ...(item.description ?? '').split('\n')];
    case 'compaction':
      return item.summary.flatMap(blockLines);
    case 'question':
      return [...item.message.split('\n'), ...(item.answer ?? '').split('\n')];
    case 'error':
      return [item.title, item.cause ?? '', item.logTail ?? ''].flatMap((text) => text.split('\n'));
    case 'login':
      return [];
    default:
      return assertNever(item);
  }
}

function blockLines(block: ContentBlock): readonly string[] {
  switch (block.type) {
    case 'text':
      return block.audience === undefined || block.audience.includes('user') ? markdownLines(block.text) : [];
    case 'resource_link':
      return [block.title ?? block.name];
    case 'resource':
    case 'resource_blob':
      return [nameOfUri(block.uri)];
    case 'image':
    case 'audio':
    case 'unknown':
      return [];
    default:
      return assertNever(block);
  }
}

function outputLines(item: CallOutput): readonly string[] {
  switch (item.type) {
    case 'content':
      return blockLines(item.content);
    case 'diff':
      return [
        item.path,
        ...diffText(item.oldText ?? '', item.newText, item.line)
          .split('\n')
          .map(withoutSign),
      ];
    case 'change':
      return [changeWords(item)];
    case 'terminal':
      return item.terminal ? [item.terminal.command, ...terminalText(item.terminal.output).split('\n')] : [];
    case 'unknown':
      return [];
    default:
      return assertNever(item);
  }
}

/** Returns a line of a diff without its sign, and nothing of the line that begins a change. */
function withoutSign(line: string): string {
  return line.startsWith('@@') ? '' : line.slice(1);
}

function planLines(plan: Plan): readonly string[] {
  if (plan.type === 'items') return plan.items.flatMap(({ content }) => content.split('\n'));
  return plan.type === 'markdown' ? markdownLines(plan.content) : [];
}

const markdown = new MarkdownIt({ html: false, linkify: false });

/** Returns the lines that a reader of rendered Markdown sees, without the marks. */
function markdownLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'fence' || token.type === 'code_block') {
      lines.push(...token.content.replace(/\n$/, '').split('\n'));
    } else if (token.type === 'inline') {
      const parts = (token.children ?? []).map((child) => {
        if (child.type === 'softbreak' || child.type === 'hardbreak') return '\n';
        return child.content;
      });
      lines.push(...parts.join('').split('\n'));
    }
  }
  return lines;
}
