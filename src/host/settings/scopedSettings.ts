import * as l10n from '@vscode/l10n';
import { cut, describeEntry, shown, type Detail } from '../../agent/spec/describeEntry';
import { printOf } from '../consent/contentConsent';
import { isRecord } from '../../shared/values/isRecord';
import type { DecidingSetting } from './settingTable';

/**
 * A setting's values by scope, as the editor returns them. Without language-specific values, because none of these
 * settings depends on a language.
 */
export interface ScopedValues {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A setting's value in a workspace or in one of its folders, and the resulting value. */
export interface WorkspacePart {
  readonly setting: DecidingSetting;
  /** The folder's path. Absent for the whole workspace. */
  readonly folder?: string;
  readonly own: unknown;
  readonly whole: unknown;
}

/** Returns the value without the workspace's settings. */
export function userValue({ defaultValue, globalValue }: ScopedValues): unknown {
  return merge(defaultValue, globalValue);
}

/** Returns the value with the workspace's settings. */
export function wholeValue(values: ScopedValues): unknown {
  return merge(merge(userValue(values), values.workspaceValue), values.workspaceFolderValue);
}

/** Returns the workspace's values of a setting. `values` are those of `folder`, if given. */
export function workspaceParts(setting: DecidingSetting, values: ScopedValues, folder?: string): WorkspacePart[] {
  const { workspaceValue, workspaceFolderValue } = values;
  const parts: WorkspacePart[] = [];
  if (workspaceValue !== undefined) {
    const whole = merge(userValue(values), workspaceValue);
    parts.push({ setting, own: workspaceValue, whole: onlyEntriesOf(whole, workspaceValue) });
  }
  // In a workspace with one folder, both scopes are the same file.
  if (folder !== undefined && workspaceFolderValue !== undefined && !isSame(workspaceFolderValue, workspaceValue)) {
    parts.push({
      setting,
      folder,
      own: workspaceFolderValue,
      whole: onlyEntriesOf(wholeValue(values), workspaceFolderValue),
    });
  }
  return parts;
}

/** Returns a fingerprint of the content. Empty if the workspace has no such settings. */
export function printOfParts(parts: readonly WorkspacePart[]): string {
  const unique = withoutDuplicates(parts);
  return unique.length === 0 ? '' : printOf(unique);
}

/** Describes the workspace's settings and the result of merging them with the user's own. */
export function describeParts(parts: readonly WorkspacePart[], detail: Detail): readonly string[] {
  return withoutDuplicates(parts).flatMap(({ setting, folder, whole }, index) => {
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

/** Returns only the entries of an object that the workspace sets. The others are the user's own. */
function onlyEntriesOf(whole: unknown, own: unknown): unknown {
  if (!isRecord(whole) || !isRecord(own)) return whole;
  return Object.fromEntries(Object.keys(own).map((key) => [key, whole[key]]));
}

/** Merges as the editor does: objects by key, other values are replaced. */
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

/** Removes duplicates, because each folder also reports the whole workspace's settings. */
function withoutDuplicates(parts: readonly WorkspacePart[]): readonly WorkspacePart[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Fields = Readonly<Record<string, unknown>>;
