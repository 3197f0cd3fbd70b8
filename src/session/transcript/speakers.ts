import type { Dialect, UpdateReader } from '../../acp/dialect/dialect';
import { SessionMessages } from '../../acp/decode/sessionMessages';
import type { SubagentUpdate, SessionUpdate } from '../../acp/shape/sessionUpdate';
import { TurnCounter } from '../../acp/shape/turnCounter';
import { UsedIds } from '../../acp/shape/usedIds';
import type { EntryId, MessageId, SessionId, TerminalId, ToolCallId } from '../../shared/values/ids';
import { toolCallEntryId } from '../update/entryIds';
import { subagentEntryId, type SubagentEntry } from '../../shared/transcript/subagent';
import { readReplay, type Replay } from './replay';
import { lastTurn, usedIds } from './storedSession';
import type { TranscriptStore } from './transcriptStore';

/** A participant in a session: its agent, or a subagent with its own session. */
export interface Speaker {
  /** Reads the updates of the speaker's session. */
  readonly reader: UpdateReader;
  /** The subagent's id in the transcript; absent for the session's own agent. */
  readonly subagent?: SessionId;
}

/**
 * All speakers of one session: its agent, and subagents (https://agentclientprotocol.com/rfds/subagents) by the ids of
 * their sessions. Their actions become entries of the session's transcript, and entries of subagents contain the
 * subagent's id. There is no speaker until an agent has reported its protocol version; the transcript's turns and ids
 * exist without one.
 */
export class Speakers {
  readonly turns = new TurnCounter();
  private readonly store: TranscriptStore;
  private readonly ids = new UsedIds();
  private dialect: Dialect | undefined;
  private own: Speaker | undefined;
  private readonly subagents = new Map<SessionId, Speaker & { readonly subagent: SessionId }>();
  /** The messages between sessions, by the session in whose updates they are; those of the agent's own under ''. */
  private readonly messages = new Map<SessionId, SessionMessages>();
  /** The messages that became descriptions of subagents. */
  private readonly tasks = new Map<
    SessionId,
    { readonly own: SessionId; readonly messageId: string; readonly text: string }
  >();

  constructor(store: TranscriptStore) {
    this.store = store;
    this.continueTranscript();
  }

  /** Sets the protocol version of the agent's process. `isSame`: the process continues the session of an earlier one. */
  useDialect(dialect: Dialect, isSame: boolean): void {
    if (dialect !== this.dialect) {
      this.dialect = dialect;
      this.forget();
    }
    this.own?.reader.continueSession(isSame);
  }

  /** Call when another process takes over: its ids are unrelated to the previous process's ids. */
  beginConnection(): void {
    this.turns.end();
    this.forget();
  }

  /** Resets for a replay of the whole session into an empty transcript. */
  reset(): void {
    this.turns.reset();
    this.ids.clear();
    this.forget();
  }

  /** Continues after the transcript's turns and avoids its ids. */
  continueTranscript(): void {
    const { transcript } = this.store;
    this.turns.continueAfter(lastTurn(transcript));
    this.ids.add(usedIds(transcript));
  }

  beginTurn(): void {
    this.turns.begin();
    this.own?.reader.turnBegan();
  }

  /** The agent works again without a prompt, in the newest turn. */
  resumeTurn(): void {
    this.turns.resume();
    this.own?.reader.turnBegan();
  }

  endTurn(): void {
    this.turns.end();
    this.own?.reader.turnEnded();
  }

  /** Reads a replay into a transcript that isn't shown; undefined before an agent has connected. */
  readReplay(updates: readonly unknown[], mayWork: boolean): Replay | undefined {
    return this.dialect && readReplay(updates, this.store.transcript, this.store.now, this.dialect, mayWork);
  }

  /** The agent goes on with a call that it has replayed. */
  continueCall(wireId: ToolCallId, id: ToolCallId): void {
    const { entries, terminals } = this.store.transcript;
    const entry = entries.get(toolCallEntryId(id));
    const content = entry?.kind === 'tool_call' ? entry.content : [];
    const ids = content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
    this.own?.reader.continueCall(
      wireId,
      id,
      ids.find((one) => terminals.get(one)?.driver === 'agent'),
    );
  }

