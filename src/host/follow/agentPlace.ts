import { isAbsolute, join } from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import type { ToolCallEntry } from '../../shared/transcript/transcript';
import { withoutScheme } from '../base/filePaths';
import type { ToolCallContent } from '../../shared/transcript/content';

/** A place in a file that an agent works at. */
export interface AgentPlace {
  /** Absolute, as the agent wrote it. */
  readonly path: string;
  /** Starts at 1. Absent if unknown. */
  readonly line?: number;
}

/** Tool calls of these kinds are about many files, or about none. */
const withoutPlace: ReadonlySet<string> = new Set(['search', 'think', 'fetch', 'delete']);

/** Returns the place that a tool call works at: its last one with a line, or else its last one. */
export function placeOf(call: ToolCallEntry, cwd: string): AgentPlace | undefined {
  if (withoutPlace.has(call.toolKind) || call.asks !== undefined) return undefined;
  const changed = call.content.flatMap((part): AgentPlace[] => {
    if (part.type !== 'diff') return [];
    const line = changeStart(part);
    return [{ path: part.path, ...compact({ line }) }];
  });
  const places = [...changed, ...call.locations.map(({ path, line }) => ({ path, ...compact({ line }) }))];
  const place = changed.findLast(hasLine) ?? places.findLast(hasLine) ?? places.at(-1);
  if (!place) return undefined;
  const path = withoutScheme(place.path);
  return { ...place, path: isAbsolute(path) ? path : join(cwd, path) };
}

function hasLine({ line }: AgentPlace): boolean {
  return line !== undefined;
}

type Diff = ToolCallContent & { readonly type: 'diff' };

/** Returns the line of the file where a diff's first difference is, starting at 1. Undefined if unknown. */
function changeStart({ oldText, newText, line }: Diff): number | undefined {
  if (oldText === undefined) return 1;
  if (line === undefined || line < 1) return undefined;
  const [before, after] = [oldText.split('\n'), newText.split('\n')];
  const first = after.findIndex((text, index) => text !== before[index]);
  return line + (first < 0 ? 0 : first);
}
