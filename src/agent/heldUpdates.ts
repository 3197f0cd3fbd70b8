import type { SessionId } from '../shared/ids';

interface Held {
  readonly updates: unknown[];
  /** How many of them count for the limit. */
  counted: number;
}

/** Updates for sessions that nobody knows yet, in the order in which they came. */
export class HeldUpdates {
  private readonly all = new Map<SessionId, Held>();
  private count = 0;

  /** How many wait for a session. */
  of(sessionId: SessionId): number {
    return this.all.get(sessionId)?.updates.length ?? 0;
  }

  /** Keeps an update, without a limit or as long as fewer than `limit` are kept; returns whether it is kept. */
  add(sessionId: SessionId, update: unknown, limit: number): boolean {
    const isCounted = limit !== Number.POSITIVE_INFINITY;
    if (isCounted && this.count >= limit) return false;
    const held = this.all.get(sessionId) ?? { updates: [], counted: 0 };
    this.all.set(sessionId, held);
    held.updates.push(update);
    if (isCounted) held.counted += 1;
    if (isCounted) this.count += 1;
    return true;
  }

  /** What waits for a session; from now on nothing does. */
  take(sessionId: SessionId): readonly unknown[] {
    const held = this.all.get(sessionId);
    if (!held) return [];
    this.all.delete(sessionId);
    this.count -= held.counted;
    return held.updates;
  }

  /** Drops the sessions for which the most waits until no more than `limit` updates are left; returns their ids. */
  shrink(limit: number): readonly SessionId[] {
    const dropped: SessionId[] = [];
    const bySize = [...this.all].sort(([, a], [, b]) => a.updates.length - b.updates.length);
    let left = bySize.reduce((sum, [, { updates }]) => sum + updates.length, 0);
    while (left > limit) {
      const largest = bySize.pop();
      if (!largest) break;
      dropped.push(largest[0]);
      left -= this.take(largest[0]).length;
    }
    return dropped;
  }
}
