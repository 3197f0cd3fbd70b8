import { compact } from '../../shared/values/decodeValue';
import type { ToolCallFields } from '../../acp/shape/sessionUpdate';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { ChangedCall, PermissionView, ToolCallEntry } from '../../shared/transcript/transcript';
import { isRecord } from '../../shared/values/isRecord';
import { isSameJson } from '../../shared/values/isSameJson';
import { requestedAction } from '../../rules/requestedAction';

/*
 * A request keeps what was asked. Whatever an agent reports about a call after requesting permission for it, the card
 * shows what the user was asked to allow, and later what they allowed. The agent's later changes are shown separately.
 */

/** An update of a call with an open request: the part to show, and the agent's changes so far. */
export interface HeldUpdate {
  readonly fields: ToolCallFields;
  readonly changed: ChangedCall | undefined;
}

const askedFields = ['title', 'name', 'toolKind', 'rawInput', 'locations'] as const;

/** Splits an update of a call with an open request. Progress and terminals aren't part of the request. */
export function holdUpdate(entry: ToolCallEntry, update: ToolCallFields): HeldUpdate {
  const fields: { -readonly [K in keyof ToolCallFields]: ToolCallFields[K] } = { ...update };
  const changed: Record<string, unknown> = { ...changeIn(entry.permission) };
  for (const key of askedFields) {
    const value = update[key];
    if (value === undefined) continue;
    Reflect.deleteProperty(fields, key);
    if (value === '' || addsNothing(entry[key], value)) Reflect.deleteProperty(changed, key);
    else changed[key] = value;
  }
  if (update.content) {
    const added = update.content.filter((item) => isTerminal(item) && !shows(entry, item));
    if (added.length > 0) fields.content = [...entry.content, ...added];
    else delete fields.content;
    const others = update.content.filter((item) => !isTerminal(item));
    if (others.every((item) => shows(entry, item))) delete changed['content'];
    else changed['content'] = others;
  }
  if (isSameEdit(entry, changed)) return { fields, changed: undefined };
  return { fields, changed: Object.keys(changed).length > 0 ? changed : undefined };
}

/**
 * Returns whether the agent's changes describe the edit that the request shows. Kilo announces a call after its request,
 * with a title and input of its own. The diff and its files are what the user allows.
 */
function isSameEdit(entry: ToolCallEntry, changed: ChangedCall): boolean {
  const diffs = entry.content.filter((item) => item.type === 'diff');
  if (diffs.length === 0 || changed.toolKind !== undefined || changed.content !== undefined) return false;
  const { toolKind } = entry;
  const { locations = [], rawInput } = changed;
  const asked = requestedAction(entry);
  const said = requestedAction({ toolKind, content: [], locations, rawInput });
  const runs = [asked, said].some(({ commands, environment }) => commands.length + environment.length > 0);
  return !runs && said.paths.every((path) => asked.paths.includes(path)) && showsTexts(diffs, '', rawInput);
}

/** Inputs of edits are shallow. A deeper one is shown as a change. */
const deepestInput = 8;

type Diff = ToolCallContent & { readonly type: 'diff' };

/** Returns whether the diffs contain the old and new texts of an edit's input, as far as its fields have usual names. */
function showsTexts(diffs: readonly Diff[], key: string, value: unknown, depth = 0): boolean {
  if (depth > deepestInput) return false;
  if (Array.isArray(value)) return value.every((item) => showsTexts(diffs, key, item, depth + 1));
  if (isRecord(value)) return Object.entries(value).every(([name, item]) => showsTexts(diffs, name, item, depth + 1));
  if (typeof value !== 'string') return true;
  if (/^old/i.test(key)) return diffs.some(({ oldText }) => (oldText ?? '').includes(value));
  if (/^new|content|text|insert|replac/i.test(key)) return diffs.some(({ newText }) => newText.includes(value));
  return true;
}

/** Returns the part of an update that may still change a call after the answer: its results, not what was asked. */
export function afterAnswer(entry: ToolCallEntry, update: ToolCallFields): ToolCallFields {
  const { locations, content, ...rest } = without(update, ['title', 'name', 'toolKind', 'rawInput']);
  const isAllowed = entry.permission.state === 'answered' && !entry.permission.option.kind.startsWith('reject');
  return {
    ...rest,
    ...(locations ? { locations: withAskedPlaces(entry, locations) } : {}),
    ...(content ? { content: isAllowed ? withAskedDiffs(entry, content) : content } : {}),
  };
}

/** Returns the call as requested, with its progress since then, and the agent's changes in the meantime. */
export function asAsked(asked: ToolCallEntry, now: ToolCallEntry): { entry: ToolCallEntry; changed?: ChangedCall } {
  const { title, name, toolKind, rawInput, locations } = asked;
  const progress = without(now, ['name', 'rawInput']);
  const { fields, changed } = holdUpdate(asked, now);
  const entry: ToolCallEntry = {
    ...progress,
    title,
    toolKind,
    locations,
    content: fields.content ?? asked.content,
    ...compact({ name, rawInput }),
  };
  return changed ? { entry, changed } : { entry };
}

/** Returns the agent's changes since its request, if any. */
export function changeIn(permission: PermissionView): ChangedCall | undefined {
  return permission.state === 'none' ? undefined : permission.changed;
}

/** Keeps the requested locations and adds others after them. */
function withAskedPlaces(entry: ToolCallEntry, locations: ToolCallEntry['locations']): ToolCallEntry['locations'] {
  const newPaths = new Set(locations.map(({ path }) => path));
  const missing = entry.locations.filter(({ path }) => !newPaths.has(path));
  return missing.length === 0 ? locations : [...missing, ...locations];
}

/**
 * Replaces the content but keeps the allowed diffs visible. Some agents show a diff only in their request and report
 * only success afterwards, and a diff of another file must not replace it.
 */
function withAskedDiffs(entry: ToolCallEntry, content: readonly ToolCallContent[]): readonly ToolCallContent[] {
  const newPaths = new Set(content.flatMap((item) => (item.type === 'diff' ? [item.path] : [])));
  const missing = entry.content.filter((item) => item.type === 'diff' && !newPaths.has(item.path));
  return missing.length === 0 ? content : [...missing, ...content];
}

function without<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Omit<T, K> {
  const rest = { ...value };
  for (const key of keys) Reflect.deleteProperty(rest, key);
  return rest;
}

/** Returns whether a value contains nothing beyond what was asked, because agents repeat parts of the request. */
function addsNothing(asked: unknown, value: unknown): boolean {
  if (isSameJson(asked, value)) return true;
  if (Array.isArray(asked) && Array.isArray(value)) return value.every((item) => has(asked, item));
  if (!isRecord(asked) || !isRecord(value)) return false;
  return Object.entries(value).every(([key, item]) => isSameJson(asked[key], item));
}

function has(list: readonly unknown[], item: unknown): boolean {
  return list.some((one) => isSameJson(one, item));
}

/**
 * Returns whether a call already shows this content. Ignores the line that Parley found for a diff, because the agent
 * didn't send it.
 */
function shows({ content }: ToolCallEntry, item: ToolCallContent): boolean {
  return has(content.map(asSent), asSent(item));
}

function asSent(item: ToolCallContent): ToolCallContent {
  return item.type === 'diff' && item.line !== undefined ? without(item, ['line']) : item;
}

function isTerminal(item: ToolCallContent): boolean {
  return item.type === 'terminal';
}
