import { compact } from '../../shared/values/decodeValue';
import { redactText } from '../../acp/base/redactText';
import { assertNever } from '../../shared/values/assert';
import { changeWords } from '../../shared/transcript/fileChange';
import type { ContentBlock } from '../../shared/transcript/content';
import { earlierConversationUri } from '../../shared/transcript/earlierConversation';
import { modelName } from '../../shared/transcript/modelName';
import type { Entry, PermissionView, Plan, PlanItem, Transcript } from '../../shared/transcript/transcript';
import type { Cost, TurnBreak, TurnSummary } from '../../shared/amounts/turnSummary';
import type { TurnUsage } from '../../shared/amounts/turnUsage';
import { nameOfUri } from '../../shared/text/uriName';
import { diffText } from '../../shared/diff/diffText';
import { documentItem, sessionDocument, type CallOutput, type DocumentItem, type ItemOf } from './sessionDocument';
import { terminalText } from './terminalText';

/**
 * A session document for other people: the shape of its JSON file, which docs/export.md documents, and what the other
 * formats are rendered from. Fields are only added in a version; anything else increases `version`. Secrets are redacted.
 */
export interface ExportedSession {
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
  readonly turns: readonly ExportedTurn[];
}

/** A message of the user and all it caused. Turn 0 has what came before the first message. */
export interface ExportedTurn {
  readonly turn: number;
  /** When the first timed item of the turn started, if it has any. ISO 8601. */
  readonly startedAt?: string;
  readonly items: readonly ExportedItem[];
  /** The turn is from another session, whose conversation this one continues. */
  readonly earlier?: true;
  /** How the turn ended, if Parley has seen its end. */
  readonly end?: ExportedEnd;
}

/** The end of a turn, as far as it is known. Times are ISO 8601. */
export interface ExportedEnd {
  readonly outcome: 'completed' | TurnBreak;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly model?: string;
  readonly tokens?: TurnUsage;
  readonly cost?: Cost;
}

