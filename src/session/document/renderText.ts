import { assertNever } from '../../shared/values/assert';
import { lateWorkOf } from '../../shared/transcript/lateWork';
import type { ContentBlock } from '../../shared/transcript/content';
import type { LoginProgress } from '../../shared/transcript/login';
import type { ElicitationState } from '../../shared/forms/elicitation';
import type { TurnSummary } from '../../shared/amounts/turnSummary';
import type {
  ChangedCall,
  ConfigOption,
  PermissionView,
  Plan,
  SessionView,
  TerminalView,
  Transcript,
} from '../../shared/transcript/transcript';
import { sessionDocument, type CallOutput, type DocumentItem, type ItemOf } from './sessionDocument';

/**
 * Returns a transcript as text: the session view first, then one block per entry, in order, with details indented.
 * Equal transcripts give equal texts; times and ids are omitted, except ids of unknown terminals.
 */
export function renderText(transcript: Transcript): string {
  const { view, items } = sessionDocument(transcript);
  const blocks = [renderView(view)];
  for (const item of items) {
    const text = renderItem(item, view.agentName);
    blocks.push(item.subagent ? renderNested(item.subagent.title, text) : text);
    if (item.turnSummary) blocks.push(renderTurnEnd(item.turnSummary));
  }
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function renderTurnEnd({ brokenBy, model, tokens, cost }: TurnSummary): string {
  const parts = [
    brokenBy ?? '',
    model ?? '',
    tokens ? `${tokens.total} tokens` : '',
    cost ? `${cost.amount} ${cost.currency}` : '',
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Turn ended: ${parts.join(', ')}`;
}

function renderView(view: SessionView): string {
  const lines = [view.title === '' ? '' : `# ${view.title}`];
  if (view.connection.state !== 'ready' || view.activity.state !== 'idle') {
    const stop = view.activity.state === 'idle' ? undefined : view.activity.stop;
    const stopping = stop ? (stop.isLate ? ', not stopping' : ', stopping') : '';
    lines.push(`state: ${view.connection.state}, ${view.activity.state}${stopping}`);
  }
  for (const option of view.configOptions) lines.push(renderOption(option));
  if (view.availableCommands.length > 0) {
    lines.push(`commands: ${view.availableCommands.map(({ name }) => `/${name}`).join(' ')}`);
  }
  if (view.usage.state === 'known') {
    const { used, size, cost } = view.usage;
    lines.push(`context: ${used} of ${size}${cost ? `, ${cost.amount} ${cost.currency}` : ''}`);
  }
  if (view.turnUsage && view.turnUsage !== 'none') lines.push(`last turn: ${view.turnUsage.total} tokens`);
  for (const plan of view.plans) lines.push(renderPlan(plan));
  for (const { kind } of lateWorkOf(view)) lines.push(`still running: ${kind}`);
  for (const { text } of view.queue) lines.push(`waiting: ${text}`);
  return lines.filter((line) => line !== '').join('\n');
}

function renderOption(option: ConfigOption): string {
  const value =
    option.type === 'boolean'
      ? String(option.currentValue)
      : `${option.currentValue} of ${option.choices.map((choice) => choice.value).join(' | ')}`;
  return `${option.name} (${option.via}): ${value}`;
}

function renderPlan(plan: Plan): string {
  switch (plan.type) {
    case 'items': {
      const marks = { pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' };
      return ['plan:', ...plan.items.map(({ status, content }) => `  [${marks[status]}] ${content}`)].join('\n');
    }
    case 'markdown':
      return `plan:\n${indent(plan.content)}`;
    case 'file':
      return `plan: ${plan.uri}`;
    default:
      return assertNever(plan);
  }
}

function renderNested(title: string | undefined, text: string): string {
  return indent(`(of the subagent ${title ?? 'that is not there'})\n${text}`);
}

function renderItem(item: DocumentItem, agentName: string): string {
  switch (item.type) {
    case 'message':
      return renderMessage(item, agentName);
    case 'thought':
      return `Thought${item.endedAt === undefined ? ' (going on)' : ''}:\n${indent(renderBlocks(item.content))}`;
    case 'toolCall':
      return renderToolCall(item);
    case 'plan':
      return item.plan && !item.isNewest ? `Plan\n${indent(renderPlan(item.plan))}` : 'Plan';
    case 'notice':
      return [`Notice (${item.severity}): ${item.title}`, item.description ?? ''].filter(Boolean).join('\n  ');
    case 'compaction': {
      const error = item.error === undefined ? '' : `\n  error: ${item.error}`;
      return `Compaction (${item.status}):\n${indent(renderBlocks(item.summary))}${error}`;
    }
    case 'question':
      return `Question: ${item.message}\n  ${renderQuestion(item.question)}`;
    case 'error': {
      const { code, title, cause, logTail, actions } = item;
      const log = logTail === undefined ? '' : `log:\n${indent(logTail)}`;
      const details = [cause ?? '', log, actions.length > 0 ? `actions: ${actions.join(', ')}` : ''];
      return [`Error (${code}): ${title}`, ...details.filter(Boolean).map(indent)].join('\n');
    }
    case 'login': {
      const { methods, progress, waits } = item;
      const names = methods.map(({ name, how }) => `${name} (${how})`).join(', ');
      return [`Login (${progress.state}${waits ? ', a message waits' : ''}): ${names}`, failureOf(progress)]
        .filter(Boolean)
        .join('\n');
    }
    case 'subagent': {
      const { state, stopReason, title, description, canCancel } = item;
      const how = [state, stopReason, canCancel ? 'can be stopped' : ''].filter(Boolean).join(', ');
      return [`Subagent (${how}): ${title}`, indent(description ?? '')].filter(Boolean).join('\n');
    }
    default:
      return assertNever(item);
  }
}

function failureOf(progress: LoginProgress): string {
  return progress.state === 'failed' ? indent(`${progress.title}\n${progress.cause}`) : '';
}

function renderMessage({ from, content, isDeclined, isReported }: ItemOf<'message'>, agentName: string): string {
  const speaker = from === 'user' ? 'You' : agentName;
  const how = `${isDeclined ? ' (refused)' : ''}${isReported ? ' (reported by the agent)' : ''}`;
  return `${speaker}${how}:\n${indent(renderBlocks(content))}`;
}

function renderToolCall(call: ItemOf<'toolCall'>): string {
  const { toolKind, status, isStep, title, locations, output, rawOutput } = call;
  const lines = [`Tool call (${toolKind}, ${status}${isStep ? ', part of another call' : ''}): ${title}`];
  for (const { path, line } of locations) lines.push(`  at ${path}${line === undefined ? '' : `:${line}`}`);
  for (const item of output) lines.push(indent(renderOutput(item)));
  if (output.length === 0 && rawOutput !== undefined) lines.push(indent(`output: ${JSON.stringify(rawOutput)}`));
  const permission = renderPermission(call.permission);
  if (permission !== '') lines.push(`  ${permission}`);
  return lines.join('\n');
}

function renderPermission(permission: PermissionView): string {
  switch (permission.state) {
    case 'none':
      return '';
    case 'asked':
      return `asks: ${permission.options.map(({ name, kind }) => `${name} (${kind})`).join(' | ')}${changedText(permission.changed)}`;
    case 'answered':
      return `answered: ${permission.option.name} (${permission.option.kind})${changedText(permission.changed)}`;
    case 'cancelled':
      return `question withdrawn${changedText(permission.changed)}`;
    default:
      return assertNever(permission);
  }
}

function changedText(changed: ChangedCall | undefined): string {
  return changed ? `, changed after asking: ${JSON.stringify(changed)}` : '';
}

function renderQuestion(question: ElicitationState): string {
  switch (question.state) {
    case 'asked': {
      const { ask } = question;
      const what = ask.mode === 'url' ? ask.address.href : ask.fields.map(({ label, type }) => `${label} (${type})`);
      return `asks: ${typeof what === 'string' ? what : what.join(' | ')}`;
    }
    case 'submitted':
      return `submitted: ${question.answers.map(({ label, value }) => `${label}: ${value}`).join(' | ')}`;
    case 'opened':
      return `opened: ${question.host}${question.isDone ? ', done' : ''}`;
    default:
      return question.state;
  }
}

function renderOutput(item: CallOutput): string {
  switch (item.type) {
    case 'content':
      return renderBlock(item.content);
    case 'diff':
      return [
        `diff ${item.path}${item.oldText === undefined ? ' (new)' : ''}`,
        ...signed('-', item.oldText ?? ''),
        ...signed('+', item.newText),
      ].join('\n');
    case 'change':
      return `${item.operation} ${item.oldPath === undefined ? '' : `${item.oldPath} → `}${item.path}${item.isBinary ? ' (binary)' : ''}`;
    case 'terminal':
      return item.terminal ? renderTerminal(item.terminal) : `terminal ${item.terminalId}: unknown`;
    case 'unknown':
      return 'unknown content';
    default:
      return assertNever(item);
  }
}

function signed(sign: string, text: string): readonly string[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign} ${line}`);
}

function renderTerminal({ command, driver, output, hidden, exit, isRewritten }: TerminalView): string {
  const state = exit.state === 'running' ? 'running' : (exit.signal ?? `exit ${exit.exitCode ?? 'unknown'}`);
  const how = isRewritten ? `${state}, changed afterwards` : state;
  const text = `${hidden > 0 ? `(${hidden} hidden)\n` : ''}${output}`;
  return `terminal (${driver}, ${how}): ${command}${text === '' ? '' : `\n${indent(text)}`}`;
}

function renderBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map(renderBlock).join('\n');
}

function renderBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${block.data.length} characters]`;
    case 'resource_link':
      return `[link: ${block.title ?? block.name} ${block.uri}]`;
    case 'resource':
      return `[resource: ${block.uri}]\n${indent(block.text)}`;
    case 'resource_blob':
      return `[resource: ${block.uri}, ${block.blob.length} characters]`;
    case 'unknown':
      return '[content of an unknown type]';
    default:
      return assertNever(block);
  }
}

function indent(text: string): string {
  return text.replace(/\n+$/, '').replace(/^(?=.)/gm, '  ');
}
