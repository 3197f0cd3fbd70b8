import { redactText } from '../../acp/base/redactText';
import { assertNever } from '../../shared/assert';
import { changeWords } from '../../shared/fileChange';
import type { ContentBlock, ToolCallContent } from '../../shared/content';
import type { ElicitationState } from '../../shared/elicitation';
import { earlierConversationUri } from '../../shared/earlierConversation';
import { modelName } from '../../shared/modelName';
import { wasRejected } from '../../shared/openQuestion';
import { subagentEntryId } from '../../shared/subagent';
import type { Entry, PermissionView, Plan, PlanItem, ToolCallEntry, Transcript } from '../../shared/transcript';
import type { Cost, TurnBreak, TurnSummary } from '../../shared/turnSummary';
import type { TurnUsage } from '../../shared/turnUsage';
import { nameOfUri } from '../../shared/uriName';
import { diffText } from '../../shared/diffText';
import { terminalText } from './terminalText';

/**
 * An exported session: the shape of its JSON file, which docs/export.md documents, and what the other formats are
 * rendered from. Fields are only added in a version; anything else increases `version`. Secrets are redacted.
 */
export interface SessionDocument {
  readonly format: 'parley-session';
  readonly version: 1;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly session: {
    /** Empty if the session has none. */
    readonly title: string;
    /** The id that the agent knows the session by. Empty if there is none yet. */
    readonly id: string;
    readonly folder: string;
    readonly agent: { readonly name: string; readonly version: string };
    /** The name of the model in use, if the agent lets the user select one. */
    readonly model?: string;
  };
  readonly turns: readonly TurnDocument[];
}

/** A message of the user and all it caused. Turn 0 has what came before the first message. */
export interface TurnDocument {
  readonly turn: number;
  /** When the first timed item of the turn started, if it has any. ISO 8601. */
  readonly startedAt?: string;
  readonly items: readonly TurnItem[];
  /** The turn is from another session, whose conversation this one continues. */
  readonly earlier?: true;
  /** How the turn ended, if Parley has seen its end. */
  readonly end?: TurnEndDocument;
}

/** The end of a turn, as far as it is known. Times are ISO 8601. */
export interface TurnEndDocument {
  readonly outcome: 'completed' | TurnBreak;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly model?: string;
  readonly tokens?: TurnUsage;
  readonly cost?: Cost;
}

/** An item of a turn, in order. `subagent` is the name of the subagent that it is from. */
export type TurnItem = { readonly subagent?: string } & (
  | {
      readonly type: 'message';
      readonly from: 'user' | 'agent';
      /** Markdown if it's from the agent, plain text if it's from the user. */
      readonly text: string;
      readonly attachments: readonly AttachmentDocument[];
      /** The agent declined the message and removed it from its context. */
      readonly declined?: true;
      /** The agent reported this message of the user, who didn't send it in the session. */
      readonly reported?: true;
    }
  | { readonly type: 'thought'; readonly text: string; readonly ms?: number }
  | {
      readonly type: 'toolCall';
      readonly title: string;
      readonly kind: string;
      readonly status: string;
      readonly paths: readonly string[];
      readonly output: readonly OutputDocument[];
      readonly permission?: string;
      readonly ms?: number;
    }
  | { readonly type: 'plan'; readonly items: readonly PlanItem[] }
  | { readonly type: 'plan'; readonly text: string }
  | { readonly type: 'notice'; readonly severity: string; readonly title: string; readonly description?: string }
  | { readonly type: 'error'; readonly code: string; readonly title: string; readonly cause?: string }
  | { readonly type: 'compaction'; readonly status: string; readonly summary: string }
  | { readonly type: 'question'; readonly message: string; readonly state: string; readonly answer?: string }
  | { readonly type: 'subagent'; readonly title: string; readonly state: string; readonly description?: string }
);

/** A file, text, image, or sound of a message or of a tool call. Bytes are base64. */
export interface AttachmentDocument {
  readonly type: 'link' | 'text' | 'image' | 'audio' | 'file' | 'unknown';
  readonly name: string;
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly data?: string;
}

/** What a tool call shows. A diff is a unified one. */
export type OutputDocument =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'attachment'; readonly attachment: AttachmentDocument }
  | { readonly type: 'diff'; readonly path: string; readonly diff: string }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly output: string;
      readonly exitCode?: number;
      readonly signal?: string;
      /** How many characters of the beginning are no longer available. */
      readonly hidden?: number;
      /** The agent changed it after the command had ended. */
      readonly changed?: true;
    };

