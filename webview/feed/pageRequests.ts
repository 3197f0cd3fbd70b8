import { Disposable } from '../../src/shared/values/disposable';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import type { Transcript } from '../../src/shared/transcript/transcript';
import { OpenRequests } from './news/openRequests';
import { RequestsInView } from './news/requestsInView';
import type { TranscriptList } from './transcriptList';

/** The open requests of the session: how many are out of sight, and the one that the host wants to have the focus. */
export class PageRequests extends Disposable {
  private readonly list: TranscriptList;
  private readonly open = new OpenRequests();
  private readonly inView: RequestsInView;
  /** The host has asked to focus a request that isn't on screen yet. */
  private wantsFocus = false;

  /** Calls `onChange` when the number of requests in sight may have changed. */
  constructor(feed: HTMLElement, list: TranscriptList, onChange: () => void) {
    super();
    this.list = list;
    this.inView = this.register(new RequestsInView(feed, onChange));
    // From here on, the user decides where the focus is.
    for (const event of ['pointerdown', 'keydown'] as const) {
      document.addEventListener(event, () => (this.wantsFocus = false), { capture: true });
    }
  }

  get outOfSight(): number {
    return Math.max(0, this.open.count - this.inView.count);
  }

  /** Starts again with a whole transcript. */
  reset(transcript: Transcript | undefined): void {
    this.open.reset(transcript);
  }

  /** Updates for ops that are already applied to `transcript`. */
  follow(transcript: Transcript, ops: readonly TranscriptOp[]): void {
    if (this.open.follow(transcript, ops)) this.look();
  }

  /** Watches the open requests. A request counts as out of sight only after its card had a chance to be on screen. */
  look(): void {
    void this.list.flush().then(() => this.inView.refresh());
    if (this.wantsFocus) this.focusOldest();
  }

  /** Moves the focus to the oldest request, which may still be on its way to the page. */
  focus(): void {
    this.wantsFocus = true;
    this.focusOldest();
  }

  /** In a page that was hidden, a request may not be drawn yet. */
  private focusOldest(): void {
    void this.list.flush().then(() => {
      if (this.wantsFocus && this.list.navigation.focusOldestRequest()) this.wantsFocus = false;
    });
  }
}
