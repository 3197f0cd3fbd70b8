import { commandOf, decodeToolCall, toolKinds } from '../../acp/decodeToolCall';
import { asObject, isAbsent } from '../../acp/decodeValue';
import type { ToolCallEntry, ToolKind } from '../../shared/transcript';

/** A permission request as rules see it: everything that it names, as the agent wrote it. */
export interface RuleRequest {
  readonly agent: string;
  /** Absolute path that relative ones count from. */
  readonly cwd: string;
  /** Undefined when the agent names one that the protocol does not. */
  readonly kind: ToolKind | undefined;
  readonly titles: readonly string[];
  /** Several when what is shown and what is asked for are not the same. */
  readonly commands: readonly string[];
  readonly paths: readonly string[];
}

/** Keys of a tool's input whose values are places. */
const placeKey = /path|file|dir|cwd|folder|uri|root/i;
const deepest = 6;

/**
 * What a request names. `entry` is the tool call as the user sees it with the request in it, `toolCall` that of the request alone: an
 * agent may announce one thing and ask for another.
 */
export function ruleRequest(agent: string, cwd: string, entry: ToolCallEntry, toolCall: unknown): RuleRequest {
  const asked = decodeToolCall(toolCall)?.fields ?? {};
  const [title, kind] = [asked.title, asObject(toolCall)?.['kind']];
  const isKnown = isAbsent(kind) || (toolKinds.includes(kind as ToolKind) && kind === entry.toolKind);
  const inputs = [entry.rawInput, asked.rawInput].filter((input) => input !== undefined);
  const paths = new Set<string>();
  for (const { path } of [...entry.locations, ...(asked.locations ?? [])]) paths.add(path);
  for (const item of [...entry.content, ...(asked.content ?? [])]) if (item.type === 'diff') paths.add(item.path);
  for (const input of inputs) addPlaces(input, false, paths, 0);
  return {
    ...{ agent, cwd, kind: isKnown ? entry.toolKind : undefined },
    titles: [...new Set([entry.title, ...(title ? [title] : [])])],
    commands: [...new Set(inputs.flatMap((input) => commandOf(input) ?? []))],
    paths: [...paths],
  };
}

/** The words of a command line that may be paths, quotes taken off; of an option its value. */
export function wordsOf(line: string): readonly string[] {
  return line
    .replace(/["']/g, '')
    .split(/[\s=,]+/)
    .map((word) => (word.startsWith('-') ? (/(\/|\.\.).*/s.exec(word)?.[0] ?? '') : word))
    .filter((word) => word !== '');
}

function addPlaces(value: unknown, isPlace: boolean, found: Set<string>, depth: number): void {
  if (typeof value === 'string') {
    if (isPlace && value !== '') found.add(value);
    return;
  }
  if (depth > deepest || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) addPlaces(item, isPlace, found, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    // Some tools take a map of files.
    if (/^(\/|~|[A-Za-z]:[\\/])/.test(key)) found.add(key);
    addPlaces(item, placeKey.test(key), found, depth + 1);
  }
}