/** Returns a session as a document. With `turn`, only that turn. `now` is in milliseconds since the epoch. */
export function sessionDocument(transcript: Transcript, now: number, turn?: number): SessionDocument {
  const { view } = transcript;
  const model = modelName(view);
  return {
    format: 'parley-session',
    version: 1,
    exportedAt: iso(now),
    session: {
      title: redactText(view.title),
      id: view.sessionId,
      folder: view.cwd,
      agent: { name: view.agentName, version: view.agentVersion },
      ...(model === undefined ? {} : { model }),
    },
    turns: turnsOf(transcript).flatMap((one) =>
      turn === undefined || one.turn === turn ? turnDocument(transcript, one.turn, one.entries) : [],
    ),
  };
}

/** Returns the entries of each turn, in order. A turn that continues after the next one has begun is in one place. */
function turnsOf({ order, entries }: Transcript): { readonly turn: number; readonly entries: readonly Entry[] }[] {
  const turns = new Map<number, Entry[]>();
  for (const id of order) {
    const entry = entries.get(id);
    if (!entry) continue;
    const known = turns.get(entry.turn);
    if (known) known.push(entry);
    else turns.set(entry.turn, [entry]);
  }
  return [...turns].map(([turn, found]) => ({ turn, entries: found }));
}

/** Returns entries of a turn as a document. */
export function turnDocument(transcript: Transcript, turn: number, entries: readonly Entry[]): TurnDocument {
  const startedAt = startOf(entries);
  const items = entries.flatMap((entry) => {
    const item = itemOf(transcript, entry);
    if (!item) return [];
    const name = subagentName(transcript, entry);
    return [name === undefined ? item : { ...item, subagent: name }];
  });
  const summary = entries.findLast(({ turnSummary }) => turnSummary !== undefined)?.turnSummary;
  return {
    turn,
    ...(startedAt === undefined ? {} : { startedAt: iso(startedAt) }),
    items,
    ...(entries[0]?.earlier ? { earlier: true as const } : {}),
    ...(summary ? { end: endOf(summary) } : {}),
  };
}

