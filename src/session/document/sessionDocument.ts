import { compact } from '../../shared/values/decodeValue';
import { assertNever } from '../../shared/values/assert';
import type { ContentBlock, ToolCallContent, ToolCallLocation } from '../../shared/transcript/content';
import type { ElicitationState } from '../../shared/forms/elicitation';
import type { EntryId, TerminalId } from '../../shared/values/ids';
import type { LoginChoice, LoginProgress } from '../../shared/transcript/login';
import { wasRejected } from '../../shared/transcript/openQuestion';
import { subagentEntryId, type SubagentState } from '../../shared/transcript/subagent';
import type {
  CompactionEntry,
  Entry,
  ErrorAction,
  NoticeEntry,
  PermissionView,
  Plan,
  SessionView,
  TerminalView,
  ToolCallStatus,
  ToolKind,
  Transcript,
} from '../../shared/transcript/transcript';
import type { TurnSummary } from '../../shared/amounts/turnSummary';

/**
 * A session as its readers get it: exports, text search, the transcript as text, and the conversation for another agent.
 * Each reads the items by their type, so a new type is a type error in all of them. An entry of a new kind that looks like a
 * known type needs only a case in `itemOf`. Nothing is redacted or shortened.
 */
export interface SessionDocument {
  readonly view: SessionView;
  /** In the order of the transcript. */
  readonly items: readonly DocumentItem[];
}

/** An entry, together with what it shows from elsewhere: its terminals, its plan, and the name of its subagent. */
export type DocumentItem = ItemPlace & ItemContent;

/** An item of one type. */
export type ItemOf<Type extends DocumentItem['type']> = Extract<DocumentItem, { readonly type: Type }>;

interface ItemPlace {
  readonly id: EntryId;
  readonly turn: number;
  /** The item is from another session, whose conversation this one continues. */
  readonly earlier?: true;
  /** The subagent that the item is from. It has no title if it isn't in the transcript. */
  readonly subagent?: { readonly title?: string };
  /** How the turn ended, if the item is its last one. */
  readonly turnSummary?: TurnSummary;
  /** In milliseconds since the epoch, as `endedAt`. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

type ItemContent =
  | {
      readonly type: 'message';
      readonly from: 'user' | 'agent';
      readonly content: readonly ContentBlock[];
      /** The agent declined it and removed it from its context. */
      readonly isDeclined: boolean;
      /** The agent reported it, although the user didn't send it in the session. */
      readonly isReported: boolean;
    }
  | { readonly type: 'thought'; readonly content: readonly ContentBlock[] }
  | {
      readonly type: 'toolCall';
      readonly title: string;
      readonly name?: string;
      readonly toolKind: ToolKind;
      readonly status: ToolCallStatus | 'rejected';
      readonly locations: readonly ToolCallLocation[];
      readonly output: readonly CallOutput[];
      readonly rawOutput?: unknown;
      readonly permission: PermissionView;
      /** It is a step of another call. */
      readonly isStep: boolean;
    }
  /** `isNewest`: it shows the plan as it is now, not as it was at the end of its turn. Without a plan, it was removed. */
  | { readonly type: 'plan'; readonly plan?: Plan; readonly isNewest: boolean }
  | {
      readonly type: 'notice';
      readonly severity: NoticeEntry['severity'];
      readonly title: string;
      readonly description?: string;
    }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly title: string;
      readonly cause?: string;
      readonly logTail?: string;
      readonly actions: readonly ErrorAction[];
    }
  | {
      readonly type: 'compaction';
      readonly status: CompactionEntry['status'];
      readonly summary: readonly ContentBlock[];
      readonly error?: string;
    }
  | {
      readonly type: 'question';
      readonly message: string;
      readonly question: ElicitationState;
      /** The user's answer: the fields of a form, or the host of the page that was opened. */
      readonly answer?: string;
    }
  | {
      readonly type: 'login';
      readonly methods: readonly LoginChoice[];
      readonly progress: LoginProgress;
      /** A message of the user waits for it. */
      readonly waits: boolean;
    }
  | {
      readonly type: 'subagent';
      readonly title: string;
      readonly description?: string;
      readonly state: SubagentState;
      readonly stopReason?: string;
      readonly canCancel: boolean;
    };

