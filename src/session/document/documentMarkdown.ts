import * as l10n from '@vscode/l10n';
import { assertNever } from '../../shared/values/assert';
import { turnEndLine } from './turnEndLine';
import type {
  ExportedAttachment,
  ExportedOutput,
  ExportedSession,
  ExportedTurn,
  ExportedItem,
} from './exportedSession';

/** Returns a document as Markdown. The agent's text stays as the agent wrote it. */
export function documentMarkdown({ session, turns, exportedAt }: ExportedSession): string {
  const about = [
    `- ${l10n.t('Agent')}: ${plain([session.agent.name, session.agent.version].filter(Boolean).join(' '))}`,
    session.model === undefined ? '' : `- ${l10n.t('Model')}: ${plain(session.model)}`,
    `- ${l10n.t('Folder')}: ${code(session.folder)}`,
    `- ${l10n.t('Exported')}: ${exportedAt}`,
  ].filter(Boolean);
  const title = session.title === '' ? l10n.t('Session with {0}', session.agent.name) : session.title;
  const parts = [
    `# ${plain(title)}`,
    about.join('\n'),
    ...turns.flatMap((turn) => {
      const end = turn.end ? [`*${plain(turnEndLine(turn.end, session.agent.name))}*`] : [];
      return [turnMarkdown(turn, session.agent.name), ...end];
    }),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Returns a turn as Markdown: the message, the answers, and the tool calls in brief. */
export function turnMarkdown({ items }: ExportedTurn, agentName: string): string {
  return items
    .map((item) => itemMarkdown(item, agentName))
    .filter((text) => text !== '')
    .join('\n\n');
}

function itemMarkdown(item: ExportedItem, agentName: string): string {
  const text = ownMarkdown(item, agentName);
  if (item.subagent === undefined || text === '') return text;
  return quote(`*${plain(l10n.t('Subagent {0}', item.subagent))}*\n\n${text}`);
}

function ownMarkdown(item: ExportedItem, agentName: string): string {
  switch (item.type) {
    case 'message': {
      const attached = item.attachments.map(attachmentMarkdown).join('\n');
      const declined = item.declined
        ? `*${plain(l10n.t('Declined by {0} and removed from its context.', agentName))}*`
        : '';
      const reported = item.reported
        ? `*${plain(l10n.t('Reported by {0}. You didn’t send this message here.', agentName))}*`
        : '';
      const speaker = item.from === 'user' ? `## ${l10n.t('You')}` : `### ${plain(agentName)}`;
      return joined([speaker, item.text.trim(), attached, declined, reported]);
    }
    case 'thought':
      return item.text.trim() === '' ? '' : quote(`*${l10n.t('Thought')}*\n\n${item.text.trim()}`);
    case 'toolCall': {
      const how = [statusWord(item.status), item.permission ?? ''].filter(Boolean).join(', ');
      return joined([
        `- ${plain(item.title)} (${how})`,
        ...item.output.map((output) => indent(outputMarkdown(output))),
      ]);
    }
    case 'plan': {
      if ('text' in item) return joined([`**${l10n.t('Plan')}**`, item.text.trim()]);
      const line = (done: boolean, content: string) => `- [${done ? 'x' : ' '}] ${plain(content)}`;
      return joined([
        `**${l10n.t('Plan')}**`,
        item.items.map(({ status, content }) => line(status === 'completed', content)).join('\n'),
      ]);
    }
    case 'notice':
      return quote(joined([`**${plain(item.title)}**`, plain(item.description ?? '')]));
    case 'error':
      return quote(joined([`**${plain(item.title)}**`, plain(item.cause ?? '')]));
    case 'compaction':
      return quote(joined([`**${l10n.t('Conversation compacted')}**`, item.summary.trim()]));
    case 'question':
      return quote(joined([`**${plain(item.message)}**`, fenced(item.answer ?? item.state)]));
    case 'subagent':
      return joined([
        `**${plain(l10n.t('Subagent {0}', item.title))}** (${plain(item.state)})`,
        plain(item.description ?? ''),
      ]);
    default:
      return assertNever(item);
  }
}

/** Returns a status as the page shows it. */
export function statusWord(status: string): string {
  switch (status) {
    case 'pending':
      return l10n.t('pending');
    case 'in_progress':
      return l10n.t('in progress');
    case 'completed':
      return l10n.t('completed');
    case 'failed':
      return l10n.t('failed');
    case 'cancelled':
      return l10n.t('cancelled');
    default:
      return l10n.t('rejected');
  }
}

function outputMarkdown(output: ExportedOutput): string {
  switch (output.type) {
    case 'text':
      return fenced(output.text);
    case 'attachment':
      return attachmentMarkdown(output.attachment);
    case 'diff':
      return joined([code(output.path), fenced(output.diff, 'diff')]);
    case 'command':
      return joined([
        fenced(`$ ${output.command}${output.output === '' ? '' : `\n${output.output}`}`, 'console'),
        output.changed ? `*${plain(l10n.t('The agent changed this output after the command ended'))}*` : '',
      ]);
    default:
      return assertNever(output);
  }
}

function attachmentMarkdown({ type, name, uri, text }: ExportedAttachment): string {
  if (text !== undefined) return joined([code(name), fenced(text)]);
  const shown = name === '' ? l10n.t('Unknown content') : name;
  return `- ${type === 'link' && uri !== undefined ? `${plain(shown)}: ${code(uri)}` : plain(shown)}`;
}

/** Returns a text in a fence that is longer than any in it. */
export function fenced(text: string, language = ''): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = '`'.repeat(longest + 1);
  return longest > 0 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Returns a text on one line that Markdown shows unchanged. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!$&]/g, '\\$&');
}

function quote(text: string): string {
  return text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
