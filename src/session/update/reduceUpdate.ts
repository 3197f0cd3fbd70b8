import { mergeConfigOptions } from '../../acp/decode/decodeConfig';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import { assertNever } from '../../shared/values/assert';
import type { EntryId, PlanId, SessionId } from '../../shared/values/ids';
import { withLimit } from '../../shared/amounts/usageLimit';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type {
  CompactionEntry,
  ConfigOption,
  Entry,
  Plan,
  PlanEntry,
  Transcript,
} from '../../shared/transcript/transcript';
import { compactionEntryId, planEntryId, singleEntryId, toolCallEntryId } from './entryIds';
import { appendEntry, reduceChunk, reduceMessage, type Place } from './reduceMessage';
import { reduceSubagent } from './reduceSubagent';
import { reduceTerminal, reduceTerminalOutput, reduceToolCall } from './reduceToolCall';
import { fallbackTitle, oneLine } from './title';

type CompactionUpdate = Extract<SessionUpdate, { sessionUpdate: 'compaction_update' }>;
/** More would crowd the chat; agents put the most likely ones first. */
const mostSuggestions = 4;

type UsageUpdate = Extract<SessionUpdate, { sessionUpdate: 'usage_update' }>;

/**
 * Returns the changes that an update makes to a transcript, as ops. The only place that decides this. Pure, and as fast
 * for the last chunk of a long message as for the first. `now` is in milliseconds since the epoch, `turn` is the turn
 * of new entries, and `subagent` is their author if it isn't the main agent.
 */
export function reduceUpdate(
  transcript: Transcript,
  update: SessionUpdate,
  now: number,
  turn: number,
  subagent?: SessionId,
): TranscriptOp[] {
  const place: Place = subagent === undefined ? { turn } : { turn, subagent };
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return reduceChunk(transcript, update, now, place);
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return reduceMessage(transcript, update, now, place);
    case 'tool_call_update':
      return reduceToolCall(transcript, update.toolCallId, update.fields, now, place, update.asks);
    case 'tool_call_content_chunk': {
      const entry = transcript.entries.get(toolCallEntryId(update.toolCallId));
      const content = entry?.kind === 'tool_call' ? entry.content : [];
      return reduceToolCall(transcript, update.toolCallId, { content: [...content, update.content] }, now, place);
    }
    case 'terminal_update':
      return reduceTerminal(transcript, update, now);
    case 'terminal_output_chunk':
      return reduceTerminalOutput(transcript, update.terminalId, update.data, now);
    case 'plan_update':
      return reducePlan(transcript, update.plan, now, place);
    case 'plan_removed':
      return withoutPlan(transcript, update.planId, turn);
    case 'available_commands_update':
      return [{ op: 'view', fields: { availableCommands: update.availableCommands } }];
    case 'config_option_update': {
      const configOptions = mergeConfigOptions(transcript.view.configOptions, update.configOptions);
      return [{ op: 'view', fields: { configOptions } }];
    }
    case 'current_mode_update':
      return reduceMode(transcript, update.modeId);
    case 'session_info_update':
      return reduceInfo(transcript, update);
    case 'prompt_suggestions_update':
      return [{ op: 'view', fields: { suggestions: update.suggestions.slice(0, mostSuggestions) } }];
    case 'usage_update':
      return reduceUsage(transcript, update, now);
    case 'notice': {
      const { severity, title, description } = update;
      const text = description === undefined ? { title } : { title, description };
      const id = singleEntryId('notice', transcript.rev);
      return appendEntry(transcript, { kind: 'notice', id, ...place, severity, ...text }, now);
    }
    case 'compaction_update':
      return reduceCompaction(transcript, update, now, place);
    case 'compaction_summary_chunk': {
      const { compactionId } = update;
      const id = compactionEntryId(compactionId);
      const entry = transcript.entries.get(id);
      if (entry?.kind === 'compaction') {
        const last = entry.summary.at(-1);
        const { content } = update;
        if (content.type !== 'text' || last?.type !== 'text') return [{ op: 'appendContent', id, content }];
        return [{ op: 'appendText', id, block: entry.summary.length - 1, text: content.text }];
      }
      return reduceCompaction(
        transcript,
        { sessionUpdate: 'compaction_update', compactionId, summary: [update.content] },
        now,
        place,
      );
    }
    case 'subagent_update':
      return reduceSubagent(transcript, update, now, place);
    // The session handles the turn.
    case 'state_update':
    case 'unknown':
      return [];
    default:
      return assertNever(update);
  }
}

