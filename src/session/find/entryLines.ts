import { assertNever } from '../../shared/assert';
import { changeWords } from '../../shared/fileChange';
import type { ContentBlock, ToolCallContent } from '../../shared/content';
import type { Entry, Plan, ToolCallEntry, Transcript } from '../../shared/transcript';
import { nameOfUri } from '../../shared/uriName';
import { diffText } from '../../shared/diffText';
import { terminalText } from '../export/terminalText';
import { markdownLines } from './markdownText';

/** The lines of entries that don't change without being replaced. */
const known = new WeakMap<Entry, readonly string[]>();

/** Returns the lines that a reader of an entry can see, folded ones included. */
export function entryLines(transcript: Transcript, entry: Entry): readonly string[] {
  // A command's output and the newest plan are outside their entries.
  const isWhole = entry.kind !== 'plan' && !(entry.kind === 'tool_call' && hasTerminal(entry));
  const lines = (isWhole ? known.get(entry) : undefined) ?? linesOf(transcript, entry);
  if (isWhole) known.set(entry, lines);
  return lines;
}

function hasTerminal({ content }: ToolCallEntry): boolean {
  return content.some(({ type }) => type === 'terminal');
}

function linesOf(transcript: Transcript, entry: Entry): readonly string[] {
  switch (entry.kind) {
    case 'user_message':
      return entry.content.flatMap((block) => (block.type === 'text' ? block.text.split('\n') : blockLines(block)));
    case 'agent_message':
    case 'agent_thought':
      return entry.content.flatMap(blockLines);
    case 'tool_call':
      return [...entry.title.split('\n'), ...entry.content.flatMap((item) => contentLines(transcript, item))];
    case 'plan': {
      const plan = entry.plan ?? transcript.view.plans.find(({ planId }) => planId === entry.planId);
      return plan ? planLines(plan) : [];
    }
    case 'notice':
      return [...entry.title.split('\n'), ...(entry.description ?? '').split('\n')];
    case 'compaction':
      return entry.summary.flatMap(blockLines);
    case 'elicitation':
      return entry.message.split('\n');
    case 'error':
      return [entry.title, entry.cause ?? '', entry.logTail ?? ''].flatMap((text) => text.split('\n'));
    case 'login':
      return [];
    case 'subagent':
      return [entry.title, entry.description ?? ''].flatMap((text) => text.split('\n'));
    default:
      return assertNever(entry);
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

function contentLines(transcript: Transcript, item: ToolCallContent): readonly string[] {
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
    case 'terminal': {
      const terminal = transcript.terminals.get(item.terminalId);
      return terminal ? [terminal.command, ...terminalText(terminal.output).split('\n')] : [];
    }
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
