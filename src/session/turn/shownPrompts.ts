import type { EntryId } from '../../shared/values/ids';
import type { Prompt } from '../../shared/transcript/transcript';
import { contentOf } from '../transcript/promptParts';
import type { Speakers } from '../transcript/speakers';
import { lastPrompt } from '../transcript/storedSession';
import type { TranscriptStore } from '../transcript/transcriptStore';
import { promptEntryId, singleEntryId } from '../update/entryIds';
import { titleOf } from '../update/title';

/** The user's messages in the transcript. The last one may be shown before the agent can receive it. */
export class ShownPrompts {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private lastShown: Prompt | undefined;
  private shownUnsent: Prompt | undefined;

  constructor(store: TranscriptStore, speakers: Speakers) {
    this.store = store;
    this.speakers = speakers;
    this.lastShown = lastPrompt(store.transcript);
  }

  get last(): Prompt | undefined {
    return this.lastShown;
  }

  /** The message that is shown, but not sent yet. */
  get unsent(): Prompt | undefined {
    return this.shownUnsent;
  }

  /** The entry of a shown message that the agent hasn't received. */
  get unsentEntry(): EntryId | undefined {
    return this.shownUnsent === undefined ? undefined : promptEntryId(this.speakers.turns.current);
  }

  /** Shows a message that begins a turn. */
  show(prompt: Prompt): void {
    this.speakers.beginTurn();
    const turn = this.speakers.turns.current;
    this.lastShown = prompt;
    const id = promptEntryId(turn);
    this.store.append({ kind: 'user_message', id, turn, content: contentOf(prompt), state: 'sent' });
    if (this.store.view.title === '') this.store.setView({ title: titleOf(prompt.text) });
  }

  /** Shows a message that can't be sent yet. */
  showUnsent(prompt: Prompt): void {
    this.show(prompt);
    this.shownUnsent = prompt;
  }

  /** Returns the message that wasn't sent yet, which is now sent, queued, or dropped. */
  takeUnsent(): Prompt | undefined {
    const prompt = this.shownUnsent;
    this.shownUnsent = undefined;
    return prompt;
  }

  /** Shows a message that the agent has added to its running turn. */
  showInTurn(turn: number, prompt: Prompt): void {
    this.lastShown = prompt;
    const id = singleEntryId('steered', this.store.transcript.rev);
    this.store.append({ kind: 'user_message', id, turn, content: contentOf(prompt), state: 'sent' });
  }

  /** Adds a notice about the earlier conversation in front of the message that waits for the agent. */
  noticeBeforeUnsent(title: string, description: string): void {
    const turn = this.speakers.turns.current;
    if (this.shownUnsent === undefined) {
      this.store.appendNotice('info', title, turn, description);
      return;
    }
    const id = singleEntryId('notice', this.store.transcript.rev);
    const entry = { kind: 'notice', id, turn: turn - 1, severity: 'info', title, description } as const;
    this.store.apply([{ op: 'insert', entry, before: promptEntryId(turn) }]);
  }
}
