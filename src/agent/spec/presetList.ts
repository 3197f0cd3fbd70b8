import { compact } from '../../shared/values/decodeValue';
import { isRecord } from '../../shared/values/isRecord';
import { presetName, type Preset } from './preset';

/**
 * Changes of the user's value of `parley.presets`. Entries and keys that Parley can't read are kept as they are. Each
 * function returns undefined if the value isn't a list, because the list would replace what the user typed there.
 */

/** Adds a preset, or replaces the one with its name. */
export function withPreset(
  value: unknown,
  preset: Omit<Preset, 'isDefault' | 'isOfWorkspace'>,
): readonly unknown[] | undefined {
  const { name, agent, model, mode, options, sandbox, usesWorktree } = preset;
  const written = {
    name,
    agent,
    ...compact({ model, mode, sandbox, worktree: usesWorktree }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
  const entries = entriesOf(value);
  const isThere = entries?.some((entry) => presetName(entry) === name) === true;
  if (!isThere) return entries && [...entries, written];
  return changed(value, name, (entry) => ({
    ...without(entry, ['agent', 'model', 'mode', 'options']),
    ...written,
  }));
}

/** Removes a preset. */
export function withoutPreset(value: unknown, name: string): readonly unknown[] | undefined {
  return entriesOf(value)?.filter((entry) => presetName(entry) !== name);
}

/** Gives a preset another name. */
export function withRenamedPreset(value: unknown, name: string, to: string): readonly unknown[] | undefined {
  return changed(value, name, (entry) => ({ ...entry, name: to }));
}

/** Makes a preset the only default one, or none if the name is undefined. */
export function withDefaultPreset(value: unknown, name: string | undefined): readonly unknown[] | undefined {
  return entriesOf(value)?.map((entry: unknown) => {
    if (!isRecord(entry)) return entry;
    const rest = without(entry, ['default']);
    return name !== undefined && presetName(entry) === name ? { ...rest, default: true } : rest;
  });
}

function changed(value: unknown, name: string, change: (entry: Entry) => Entry): readonly unknown[] | undefined {
  return entriesOf(value)?.map((entry: unknown) =>
    isRecord(entry) && presetName(entry) === name ? change(entry) : entry,
  );
}

function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : undefined;
}

function without(entry: Entry, keys: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)));
}

type Entry = Readonly<Record<string, unknown>>;