  /** Returns the speaker with this session id; undefined if it isn't a subagent of the session. */
  find(sessionId: SessionId | undefined): Speaker | undefined {
    return sessionId === undefined ? this.own : this.subagents.get(sessionId);
  }

  /** Returns the agent's id of a call in the transcript, of the main agent or of a subagent. */
  wireCallId(id: ToolCallId): ToolCallId {
    return this.own?.reader.wireCallId(id) ?? id;
  }

  /** Returns the agent's id of a terminal in the transcript. */
  wireTerminalId(id: TerminalId): TerminalId {
    return this.own?.reader.wireTerminalId(id) ?? id;
  }

  /** Returns the transcript's id of the user message that the agent names in a response. */
  claimMessage(wireId: MessageId): MessageId {
    return this.own?.reader.claimMessage(wireId) ?? wireId;
  }

  /** Upgrades an `update` of the main agent's `session/update`. */
  upgrade(update: unknown): readonly SessionUpdate[] {
    this.readMessage(update);
    return this.own?.reader.upgrade(update) ?? [];
  }

  /** Handles an `update` of a `session/update` with a subagent's id. */
  receive(update: unknown, sessionId: SessionId): void {
    const speaker = this.subagents.get(sessionId);
    if (!speaker) return;
    this.readMessage(update, sessionId);
    for (const upgraded of speaker.reader.upgrade(update)) this.show(upgraded, speaker);
  }

  /** Shows an update of the main agent, or of the given subagent. */
  show(update: SessionUpdate, speaker = this.own): void {
    const shown = update.sessionUpdate === 'subagent_update' && speaker ? this.announced(update, speaker) : update;
    this.store.reduce(shown, this.turns.current, speaker?.subagent);
  }

  /** Returns the agent's id of a subagent that supports `session/cancel`; undefined if there is nothing to stop. */
  stoppable(subagent: SessionId): SessionId | undefined {
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent' || entry.state === 'idle' || !entry.canCancel) return undefined;
    for (const [sessionId, speaker] of this.subagents) if (speaker.subagent === subagent) return sessionId;
    return undefined;
  }

  /** Returns whether an entry belongs to this subagent or to one that it started. */
  isOf(id: EntryId, subagent: SessionId): boolean {
    const { entries } = this.store.transcript;
    let at = entries.get(id)?.subagent;
    // This ends because no subagent is its own ancestor: each is announced by an existing one.
    while (at !== undefined && at !== subagent) {
      at = (entries.get(subagentEntryId(at)) as SubagentEntry | undefined)?.subagent;
    }
    return at === subagent;
  }

  /**
   * Uses the first message to a subagent, its task, as its description if the agent sent none. Without
   * `sessionId`, the update is of the session itself, where the message is as it was sent.
   */
  private readMessage(update: unknown, sessionId?: SessionId): void {
    const own = sessionId ?? ('' as SessionId);
    const messages = this.messages.get(own) ?? new SessionMessages();
    const message = messages.read(update);
    if (!message) return;
    this.messages.set(own, messages);
    const recipient = message.recipientSessionId as SessionId | undefined;
    const speaker = recipient === undefined ? undefined : this.subagents.get(recipient);
    const text = message.text.trim();
    if (!speaker || text === '') return;
    const { subagent } = speaker;
    const entry = this.store.transcript.entries.get(subagentEntryId(subagent));
    if (entry?.kind !== 'subagent') return;
    const task = this.tasks.get(subagent);
    const isSame = task !== undefined && task.own === own && task.messageId === message.messageId;
    if (entry.description && !(isSame && entry.description === task.text)) return;
    this.tasks.set(subagent, { own, messageId: message.messageId, text });
    const fields = { description: text };
    this.store.reduce({ sessionUpdate: 'subagent_update', sessionId: subagent, fields }, this.turns.current);
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
    this.messages.clear();
    this.tasks.clear();
    this.own = this.dialect && { reader: this.dialect.createReader(this.turns, this.ids) };
  }
}
