import { decodeTask } from '../../acp/decodeSubagent';
import type { Dialect, UpdateReader } from '../../acp/dialect';
import type { SubagentUpdate, SessionUpdate } from '../../acp/sessionUpdate';
import { TurnCounter } from '../../acp/turnCounter';
import { UsedIds } from '../../acp/usedIds';
import type { EntryId, SessionId } from '../../shared/ids';
import { subagentEntryId, type SubagentEntry } from '../../shared/subagent';
import type { Transcript } from '../../shared/transcript';
import { readReplay } from './replay';
import { lastTurn, usedIds } from './storedSession';
import type { TranscriptStore } from './transcriptStore';

/** Who speaks in a session: its own agent, or a subagent of it in a session of that one's own. */
export interface Speaker {
  /** Reads what is said in that session. */
  readonly reader: UpdateReader;
  /** The subagent's id in the transcript; absent for the session's own agent. */
  readonly subagent?: SessionId;
}

/**
 * Everybody who speaks in one session: its agent, and subagents (https://agentclientprotocol.com/rfds/subagents) by the ids of their
 * sessions. What they do becomes entries of the session's transcript; those of subagents name them. Nobody speaks before an agent has
 * said which version of the protocol it speaks; the turns and ids of the transcript are there without one.
 */
export class Speakers {
  readonly turns = new TurnCounter();
  private readonly store: TranscriptStore;
  private readonly ids = new UsedIds();
  private dialect: Dialect | undefined;
  private own: Speaker | undefined;
  private readonly subagents = new Map<SessionId, Speaker & { readonly subagent: SessionId }>();

  constructor(store: TranscriptStore) {
    this.store = store;
    this.continueTranscript();
  }

  /** The agent's process speaks this version. */
  useDialect(dialect: Dialect): void {
    if (dialect === this.dialect) return;
    this.dialect = dialect;
    this.forget();
  }

  /** Another process speaks from now on: its ids are not those of the one before. */
  beginConnection(): void {
    this.turns.end();
    this.forget();
  }

  /** The transcript is emptied for a replay of the whole session. */
  reset(): void {
    this.turns.reset();
    this.ids.clear();
    this.forget();
  }

  /** Continues after the turns of the transcript, and uses no id that it has. */
  continueTranscript(): void {
    const { transcript } = this.store;
    this.turns.continueAfter(lastTurn(transcript));
    this.ids.add(usedIds(transcript));
  }

  beginTurn(): void {
    this.turns.begin();
    this.own?.reader.turnBegan();
  }

  endTurn(): void {
    this.turns.end();
    this.own?.reader.turnEnded();
  }

  /** A replay in a transcript that nobody sees; undefined before an agent speaks. */
  readReplay(updates: readonly unknown[]): Transcript | undefined {
    return this.dialect && readReplay(updates, this.store.transcript, this.store.now, this.dialect);
  }

  /** Who speaks under this id; undefined for an id that names no subagent of the session. */
  find(sessionId: SessionId | undefined): Speaker | undefined {
    return sessionId === undefined ? this.own : this.subagents.get(sessionId);
  }

  /** Upgrades an `update` of a `session/update` of the session's own agent. */
  upgrade(update: unknown): readonly SessionUpdate[] {
    return this.own?.reader.upgrade(update) ?? [];
  }

  /** An `update` of a `session/update` under a subagent's id. */
  receive(update: unknown, sessionId: SessionId): void {
    const speaker = this.subagents.get(sessionId);
    if (!speaker) return;
    const task = decodeTask(update, sessionId);
    if (task !== undefined) this.setTask(speaker.subagent, task);
    for (const upgraded of speaker.reader.upgrade(update)) this.show(upgraded, speaker);
  }

  /** Shows an update of the session's own agent, or of the subagent that speaks. */
  show(update: SessionUpdate, speaker = this.own): void {
    const shown = update.sessionUpdate === 'subagent_update' && speaker ? this.announced(update, speaker) : update;
    this.store.reduce(shown, this.turns.current, speaker?.subagent);
  }

  /** The id under which the agent knows a subagent that it takes `session/cancel` for; undefined when there is nothing to stop. */
  stoppable(subagent: SessionId): SessionId | undefined {
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent' || entry.state === 'idle' || !entry.canCancel) return undefined;
    for (const [sessionId, speaker] of this.subagents) if (speaker.subagent === subagent) return sessionId;
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

  /** What it was told to do describes it, where its agent has not. */
  private setTask(subagent: SessionId, description: string): void {
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent' || entry.description) return;
    const update: SubagentUpdate = { sessionUpdate: 'subagent_update', sessionId: subagent, fields: { description } };
    this.store.reduce(update, this.turns.current);
  }

  private announced(update: SubagentUpdate, by: Speaker): SubagentUpdate {
    const { sessionId } = update;
    let known = this.subagents.get(sessionId);
    if (!known) {
      const subagent = this.ids.unused('subagent', sessionId) as SessionId;
      known = { reader: by.reader.ofSubagent(), subagent };
      this.subagents.set(sessionId, known);
      by.reader.breakText();
    }
    return { ...update, sessionId: known.subagent };
  }

  private forget(): void {
    this.subagents.clear();
    this.own = this.dialect && { reader: this.dialect.createReader(this.turns, this.ids) };
  }
}
