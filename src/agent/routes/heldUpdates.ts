import { kindOfUpdate } from '../../acp/shape/updateKinds';
import { isRecord } from '../../shared/values/isRecord';
import type { SessionId } from '../../shared/values/ids';

/** How much may be held. */
export interface HeldLimit {
  readonly updates: number;
  /** Approximate size in memory. */
  readonly bytes: number;
}

interface Held {
  readonly updates: unknown[];
  bytes: number;
  /** How many of them count toward the limit of updates. */
  counted: number;
}

/** Updates for sessions that aren't known yet, in order of arrival. */
export class HeldUpdates {
  private readonly all = new Map<SessionId, Held>();
  private count = 0;
  private bytes = 0;

  /** Returns the updates that are held for a session. */
  of(sessionId: SessionId): readonly unknown[] {
    return this.all.get(sessionId)?.updates ?? [];
  }

  /** Keeps an update if the total stays within `limit`; returns whether it is kept. */
  add(sessionId: SessionId, update: unknown, limit: HeldLimit): boolean {
    const isCounted = limit.updates !== Number.POSITIVE_INFINITY;
    const bytes = sizeOf(update, limit.bytes - this.bytes);
    if ((isCounted && this.count >= limit.updates) || this.bytes + bytes > limit.bytes) return false;
    const held = this.all.get(sessionId) ?? { updates: [], bytes: 0, counted: 0 };
    this.all.set(sessionId, held);
    held.updates.push(update);
    held.bytes += bytes;
    this.bytes += bytes;
    if (isCounted) held.counted += 1;
    if (isCounted) this.count += 1;
    return true;
  }

  /** Removes and returns the updates held for a session. */
  take(sessionId: SessionId): readonly unknown[] {
    const held = this.all.get(sessionId);
    if (!held) return [];
    this.all.delete(sessionId);
    this.count -= held.counted;
    this.bytes -= held.bytes;
    return held.updates;
  }

  /** Drops the sessions with the most held updates until the total is within `limit`; returns their ids. */
  shrink(limit: HeldLimit): readonly SessionId[] {
    const dropped: SessionId[] = [];
    const bySize = [...this.all].sort(([, a], [, b]) => a.bytes - b.bytes);
    let left = bySize.reduce((sum, [, { updates }]) => sum + updates.length, 0);
    while (left > limit.updates || this.bytes > limit.bytes) {
      const largest = bySize.pop();
      if (!largest) break;
      dropped.push(largest[0]);
      left -= this.take(largest[0]).length;
    }
    return dropped;
  }
}

/** Returns the approximate size of a value in memory, or anything above `enough`. */
function sizeOf(value: unknown, enough: number): number {
  let size = 0;
  const waiting = [value];
  while (waiting.length > 0 && size <= enough) {
    const next = waiting.pop();
    size += 16;
    if (typeof next === 'string') size += 2 * next.length;
    else if (typeof next === 'object' && next !== null) {
      for (const [key, field] of Object.entries(next)) {
        size += 2 * key.length;
        waiting.push(field);
      }
    }
  }
  return size;
}

/** Whether an update is a message of the user or the agent, in any version of the protocol. */
export function isMessage(update: unknown): boolean {
  return isRecord(update) && kindOfUpdate(update['sessionUpdate'])?.part === 'message';
}
