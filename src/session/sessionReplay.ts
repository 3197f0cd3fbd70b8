import type { TranscriptStore } from './transcript/transcriptStore';
import { entryKinds } from './transcript/entryKinds';
import { planReplay } from './transcript/replay';
import { wordsOf } from './transcript/replayIdentity';
import { wentOn } from './transcript/closedWindow';
import type { Speakers } from './transcript/speakers';
import { addForgottenNotice } from './sessionNotices';
import type { Turns } from './turn/turns';

/** What an agent replays of a session, beside what is shown of it. */
export class SessionReplay {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly turns: Turns;

  constructor(store: TranscriptStore, speakers: Speakers, turns: Turns) {
    this.store = store;
    this.speakers = speakers;
    this.turns = turns;
  }

  /** Whether any conversation is shown, besides Parley's own questions and messages that the agent hasn't received. */
  get hasConversation(): boolean {
    const unsent = this.turns.prompts.unsentEntry;
    for (const entry of this.store.transcript.entries.values()) {
      if (!entryKinds[entry.kind].isConversation || entry.id === unsent) continue;
      if (entry.kind !== 'tool_call' || !entry.asks) return true;
    }
    return false;
  }

  /**
   * Handles a replay by the agent when a conversation is already shown. The conversation stays, and additional entries
   * of the replay are added, because agents replay less than is shown, and some replay nothing. `mayWork`: the agent
   * wasn't restarted, so it may be at work although it says nothing about that. Returns whether the agent remembers the
   * conversation.
   */
  compare(updates: readonly unknown[], mayWork = false): boolean {
    const { store, speakers, turns } = this;
    const replay = speakers.readReplay(updates, mayWork);
    if (!replay) return false;
    const { transcript } = replay;
    const { unsentEntry } = turns.prompts;
    const { isForgotten, changes, news, extras, running } = planReplay(store.transcript, transcript, unsentEntry);
    if (isForgotten) addForgottenNotice(turns, store.view.agentName);
    if (news.length > 0) {
      // The message is shown again, after the earlier conversation, when it is sent.
      turns.beforeReplay();
      if (unsentEntry !== undefined) store.apply([{ op: 'truncate', from: unsentEntry }]);
    }
    // What it does now doesn't answer a message that this window sent.
    if (transcript.view.activity.state !== 'idle') store.work.begin();
    store.apply([...extras, ...changes, ...news]);
    if (news.length > 0) speakers.continueTranscript();
    if (mayWork && !isForgotten) store.apply(wentOn(store.transcript, replay.state));
    for (const [id, shownId] of running) speakers.continueCall(replay.wireCallId(id), shownId);
    return !isForgotten;
  }

  /** Whether a replay hasn't got to the last message yet that is shown, so that more of it is to come. */
  lacksLast(updates: readonly unknown[]): boolean {
    const { entries, order } = this.store.transcript;
    const { unsentEntry } = this.turns.prompts;
    const shown = order.flatMap((id) => (id === unsentEntry ? [] : (entries.get(id) ?? [])));
    const last = shown.findLast(({ kind }) => kind === 'user_message' || kind === 'agent_message');
    const replayed = [...(this.speakers.readReplay(updates, false)?.transcript.entries.values() ?? [])];
    const words = replayed.map((entry) => (entry.kind === last?.kind ? wordsOf(entry) : '')).join('');
    return !words.includes(wordsOf(last));
  }

  /** Empties the transcript because the agent will replay the whole session, of which nothing is shown. */
  begin(): void {
    this.turns.replayBegins();
    const [first] = this.store.transcript.order;
    if (first !== undefined) this.store.apply([{ op: 'truncate', from: first }]);
    this.speakers.reset();
  }
}
