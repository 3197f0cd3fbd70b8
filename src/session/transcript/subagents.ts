import { decodeTask } from '../../acp/decodeSubagent';
import type { Dialect } from '../../acp/dialect';
import type { SubagentUpdate, SessionUpdate } from '../../acp/sessionUpdate';
import type { UsedIds } from '../../acp/usedIds';
import type { EntryId, SessionId } from '../../shared/ids';
import { subagentEntryId, type SubagentEntry } from '../../shared/subagent';
import type { TranscriptStore } from './transcriptStore';

/** Who speaks in a session: its own agent, or a subagent of it in a session of that one's own. */
export interface Speaker {
  /** Knows the ids of that session. */
  readonly updates: Dialect;
  /** The subagent's id in the transcript; absent for the session's own agent. */
  readonly subagent?: SessionId;
}

/**
 * The subagents of one session (https://agentclientprotocol.com/rfds/subagents) by the ids of their sessions. What they do becomes
 * entries of the session's transcript that name them.
 */
export class Subagents {
  private readonly store: TranscriptStore;
  private readonly own: Speaker;
  private readonly ids: UsedIds;
  private readonly all = new Map<SessionId, Speaker & { readonly subagent: SessionId }>();

  /** `ids` are those that `updates`, of the session's own agent, uses. */
  constructor(store: TranscriptStore, updates: Dialect, ids: UsedIds) {
    this.store = store;
    this.own = { updates };
    this.ids = ids;
  }

  /** Who speaks under this id; undefined for an id that names no subagent of the session. */
  find(sessionId: SessionId | undefined): Speaker | undefined {
    return sessionId === undefined ? this.own : this.all.get(sessionId);
  }

  /** An `update` of a `session/update` under a subagent's id. */
  receive(update: unknown, sessionId: SessionId): void {
    const speaker = this.all.get(sessionId);
    const task = decodeTask(update, sessionId);
    if (speaker && task !== undefined) this.setTask(speaker.subagent, task);
    for (const raised of speaker?.updates.raise(update) ?? []) this.show(raised, speaker);
  }

  /** Shows an update of the session's own agent, or of the subagent that speaks. */
  show(update: SessionUpdate, speaker = this.own): void {
    const shown = update.sessionUpdate === 'subagent_update' ? this.announced(update, speaker) : update;
    this.store.plan(shown, this.own.updates.turn, speaker.subagent);
  }

  /** The id under which the agent knows a subagent that it takes `session/cancel` for; undefined when there is nothing to stop. */
  stoppable(subagent: SessionId): SessionId | undefined {
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent' || entry.state === 'idle' || !entry.canCancel) return undefined;
    for (const [sessionId, speaker] of this.all) if (speaker.subagent === subagent) return sessionId;
    return undefined;
  }

  /** Whether an entry is of this subagent, or of one that it has started. */
  isOf(id: EntryId, subagent: SessionId): boolean {
    const { entries } = this.store.transcript;
    let at = entries.get(id)?.subagent;
    // No subagent stands above itself: each is announced by one that was there before.
    while (at !== undefined && at !== subagent) {
      at = (entries.get(subagentEntryId(at)) as SubagentEntry | undefined)?.subagent;
    }
    return at === subagent;
  }

  /** Another process speaks from now on, or the transcript is told anew. */
  forget(): void {
    this.all.clear();
  }

  /** What it was told to do describes it, where its agent has not. */
  private setTask(subagent: SessionId, description: string): void {
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent' || entry.description) return;
    const update: SubagentUpdate = { sessionUpdate: 'subagent_update', sessionId: subagent, fields: { description } };
    this.store.plan(update, this.own.updates.turn);
  }

  private announced(update: SubagentUpdate, by: Speaker): SubagentUpdate {
    const { sessionId } = update;
    let known = this.all.get(sessionId);
    if (!known) {
      const subagent = this.ids.unused('subagent', sessionId) as SessionId;
      known = { updates: this.own.updates.ofSubagent(), subagent };
      this.all.set(sessionId, known);
      by.updates.breakText();
    }
    return { ...update, sessionId: known.subagent };
  }
}
