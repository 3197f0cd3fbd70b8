import type { Prompt, ScheduledPrompt } from '../../shared/transcript/transcript';
import { lastPrompt } from '../transcript/storedSession';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** The message that is sent at a time. It is stored with the session, so a reload doesn't lose it. */
export class ScheduledPrompts {
  private readonly store: TranscriptStore;

  constructor(store: TranscriptStore) {
    this.store = store;
  }

  get current(): ScheduledPrompt | undefined {
    const { scheduled } = this.store.view;
    return scheduled === 'none' ? undefined : scheduled;
  }

  /** Schedules the last message for a time, in place of one that was scheduled before. */
  scheduleLast(at: number): void {
    const prompt = lastPrompt(this.store.transcript);
    if (prompt) this.store.setView({ scheduled: { ...prompt, at } });
  }

  /** Ends the schedule and returns the message; undefined if there is none any more. */
  take(): Prompt | undefined {
    const { current } = this;
    if (!current) return undefined;
    this.store.setView({ scheduled: 'none' });
    const { text, attachments } = current;
    return attachments ? { text, attachments } : { text };
  }
}
