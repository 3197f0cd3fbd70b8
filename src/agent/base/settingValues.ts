import { isRecord } from '../../shared/values/isRecord';

/** Converts common user input to a list of strings; undefined if that isn't possible. */
export function toStrings(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(toText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** Converts common user input to variables by name; undefined if that isn't possible. */
export function toEnvironment(value: unknown): Record<string, string> | undefined {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return undefined;
  const env: Record<string, string> = {};
  for (const [name, item] of Object.entries(value)) {
    // Other editors write `null` for "not set".
    if (item === null) continue;
    const text = toText(item);
    if (text === undefined || name === '' || name.includes('=')) return undefined;
    env[name] = text;
  }
  return env;
}

/** Users write `"PORT": 8080` and `"DEBUG": true`; both are unambiguous as text. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