/** An item of a turn, in order. `subagent` is the name of the subagent that it is from. */
export type ExportedItem = { readonly subagent?: string } & (
  | {
      readonly type: 'message';
      readonly from: 'user' | 'agent';
      /** Markdown if it's from the agent, plain text if it's from the user. */
      readonly text: string;
      readonly attachments: readonly ExportedAttachment[];
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
      readonly output: readonly ExportedOutput[];
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
export interface ExportedAttachment {
  readonly type: 'link' | 'text' | 'image' | 'audio' | 'file' | 'unknown';
  readonly name: string;
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly data?: string;
}

/** What a tool call shows. A diff is a unified one. */
export type ExportedOutput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'attachment'; readonly attachment: ExportedAttachment }
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

/** Returns a session for export. With `turn`, only that turn. `now` is in milliseconds since the epoch. */
export function exportedSession(transcript: Transcript, now: number, turn?: number): ExportedSession {
  const { view, items } = sessionDocument(transcript, turn);
  const model = modelName(view);
  const isContinued = continuesEarlier(transcript);
  return {
    format: 'parley-session',
    version: 1,
    exportedAt: iso(now),
    session: {
      title: redactText(view.title),
      id: view.sessionId,
      folder: view.cwd,
      agent: { name: view.agentName, version: view.agentVersion },
      ...compact({ model }),
    },
    turns: turnsOf(items).map((one) => turnOf(one, isContinued)),
  };
}

/** Returns an entry for export, as a turn that has nothing else. */
export function exportedEntry(transcript: Transcript, entry: Entry): ExportedTurn {
  return turnOf([documentItem(transcript, entry)], continuesEarlier(transcript));
}

/** Returns the items of each turn, in order. A turn that continues after the next one has begun is in one place. */
function turnsOf(items: readonly DocumentItem[]): readonly (readonly DocumentItem[])[] {
  const turns = new Map<number, DocumentItem[]>();
  for (const item of items) {
    const known = turns.get(item.turn);
    if (known) known.push(item);
    else turns.set(item.turn, [item]);
  }
  return [...turns.values()];
}

/** Returns whether the conversation of another session is in the transcript. */
function continuesEarlier({ order, entries }: Transcript): boolean {
  return order.some((id) => entries.get(id)?.earlier === true);
}

function turnOf(items: readonly DocumentItem[], isContinued: boolean): ExportedTurn {
  const summary = items.findLast(({ turnSummary }) => turnSummary !== undefined)?.turnSummary;
  const startedAt = summary?.startedAt ?? items.find((item) => item.startedAt !== undefined)?.startedAt;
  return {
    turn: items[0]?.turn ?? 0,
    ...(startedAt === undefined ? {} : { startedAt: iso(startedAt) }),
    items: items.flatMap((item) => {
      const exported = itemOf(item, isContinued);
      if (!exported) return [];
      return [item.subagent ? { ...exported, subagent: redactText(item.subagent.title ?? '') } : exported];
    }),
    ...(items[0]?.earlier ? { earlier: true as const } : {}),
    ...(summary ? { end: endOf(summary) } : {}),
  };
}

function endOf({ startedAt, endedAt, brokenBy, model, tokens, cost }: TurnSummary): ExportedEnd {
  return {
    outcome: brokenBy ?? 'completed',
    startedAt: iso(startedAt),
    ...(endedAt === undefined ? {} : { endedAt: iso(endedAt) }),
    ...compact({ model, tokens, cost }),
  };
}

function itemOf(item: DocumentItem, isContinued: boolean): ExportedItem | undefined {
  switch (item.type) {
    case 'message': {
      const isShownAbove = (block: ContentBlock) =>
        isContinued && item.from === 'user' && block.type === 'resource' && block.uri === earlierConversationUri;
      return {
        type: 'message',
        from: item.from,
        ...messageOf(item.content.filter((block) => !isShownAbove(block))),
        ...(item.isDeclined ? { declined: true as const } : {}),
        ...(item.isReported ? { reported: true as const } : {}),
      };
    }
    case 'thought':
      return { type: 'thought', text: messageOf(item.content).text, ...took(item) };
    case 'toolCall':
      return toolCallOf(item);
    case 'plan':
      return item.plan && planOf(item.plan);
    case 'notice': {
      const { severity, title, description } = item;
      return { type: 'notice', severity, title: redactText(title), ...optional('description', description) };
    }
    case 'compaction':
      return { type: 'compaction', status: item.status, summary: messageOf(item.summary).text };
    case 'question': {
      const { message, question, answer } = item;
      return {
        type: 'question',
        message: redactText(message),
        state: question.state,
        ...optional('answer', answer),
      };
    }
    case 'error':
      return { type: 'error', code: item.code, title: redactText(item.title), ...optional('cause', item.cause) };
    case 'login':
      // Says something about this machine, and nothing about the session.
      return undefined;
    case 'subagent':
      return {
        type: 'subagent',
        title: redactText(item.title),
        state: item.stopReason ?? item.state,
        ...optional('description', item.description),
      };
    default:
      return assertNever(item);
  }
}

function toolCallOf(call: ItemOf<'toolCall'>): ExportedItem {
  const answer = permissionOf(call.permission);
  const title = call.title.trim() === '' ? (call.name ?? '') : call.title;
  return {
    type: 'toolCall',
    title: redactText(title),
    kind: call.toolKind,
    status: call.status,
    paths: [...new Set(call.locations.map(({ path }) => path))],
    output: outputOf(call),
    ...compact({ permission: answer }),
    ...took(call),
  };
}

function outputOf(call: ItemOf<'toolCall'>): readonly ExportedOutput[] {
  const shown = call.output.flatMap(contentOf);
  if (shown.length > 0 || call.rawOutput === undefined) return shown;
  const raw = typeof call.rawOutput === 'string' ? call.rawOutput : JSON.stringify(call.rawOutput, undefined, 2);
  return [{ type: 'text', text: redactText(raw) }];
}

function contentOf(item: CallOutput): ExportedOutput[] {
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
      if (!item.terminal) return [];
      const { command, output, hidden, exit, isRewritten } = item.terminal;
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
      return `${isAllowed ? 'allowed' : 'rejected'} by ${permission.by === 'rule' ? 'a rule' : 'the user'}`;
    }
    default:
      return assertNever(permission);
  }
}

function planOf(plan: Plan): ExportedItem {
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

/** Returns the text of a message and what it carries. */
function messageOf(content: readonly ContentBlock[]): {
  readonly text: string;
  readonly attachments: readonly ExportedAttachment[];
} {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { text: redactText(texts.join('\n')), attachments: content.flatMap(attachmentOf) };
}

function attachmentOf(block: ContentBlock): ExportedAttachment[] {
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
          ...compact({ uri: block.uri }),
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

function took({ startedAt, endedAt }: DocumentItem): { readonly ms?: number } {
  return startedAt === undefined || endedAt === undefined ? {} : { ms: endedAt - startedAt };
}

function optional<Name extends string>(name: Name, text: string | undefined): { readonly [Key in Name]?: string } {
  return (text === undefined || text === '' ? {} : { [name]: redactText(text) }) as { readonly [Key in Name]?: string };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
