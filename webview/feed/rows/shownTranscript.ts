import type { EntryId, SessionKey } from '../../../src/shared/values/ids';
import { isWaitingForAnswer } from '../../../src/shared/transcript/openQuestion';
import type { Transcript } from '../../../src/shared/transcript/transcript';
import type { PageContext } from '../../state/pageContext';

/** The transcript that is on the page, as far as the host has sent it: older entries are fetched when they are needed. */
export class ShownTranscript {
  private readonly context: PageContext;
  private shown: { readonly session: SessionKey; readonly transcript: Transcript } | undefined;
  private omittedCount = 0;
  private isFetching = false;

  constructor(context: PageContext) {
    this.context = context;
  }

  get isEmpty(): boolean {
    return this.shown === undefined;
  }

  /** Empty if no transcript is shown. */
  get session(): SessionKey {
    return this.shown?.session ?? ('' as SessionKey);
  }

  get transcript(): Transcript {
    if (!this.shown) throw new Error('No transcript is shown');
    return this.shown.transcript;
  }

  get order(): readonly EntryId[] {
    return this.shown?.transcript.order ?? [];
  }

  /** The number of older entries that the host has. */
  get omitted(): number {
    return this.omittedCount;
  }

  /** The entries with an open request. */
  get asking(): readonly EntryId[] {
    const { order, entries } = this.transcript;
    return order.filter((id) => {
      const entry = entries.get(id);
      return entry !== undefined && isWaitingForAnswer(entry);
    });
  }

  open(session: SessionKey, transcript: Transcript, omitted: number): void {
    this.shown = { session, transcript };
    this.omittedCount = omitted;
    this.isFetching = false;
  }

  close(): void {
    this.shown = undefined;
    this.isFetching = false;
  }

  /** Older entries have arrived or were removed. So many are left at the host. */
  changedStart(omitted: number): void {
    this.omittedCount = omitted;
    this.isFetching = false;
  }

  /** Requests older entries if the host has any and no request is pending. Returns whether a request is pending. */
  fetchOlder(): boolean {
    const [first] = this.order;
    if (this.omittedCount === 0 || !first) return false;
    if (!this.isFetching) this.context.post({ type: 'fetchOlder', session: this.session, before: first });
    this.isFetching = true;
    return true;
  }
}
