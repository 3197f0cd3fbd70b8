import type { SessionUpdate } from '../../acp/shape/sessionUpdate';

/**
 * Some agents echo the user's message during its turn. The message is already shown, so chunks that match it are held
 * back, and released if they turn out to be different.
 */
export class Echo {
  private readonly text: string;
  private heard = '';
  private held: SessionUpdate[] = [];
  private done = false;

  constructor(text: string) {
    this.text = text.trim();
  }

  /** Returns the updates to show after this one. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    if (this.done) return [update];
    if (update.sessionUpdate !== 'user_message_chunk' || update.content.type !== 'text') {
      return update.sessionUpdate === 'unknown' ? [] : [...this.release(), update];
    }
    const heard = this.heard + update.content.text;
    const isPrefix = this.text.startsWith(heard.trim());
    if (!isPrefix) return [...this.release(), update];
    this.heard = heard;
    this.held.push(update);
    if (heard.trim() === this.text) {
      this.held = [];
      this.done = true;
    }
    return [];
  }

  /** Returns and forgets the updates that were held back but aren't an echo. */
  release(): readonly SessionUpdate[] {
    const held = this.held;
    this.held = [];
    this.heard = '';
    return held;
  }
}
