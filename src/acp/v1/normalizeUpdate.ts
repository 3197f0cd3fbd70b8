import { asObject, asString } from '../../shared/values/decodeValue';
import type { UpdateQuirks } from '../dialect/dialect';
import { isHistory } from '../dialect/history';
import type { OpenMethod } from '../shape/openingSetup';

/** Rewrites an update in an agent-specific form; returns all others unchanged. */
export function normalizeUpdate(update: unknown, { modeAsText, ownWords }: UpdateQuirks): unknown {
  const text = textOf(update, 'agent_message_chunk') ?? '';
  const mode = modeAsText?.exec(text)?.[1];
  if (mode !== undefined) return { sessionUpdate: 'current_mode_update', currentModeId: mode };
  const remark = ownWords?.remark.exec(text)?.[1];
  if (remark !== undefined) {
    const [title = '', ...rest] = remark.trim().split('\n');
    return { sessionUpdate: 'notice', severity: 'info', title, description: rest.join('\n').trim() || undefined };
  }
  return ownWords?.failure.test(text) === true ? { ...asObject(update), _meta: { [failureMark]: true } } : update;
}

/** Marks a message that says why the turn fails. */
export const failureMark = 'parley/failure';

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