function reducePlan(transcript: Transcript, plan: Plan, now: number, place: Place): TranscriptOp[] {
  if (plan.type === 'items' && plan.items.length === 0) return withoutPlan(transcript, plan.planId, place.turn);
  const { plans } = transcript.view;
  const at = plans.findIndex(({ planId }) => planId === plan.planId);
  // Claude sends each plan twice, and again with every prompt.
  if (at >= 0 && JSON.stringify(plans[at]) === JSON.stringify(plan)) return [];
  const view: TranscriptOp = { op: 'view', fields: { plans: at < 0 ? [...plans, plan] : plans.with(at, plan) } };
  const last = lastPlanEntry(transcript, plan.planId);
  if (last?.turn === place.turn) return [view];
  const id = last ? planEntryId(plan.planId, place.turn) : planEntryId(plan.planId);
  const entry: PlanEntry = { kind: 'plan', id, ...place, planId: plan.planId };
  return [...keepPlan(last, plans[at], place.turn), view, ...appendEntry(transcript, entry, now)];
}

function withoutPlan(transcript: Transcript, planId: PlanId, turn: number): TranscriptOp[] {
  const { plans } = transcript.view;
  const removed = plans.find((plan) => plan.planId === planId);
  if (!removed) return [];
  const fields = { plans: plans.filter((plan) => plan !== removed) };
  return [...keepPlan(lastPlanEntry(transcript, planId), removed, turn), { op: 'view', fields }];
}

/** Keeps a plan in its entry, which is of an earlier turn, because it changes or is removed in this one. */
function keepPlan(entry: PlanEntry | undefined, plan: Plan | undefined, turn: number): TranscriptOp[] {
  if (!entry || !plan || entry.turn === turn || entry.plan) return [];
  return [{ op: 'patch', id: entry.id, kind: 'plan', fields: { plan } }];
}

/** Returns the newest entry of a plan. */
function lastPlanEntry({ order, entries }: Transcript, planId: PlanId): PlanEntry | undefined {
  for (let at = order.length - 1; at >= 0; at--) {
    const entry = entries.get(order[at] ?? ('' as EntryId));
    if (entry?.kind === 'plan' && entry.planId === planId) return entry;
  }
  return undefined;
}

function reduceInfo(
  transcript: Transcript,
  { title, updatedAt, goal, retry }: SessionUpdate & { readonly sessionUpdate: 'session_info_update' },
): TranscriptOp[] {
  const { view } = transcript;
  // The agent's title is newer than the user's only if the agent has received the user's title.
  const isNews = title !== undefined && view.titleFrom !== 'user';
  const isMoved = updatedAt !== undefined && updatedAt !== view.updatedAt;
  const more = { ...(goal === undefined ? {} : { goal }), ...(retry === undefined ? {} : { retry }) };
  if (!isNews && !isMoved && Object.keys(more).length === 0) return [];
  const named = isNews ? { title: oneLine(title) || fallbackTitle(transcript) } : {};
  return [{ op: 'view', fields: { ...named, ...(isMoved ? { updatedAt } : {}), ...more } }];
}

function reduceMode(transcript: Transcript, modeId: string): TranscriptOp[] {
  const { configOptions } = transcript.view;
  const offers = (option: ConfigOption) =>
    option.type === 'select' && option.choices.some(({ value }) => value === modeId);
  const mode =
    configOptions.find(({ via }) => via === 'modes') ??
    configOptions.find((option) => option.category === 'mode' && offers(option));
  if (mode?.type !== 'select' || mode.currentValue === modeId) return [];
  const changed = configOptions.map((option) => (option === mode ? { ...mode, currentValue: modeId } : option));
  return [{ op: 'view', fields: { configOptions: changed } }];
}

function reduceUsage(transcript: Transcript, { used, size, cost, limit }: UsageUpdate, now: number): TranscriptOp[] {
  const before = transcript.view.usage;
  const known = before.state === 'known' && before.cost ? { cost: before.cost } : {};
  const costs = cost === undefined ? known : cost === 'none' ? {} : { cost };
  const limits = limit && withLimit(transcript.view.limits ?? [], limit, now);
  return [{ op: 'view', fields: { usage: { state: 'known', used, size, ...costs }, ...(limits ? { limits } : {}) } }];
}

function reduceCompaction(transcript: Transcript, update: CompactionUpdate, now: number, place: Place): TranscriptOp[] {
  const { compactionId, status, summary, error } = update;
  const id = compactionEntryId(compactionId);
  const entry = transcript.entries.get(id);
  const { error: errorBefore, ...before }: CompactionEntry =
    entry?.kind === 'compaction'
      ? entry
      : { kind: 'compaction', id, ...place, compactionId, status: 'in_progress', summary: [] };
  const words = error ?? errorBefore;
  const after: Entry = {
    ...before,
    status: status ?? before.status,
    summary: summary ?? before.summary,
    ...(words ? { error: words } : {}),
  };
  return entry ? [{ op: 'replace', entry: after }] : appendEntry(transcript, after, now);
}