/** What a tool call shows. A terminal is missing if the transcript doesn't have it. */
export type CallOutput =
  | Exclude<ToolCallContent, { type: 'terminal' }>
  | { readonly type: 'terminal'; readonly terminalId: TerminalId; readonly terminal?: TerminalView };

/** Returns a session as a document; with `turn`, only that turn. */
export function sessionDocument(transcript: Transcript, turn?: number): SessionDocument {
  const items = transcript.order.flatMap((id) => {
    const entry = transcript.entries.get(id);
    return entry && (turn === undefined || entry.turn === turn) ? [documentItem(transcript, entry)] : [];
  });
  return { view: transcript.view, items };
}

/** Returns one entry as an item. */
export function documentItem(transcript: Transcript, entry: Entry): DocumentItem {
  return { ...placeOf(transcript, entry), ...itemOf(transcript, entry) };
}

function placeOf(transcript: Transcript, entry: Entry): ItemPlace {
  const { id, turn, earlier, turnSummary } = entry;
  return compact({
    id,
    turn,
    earlier,
    turnSummary,
    subagent: entry.subagent === undefined ? undefined : subagentOf(transcript, subagentEntryId(entry.subagent)),
    startedAt: 'startedAt' in entry ? entry.startedAt : undefined,
    endedAt: 'endedAt' in entry ? entry.endedAt : undefined,
  });
}

function subagentOf({ entries }: Transcript, id: EntryId): NonNullable<ItemPlace['subagent']> {
  const entry = entries.get(id);
  return entry?.kind === 'subagent' ? { title: entry.title } : {};
}

function itemOf(transcript: Transcript, entry: Entry): ItemContent {
  switch (entry.kind) {
    case 'user_message': {
      const { content, state, isReported = false } = entry;
      return { type: 'message', from: 'user', content, isDeclined: state === 'refused', isReported };
    }
    case 'agent_message':
      return { type: 'message', from: 'agent', content: entry.content, isDeclined: false, isReported: false };
    case 'agent_thought':
      return { type: 'thought', content: entry.content };
    case 'tool_call': {
      const { title, name, toolKind, locations, content, rawOutput, permission, parent } = entry;
      const status = wasRejected(entry) ? ('rejected' as const) : entry.status;
      const output = content.map((item) => shownBy(transcript, item));
      const isStep = parent !== undefined;
      const type = 'toolCall' as const;
      return compact({ type, title, name, toolKind, status, locations, output, rawOutput, permission, isStep });
    }
    case 'plan': {
      const plan = entry.plan ?? transcript.view.plans.find(({ planId }) => planId === entry.planId);
      return compact({ type: 'plan' as const, plan, isNewest: entry.plan === undefined });
    }
    case 'notice': {
      const { severity, title, description } = entry;
      return compact({ type: 'notice' as const, severity, title, description });
    }
    case 'compaction': {
      const { status, summary, error } = entry;
      return compact({ type: 'compaction' as const, status, summary, error });
    }
    case 'elicitation': {
      const { message, question } = entry;
      return compact({ type: 'question' as const, message, question, answer: answerOf(question) });
    }
    case 'error': {
      const { code, title, cause, logTail, actions } = entry;
      return compact({ type: 'error' as const, code, title, cause, logTail, actions });
    }
    case 'login': {
      const { methods, progress, waits } = entry;
      return { type: 'login', methods, progress, waits };
    }
    case 'subagent': {
      const { title, description, state, stopReason, canCancel } = entry;
      return compact({ type: 'subagent' as const, title, description, state, stopReason, canCancel });
    }
    default:
      return assertNever(entry);
  }
}

function answerOf(question: ElicitationState): string | undefined {
  if (question.state === 'opened') return question.host;
  if (question.state !== 'submitted') return undefined;
  return question.answers.map(({ label, value }) => `${label}: ${value}`).join('\n');
}

function shownBy({ terminals }: Transcript, item: ToolCallContent): CallOutput {
  return item.type === 'terminal' ? compact({ ...item, terminal: terminals.get(item.terminalId) }) : item;
}
