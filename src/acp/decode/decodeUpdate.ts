import type { PlanId } from '../../shared/values/ids';
import type { AvailableCommand, CompactionEntry, Plan, PlanItem } from '../../shared/transcript/transcript';
import { decodeContentBlock } from './decodeContent';
import { decodeGoal } from './decodeGoal';
import { decodeLimit } from './decodeLimit';
import { asCost, asCount } from '../../shared/amounts/untrustedNumber';
import { decodeModelId } from './decodeTurnUsage';
import { decodeSubagent } from './decodeSubagent';
import {
  asList,
  asObject,
  asOneOf,
  asString,
  compact,
  decodeTime,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';
import type { SessionUpdate } from '../shape/sessionUpdate';

const priorities = ['high', 'medium', 'low'] as const;
const planStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
const compactionStatuses: readonly CompactionEntry['status'][] = ['in_progress', 'completed', 'failed', 'cancelled'];

/** Reads updates that mean the same in every version and need no state; undefined for malformed and other updates. */
export function decodePlainUpdate(update: JsonObject): SessionUpdate | undefined {
  switch (update['sessionUpdate']) {
    case 'plan_update': {
      const plan = decodePlan(update['plan']);
      return plan && { sessionUpdate: 'plan_update', plan };
    }
    case 'plan_removed': {
      const planId = asString(update['planId']);
      return planId === undefined ? undefined : { sessionUpdate: 'plan_removed', planId: planId as PlanId };
    }
    case 'available_commands_update': {
      const availableCommands = decodeCommands(update['availableCommands']);
      return availableCommands && { sessionUpdate: 'available_commands_update', availableCommands };
    }
    case 'current_mode_update': {
      // One page of the documentation calls the field `modeId`.
      const modeId = asString(update['currentModeId']) ?? asString(update['modeId']);
      return modeId === undefined ? undefined : { sessionUpdate: 'current_mode_update', modeId };
    }
    case 'session_info_update': {
      const title = update['title'] === null ? '' : asString(update['title']);
      const updatedAt = update['updatedAt'] === null ? 0 : decodeTime(update['updatedAt']);
      return compact({
        sessionUpdate: 'session_info_update' as const,
        title,
        updatedAt,
        hasFailed: decodeFailing(update),
        retry: decodeRetry(update),
        goal: decodeGoal(update['_meta']),
      });
    }
    case 'usage_update':
      return decodeUsage(update);
    case 'notice':
      return decodeNotice(update);
    case 'prompt_suggestions_update': {
      const suggestions = asList(update['suggestions'], decodeSuggestion);
      return suggestions && { sessionUpdate: 'prompt_suggestions_update', suggestions };
    }
    case 'subagent_update':
      return decodeSubagent(update);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return decodeCompaction(update);
    default:
      return undefined;
  }
}

/** Reads a suggested prompt as Markdown; undefined if it's empty, or has what Parley didn't ask for, such as pictures. */
function decodeSuggestion(value: unknown): string | undefined {
  const blocks = asList(asObject(value)?.['prompt'], (block) => decodeContentBlock(block) ?? 'unreadable') ?? [];
  const parts: string[] = [];
  for (const block of blocks) {
    if (block === 'unreadable') return undefined;
    if (block.type === 'text') parts.push(block.text);
    else if (block.type === 'resource_link') parts.push(`[${block.name}](${block.uri})`);
    else return undefined;
  }
  return parts.join('').trim() || undefined;
}

/** Reads how Codex reports its own state. It's the only sign of a failure that it answers like a normal end. */
function decodeFailing(update: JsonObject): boolean | undefined {
  const codex = asObject(asObject(update['_meta'])?.['codex']);
  const status = asString(asObject(codex?.['threadStatus'])?.['type']);
  return status === undefined ? undefined : status === 'systemError';
}

/** Reads why Codex tries its model again. */
function decodeRetry(update: JsonObject): string | undefined {
  const error = asObject(asObject(asObject(update['_meta'])?.['codex'])?.['error']);
  if (error?.['willRetry'] !== true) return undefined;
  const words = [asString(error['message']), asString(error['additionalDetails'])];
  return words.filter((text) => text?.trim()).join(': ') || undefined;
}

/** Reads the items of a plan; undefined if the value isn't a list. */
export function decodePlanItems(value: unknown): readonly PlanItem[] | undefined {
  return asList(value, decodePlanItem);
}

function decodePlanItem(value: unknown): PlanItem | undefined {
  const item = asObject(value);
  const content = asString(item?.['content']);
  if (!item || content === undefined) return undefined;
  return {
    content,
    priority: asOneOf(item['priority'], priorities) ?? 'medium',
    status: asOneOf(item['status'], planStatuses) ?? 'pending',
  };
}

function decodePlan(value: unknown): Plan | undefined {
  const plan = asObject(value);
  const id = asString(plan?.['planId']);
  if (!plan || id === undefined) return undefined;
  const planId = id as PlanId;
  switch (plan['type']) {
    case 'items': {
      const items = decodePlanItems(plan['entries']);
      return items && { planId, type: 'items', items };
    }
    case 'markdown': {
      const content = asString(plan['content']);
      return content === undefined ? undefined : { planId, type: 'markdown', content };
    }
    case 'file': {
      const uri = asString(plan['uri']);
      return uri === undefined ? undefined : { planId, type: 'file', uri };
    }
    default:
      return undefined;
  }
}

/** Reads a list of commands; undefined if the value isn't one. */
export function decodeCommands(value: unknown): readonly AvailableCommand[] | undefined {
  return asList(value, decodeCommand);
}

function decodeCommand(value: unknown): AvailableCommand | undefined {
  const command = asObject(value);
  const name = asString(command?.['name']);
  if (!command || !name) return undefined;
  const hint = asString(asObject(command['input'])?.['hint']);
  return { name, description: asString(command['description']) ?? '', ...compact({ hint }) };
}

function decodeUsage(update: JsonObject): SessionUpdate | undefined {
  const used = asCount(update['used']);
  const size = asCount(update['size']);
  if (used === undefined || size === undefined) return undefined;
  const cost = asCost(update['cost']);
  const meta = asObject(update['_meta']);
  const limit = decodeLimit(meta?.['_claude/rateLimit']);
  const model = decodeModelId(meta?.['_claude/model']);
  const known = { sessionUpdate: 'usage_update' as const, used, size, ...compact({ limit, model }) };
  if (cost) return { ...known, cost };
  return { ...known, ...(update['cost'] === null ? { cost: 'none' } : {}) };
}

function decodeNotice(update: JsonObject): SessionUpdate | undefined {
  const title = asString(update['title']);
  if (title === undefined) return undefined;
  const severity = asOneOf(update['severity'], ['info', 'warning', 'error'] as const) ?? 'info';
  return compact({ sessionUpdate: 'notice' as const, severity, title, description: asString(update['description']) });
}

function decodeCompaction(update: JsonObject): SessionUpdate | undefined {
  const compactionId = asString(update['compactionId']);
  if (compactionId === undefined) return undefined;
  if (update['sessionUpdate'] === 'compaction_summary_chunk') {
    const content = decodeContentBlock(update['content']);
    return content && { sessionUpdate: 'compaction_summary_chunk', compactionId, content };
  }
  return compact({
    sessionUpdate: 'compaction_update' as const,
    compactionId,
    // An unknown status from a later protocol version means that the compaction is running.
    status: isAbsent(update['status']) ? undefined : (asOneOf(update['status'], compactionStatuses) ?? 'in_progress'),
    summary: update['summary'] === null ? [] : asList(update['summary'], decodeContentBlock),
    error: update['error'] === null ? '' : asString(update['error']),
  });
}
