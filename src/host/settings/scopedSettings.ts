import * as l10n from '@vscode/l10n';
import { cut, describeEntry, shown, type Detail } from '../../agent/describeEntry';
import { printOf } from '../consent/contentConsent';
import { isRecord } from '../../shared/isRecord';

/**
 * The settings that decide what runs, where from, and what needs no question. From a workspace they count only after the user has agreed
 * to exactly what is written there.
 */
export const decidingSettings = [
  'agents',
  'mcpServers',
  'mcp.useMcpJson',
  'permissions',
  'files.outsideWorkspace',
  'registry.url',
] as const;

export type DecidingSetting = (typeof decidingSettings)[number];

/**
 * The values of a setting by where they are written, as the editor tells them. Those for single languages are left out: none of these
 * settings is about files of a language.
 */
export interface ScopedValues {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** What a workspace, or one folder of it, writes into a setting, and what the setting then is. */
export interface WorkspacePart {
  readonly setting: DecidingSetting;
  /** Path of the folder; absent for the whole workspace. */
  readonly folder?: string;
  readonly own: unknown;
  readonly whole: unknown;
}

/** The value without what the workspace says. */
export function userValue({ defaultValue, globalValue }: ScopedValues): unknown {
  return merge(defaultValue, globalValue);
}

/** The value with what the workspace says. */
export function wholeValue(values: ScopedValues): unknown {
  return merge(merge(userValue(values), values.workspaceValue), values.workspaceFolderValue);
}

/** What of a setting the workspace writes; `folder` is the one whose values these are. */
export function workspaceParts(setting: DecidingSetting, values: ScopedValues, folder?: string): WorkspacePart[] {
  const { workspaceValue, workspaceFolderValue } = values;
  const parts: WorkspacePart[] = [];
  if (workspaceValue !== undefined) {
    const whole = merge(userValue(values), workspaceValue);
    parts.push({ setting, own: workspaceValue, whole: touched(whole, workspaceValue) });
  }
  // In a workspace of one folder both are the same file.
  if (folder !== undefined && workspaceFolderValue !== undefined && !isSame(workspaceFolderValue, workspaceValue)) {
    parts.push({
      setting,
      folder,
      own: workspaceFolderValue,
      whole: touched(wholeValue(values), workspaceFolderValue),
    });
  }
  return parts;
}

/** The same for the same content, and for no other; empty when the workspace says nothing. */
export function printOfParts(parts: readonly WorkspacePart[]): string {
  const told = distinct(parts);
  return told.length === 0 ? '' : printOf(told);
}

/** Everything that the workspace says, and what becomes of it together with the user's own settings. */
export function describeParts(parts: readonly WorkspacePart[], detail: Detail): readonly string[] {
  return distinct(parts).flatMap(({ setting, folder, whole }, index) => {
    const name = `parley.${setting}`;
    const head = folder === undefined ? name : l10n.t('{0} in the folder {1}', name, shown(folder, detail));
    return [...(index === 0 ? [] : ['']), ...describeValue(setting, head, whole, detail)];
  });
}

function describeValue(setting: DecidingSetting, head: string, value: unknown, detail: Detail): readonly string[] {
  if ((setting === 'agents' || setting === 'mcpServers') && isRecord(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return [`${head}: {}`];
    return entries.flatMap(([key, entry]) => [
      `${head}: ${shown(key, detail)}`,
      ...describeEntry(entry, detail).map((line) => `    ${line}`),
    ]);
  }
  if (Array.isArray(value) && value.length > 0) {
    const lines = value.map((item: unknown) => `    ${shown(JSON.stringify(item), detail)}`);
    return [`${head}:`, ...cut(lines, detail)];
  }
  return [`${head}: ${shown(typeof value === 'string' ? value : JSON.stringify(value), detail)}`];
}

/** Of an object only the entries that the workspace writes: the others are the user's own. */
function touched(whole: unknown, own: unknown): unknown {
  if (!isRecord(whole) || !isRecord(own)) return whole;
  return Object.fromEntries(Object.keys(own).map((key) => [key, whole[key]]));
}

/** As the editor merges: objects key by key, everything else is replaced. */
function merge(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  if (!isRecord(below) || !isRecord(above)) return above;
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])];
  return Object.fromEntries(keys.map((key) => [key, mergeKey(below, above, key)]));
}

function mergeKey(below: Fields, above: Fields, key: string): unknown {
  const of = (object: Fields) => (Object.hasOwn(object, key) ? object[key] : undefined);
  return merge(of(below), of(above));
}

/** Each folder tells what the whole workspace says, too. */
function distinct(parts: readonly WorkspacePart[]): readonly WorkspacePart[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Fields = Readonly<Record<string, unknown>>;
