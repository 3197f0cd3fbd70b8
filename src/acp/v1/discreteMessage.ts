import { asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import type { SessionUpdate } from '../shape/sessionUpdate';

/** These are said by the model or by the user, although they don't belong to the answer around them. */
const spoken: ReadonlySet<string> = new Set(['background_notification_response', 'realtime_voice']);
const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** A message of Qwen that isn't part of the answer around it. */
export interface DiscreteMessage {
  /** Absent if it is said like any other message. */
  readonly notice?: SessionUpdate & { readonly sessionUpdate: 'notice' };
  /** Identifies a report that Qwen sends twice. */
  readonly report?: string;
}

/** Reads a chunk that Qwen marks as a message of its own; undefined for all others. */
export function discreteMessage(update: JsonObject, text: string): DiscreteMessage | undefined {
  const meta = asObject(update['_meta']);
  if (meta?.['qwenDiscreteMessage'] !== true) return undefined;
  if (spoken.has(asString(meta['source']) ?? '')) return {};
  const [title = '', ...rest] = text.trim().split('\n');
  const description = rest.join('\n').trim();
  const task = asObject(meta['backgroundTask']);
  const taskId = asString(task?.['taskId']);
  const status = asString(task?.['status']) ?? '';
  const endsShell = task?.['kind'] === 'shell' && ends.has(status) ? taskId : undefined;
  return {
    notice: {
      sessionUpdate: 'notice',
      severity: status === 'failed' ? 'warning' : 'info',
      title,
      ...(description === '' ? {} : { description }),
      ...compact({ endsShell }),
    },
    ...(taskId === undefined ? {} : { report: `${taskId} ${status} ${text}` }),
  };
}
