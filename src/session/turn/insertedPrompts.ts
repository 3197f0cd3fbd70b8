import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, isAuthRequired, isRequestCancelled } from '../../acp/base/errors';
import type { SessionChannel } from '../../acp/shape/sessionChannel';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { MessageId } from '../../shared/values/ids';
import type { Prompt } from '../../shared/transcript/transcript';
import { promptFailed, redactFailure } from '../failures';
import { contentOf } from '../transcript/promptParts';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';
import type { CurrentTurn } from './currentTurn';
import { Insertions, type Insertion } from './insertions';
import type { PromptQueue } from './promptQueue';
import type { RunningTurn } from './runningTurn';
import type { ShownPrompts } from './shownPrompts';
import { noticeForSkipped } from './skippedNotice';

/** What is left to do for a message that was given to the agent: nothing, or it waits again, also for a login. */
export type InsertOutcome = 'over' | 'waiting' | 'loginRequired';

/** The messages of an agent that adds prompts to the conversation when it can: shown where it has added them. */
export class InsertedPrompts {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly queue: PromptQueue;
  private readonly prompts: ShownPrompts;
  private readonly current: CurrentTurn;
  /** The prompts that the agent hasn't added to the conversation yet. */
  private readonly insertions: Insertions;

  constructor(
    store: TranscriptStore,
    speakers: Speakers,
    messages: { readonly queue: PromptQueue; readonly prompts: ShownPrompts },
    current: CurrentTurn,
  ) {
    this.store = store;
    this.speakers = speakers;
    this.queue = messages.queue;
    this.prompts = messages.prompts;
    this.current = current;
    this.insertions = new Insertions(speakers.turns);
  }

  get isEmpty(): boolean {
    return this.insertions.isEmpty;
  }

  /** Shows the message that waits longest, because the agent begins a turn. Returns whether there is one. */
  placeFirst(): boolean {
    return this.insertions.placeFirst();
  }

  /** Returns the updates to show after this one. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    return this.insertions.filter(update);
  }

  /** Gives the agent the message that begins this turn. Rejects if it refuses. */
  begin(running: RunningTurn, prompt: Prompt): Promise<void> {
    const { channel, turn } = running;
    const insertion = this.insertions.add(prompt.text, () => (running.isStarted = true));
    return channel.prompt(contentOf(prompt), noticeForSkipped(this.store, turn)).then(
      (messageId) => this.answered(channel, insertion, messageId),
      (error: unknown) => {
        if (this.current.channel === channel) this.showHeld(this.insertions.refused(insertion));
        throw error;
      },
    );
  }

  /** Gives a waiting message to the agent, which adds it to the running turn, or to its next one, when it can. */
  insert(running: RunningTurn, id: string): Promise<InsertOutcome> {
    const { channel, turn } = running;
    const prompt = this.queue.all.find((one) => one.id === id);
    if (!channel.insertsPrompts || running.stop || !prompt || prompt.isOffered) return Promise.resolve('over');
    this.queue.offer(id);
    const insertion = this.insertions.add(prompt.text, () => this.place(channel, id, prompt));
    return channel.prompt(contentOf(prompt), noticeForSkipped(this.store, turn)).then(
      (messageId) => {
        this.answered(channel, insertion, messageId);
        return 'over';
      },
      (error: unknown) => {
        if (this.current.channel !== channel || error instanceof ConnectionClosedError) return 'over';
        const isShown = !this.queue.has(id);
        this.showHeld(this.insertions.refused(insertion));
        return isShown ? this.notUsed(error) : this.notInserted(id, error);
      },
    );
  }

  /** A replay begins: nothing is answered any more. */
  reset(): void {
    this.insertions.reset();
  }

  /** Nobody knows whether the agent that is gone has used the messages it had, so they wait for the user. */
  disconnected(): void {
    this.insertions.reset();
    const offered = this.queue.all.filter(({ isOffered }) => isOffered);
    for (const { id } of offered) this.queue.withdraw(id);
    if (offered.length > 0) this.queue.hold();
  }

  private answered(channel: SessionChannel, insertion: Insertion, messageId: MessageId | undefined): void {
    if (messageId === undefined || this.current.channel !== channel) return;
    this.showHeld(this.insertions.answered(insertion, this.speakers.claimMessage(messageId)));
  }

  /** Shows a message in the place where the agent has added it: in the running turn, or at the start of another. */
  private place(channel: SessionChannel, id: string, prompt: Prompt): void {
    this.queue.inserted(id);
    const { running } = this.current;
    if (running) {
      this.prompts.showInTurn(running.turn, prompt);
      return;
    }
    this.prompts.show(prompt);
    this.current.begin(channel, { isStarted: true });
  }

  private notInserted(id: string, error: unknown): InsertOutcome {
    this.queue.withdraw(id);
    if (isAuthRequired(error)) return 'loginRequired';
    // A message that the user stopped together with its turn waits for them.
    if (!isRequestCancelled(error)) {
      const title = l10n.t('{0} couldn’t add the message to this turn; it stays queued', this.store.view.agentName);
      this.store.appendNotice('warning', title, this.speakers.turns.current);
    }
    return 'waiting';
  }

  /** A message that was shown because the agent began a turn wasn't what it began with. */
  private notUsed(error: unknown): InsertOutcome {
    const { agentName } = this.store.view;
    const turn = this.speakers.turns.current;
    if (isRequestCancelled(error)) {
      this.store.appendNotice('info', l10n.t('{0} didn’t receive your last message', agentName), turn);
      return 'over';
    }
    this.store.appendFailure(
      redactFailure(promptFailed(agentName, error), (text) => this.current.channel?.redact(text) ?? text),
      turn,
    );
    return 'over';
  }

  private showHeld(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.speakers.show(update);
  }
}