function endOf({ startedAt, endedAt, brokenBy, model, tokens, cost }: TurnSummary): TurnEndDocument {
  return {
    outcome: brokenBy ?? 'completed',
    startedAt: iso(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: iso(endedAt) }),
    ...(model === undefined ? {} : { model }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** Returns when the first entry with a time started. */
export function startOf(entries: readonly Entry[]): number | undefined {
  for (const entry of entries) if ('startedAt' in entry) return entry.startedAt;
  return undefined;
}

function subagentName(transcript: Transcript, { subagent }: Entry): string | undefined {
  if (subagent === undefined) return undefined;
  const of = transcript.entries.get(subagentEntryId(subagent));
  return of?.kind === 'subagent' ? redactText(of.title) : '';
}

function itemOf(transcript: Transcript, entry: Entry): TurnItem | undefined {
  switch (entry.kind) {
    case 'user_message':
      return {
        type: 'message',
        from: 'user',
        ...messageOf(entry.content.filter((block) => !isShownAbove(transcript, block))),
        ...(entry.state === 'refused' ? { declined: true as const } : {}),
        ...(entry.isReported ? { reported: true as const } : {}),
      };
    case 'agent_message':
      return { type: 'message', from: 'agent', ...messageOf(entry.content) };
    case 'agent_thought':
      return { type: 'thought', text: messageOf(entry.content).text, ...took(entry) };
    case 'tool_call':
      return toolCallOf(transcript, entry);
    case 'plan': {
      const plan = entry.plan ?? transcript.view.plans.find(({ planId }) => planId === entry.planId);
      return plan && planOf(plan);
    }
    case 'notice': {
      const { severity, title, description } = entry;
      return { type: 'notice', severity, title: redactText(title), ...optional('description', description) };
    }
    case 'compaction':
      return { type: 'compaction', status: entry.status, summary: messageOf(entry.summary).text };
    case 'elicitation': {
      const { message, question } = entry;
      return {
        type: 'question',
        message: redactText(message),
        state: question.state,
        ...optional('answer', answerOf(question)),
      };
    }
    case 'error':
      return { type: 'error', code: entry.code, title: redactText(entry.title), ...optional('cause', entry.cause) };
    case 'login':
      // Says something about this machine, and nothing about the session.
      return undefined;
    case 'subagent':
      return {
        type: 'subagent',
        title: redactText(entry.title),
        state: entry.stopReason ?? entry.state,
        ...optional('description', entry.description),
      };
    default:
      return assertNever(entry);
  }
}

/** Returns whether a block of a message is the conversation of another session whose entries are in the transcript. */
function isShownAbove({ order, entries }: Transcript, block: ContentBlock): boolean {
  if (block.type !== 'resource' || block.uri !== earlierConversationUri) return false;
  return order.some((id) => entries.get(id)?.earlier === true);
}

function toolCallOf(transcript: Transcript, call: ToolCallEntry): TurnItem {
  const answer = permissionOf(call.permission);
  const title = call.title.trim() === '' ? (call.name ?? '') : call.title;
  return {
    type: 'toolCall',
    title: redactText(title),
    kind: call.toolKind,
    status: wasRejected(call) ? 'rejected' : call.status,
    paths: [...new Set(call.locations.map(({ path }) => path))],
    output: outputOf(transcript, call),
    ...(answer === undefined ? {} : { permission: answer }),
    ...took(call),
  };
}

function outputOf(transcript: Transcript, call: ToolCallEntry): readonly OutputDocument[] {
  const shown = call.content.flatMap((item) => contentOf(transcript, item));
  if (shown.length > 0 || call.rawOutput === undefined) return shown;
  const raw = typeof call.rawOutput === 'string' ? call.rawOutput : JSON.stringify(call.rawOutput, undefined, 2);
  return [{ type: 'text', text: redactText(raw) }];
}

function contentOf(transcript: Transcript, item: ToolCallContent): OutputDocument[] {
  switch (item.type) {
    case 'content': {
      const { text, attachments } = messageOf([item.content]);
      if (item.content.type === 'text') return text === '' ? [] : [{ type: 'text', text }];
      return attachments.map((attachment) => ({ type: 'attachment', attachment }));
    }
    case 'diff':
      return [
        { type: 'diff', path: item.path, diff: redactText(diffText(item.oldText ?? '', item.newText, item.line)) },
      ];
    case 'change':
      return [{ type: 'text', text: redactText(changeWords(item)) }];
    case 'terminal': {
      const terminal = transcript.terminals.get(item.terminalId);
      if (!terminal) return [];
      const { command, output, hidden, exit, isRewritten } = terminal;
      return [
        {
          type: 'command',
          command: redactText(command),
          output: redactText(terminalText(output)),
          ...(exit.state === 'exited' && exit.exitCode !== undefined ? { exitCode: exit.exitCode } : {}),
          ...(exit.state === 'exited' && exit.signal !== undefined ? { signal: exit.signal } : {}),
          ...(hidden > 0 ? { hidden } : {}),
          ...(isRewritten ? { changed: true as const } : {}),
        },
      ];
    }
    case 'unknown':
      return [];
    default:
      return assertNever(item);
  }
}

function permissionOf(permission: PermissionView): string | undefined {
  switch (permission.state) {
    case 'none':
      return undefined;
    case 'asked':
      return 'asked';
    case 'cancelled':
      return 'cancelled';
    case 'answered': {
      const isAllowed = permission.option.kind.startsWith('allow');
      return `${isAllowed ? 'allowed' : 'rejected'} by ${permission.by === 'you' ? 'the user' : 'a rule'}`;
    }
    default:
      return assertNever(permission);
  }
}

function planOf(plan: Plan): TurnItem {
  switch (plan.type) {
    case 'items':
      return {
        type: 'plan',
        items: plan.items.map(({ content, priority, status }) => ({ content: redactText(content), priority, status })),
      };
    case 'markdown':
      return { type: 'plan', text: redactText(plan.content) };
    case 'file':
      return { type: 'plan', text: plan.uri };
    default:
      return assertNever(plan);
  }
}

function answerOf(question: ElicitationState): string | undefined {
  if (question.state === 'opened') return question.host;
  if (question.state !== 'submitted') return undefined;
  return question.answers.map(({ label, value }) => `${label}: ${value}`).join('\n');
}

/** Returns the text of a message and what it carries. */
function messageOf(content: readonly ContentBlock[]): {
  readonly text: string;
  readonly attachments: readonly AttachmentDocument[];
} {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { text: redactText(texts.join('\n')), attachments: content.flatMap(attachmentOf) };
}

function attachmentOf(block: ContentBlock): AttachmentDocument[] {
  switch (block.type) {
    case 'text':
      return [];
    case 'image':
    case 'audio':
      return [
        {
          type: block.type,
          name: block.uri === undefined ? block.mimeType : nameOfUri(block.uri),
          mimeType: block.mimeType,
          data: block.data,
          ...(block.uri === undefined ? {} : { uri: block.uri }),
        },
      ];
    case 'resource_link':
      return [{ type: 'link', name: block.title ?? block.name, uri: redactText(block.uri) }];
    case 'resource':
      return [{ type: 'text', name: nameOfUri(block.uri), uri: redactText(block.uri), text: redactText(block.text) }];
    case 'resource_blob':
      return [{ type: 'file', name: nameOfUri(block.uri), uri: redactText(block.uri), data: block.blob }];
    case 'unknown':
      return [{ type: 'unknown', name: '' }];
    default:
      return assertNever(block);
  }
}

function took(entry: { readonly startedAt: number; readonly endedAt?: number }): { readonly ms?: number } {
  return entry.endedAt === undefined ? {} : { ms: entry.endedAt - entry.startedAt };
}

function optional<Name extends string>(name: Name, text: string | undefined): { readonly [Key in Name]?: string } {
  return (text === undefined || text === '' ? {} : { [name]: redactText(text) }) as { readonly [Key in Name]?: string };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
