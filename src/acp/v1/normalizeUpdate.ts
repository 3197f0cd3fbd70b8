import { asObject, asString } from '../../shared/decodeValue';
import type { UpdateQuirks } from '../dialect/dialect';
import { isHistory } from '../dialect/history';
import type { OpenMethod } from '../shape/openingSetup';

/** Rewrites an update in an agent-specific form; returns all others unchanged. */
export function normalizeUpdate(update: unknown, { modeAsText }: UpdateQuirks): unknown {
  const mode = modeAsText?.exec(textOf(update, 'agent_message_chunk') ?? '')?.[1];
  return mode === undefined ? update : { sessionUpdate: 'current_mode_update', currentModeId: mode };
}

/** Returns the updates to show from those that arrived before the session opened. */
export function updatesToShow(
  updates: readonly unknown[],
  method: OpenMethod['method'] | 'kept',
  { replayNoise }: UpdateQuirks,
): readonly unknown[] {
  // A resumed session must not be replayed, yet some agents do so. Its transcript already has everything, and so does a
  // fork's.
  if (method === 'resume' || method === 'fork' || method === 'kept')
    return updates.filter((update) => !isHistory(update));
  if (method === 'new' || !replayNoise) return updates;
  return updates.map((update) => {
    const text = textOf(update, 'user_message_chunk') ?? textOf(update, 'agent_message_chunk');
    if (text === undefined || text.search(replayNoise) < 0) return update;
    // Chunks without text are skipped.
    return { ...asObject(update), content: { type: 'text', text: text.replace(replayNoise, '').trimEnd() } };
  });
}

function textOf(update: unknown, kind: string): string | undefined {
  const object = asObject(update);
  return object?.['sessionUpdate'] === kind ? asString(asObject(object['content'])?.['text']) : undefined;
}
