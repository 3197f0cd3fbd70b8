import { Disposable } from '../../shared/values/disposable';
import { Coalesced } from '../base/coalesce';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import type { CheckpointRecorder } from './checkpointRecorder';
import { hiddenWork } from './turnFiles';

/** Sends chat pages the messages of their session that files can be restored to, and what its turns changed. */
export class RestoreOffers extends Disposable {
  private readonly recorder: CheckpointRecorder;

  constructor(pages: ChatPages, recorder: CheckpointRecorder) {
    super();
    this.recorder = recorder;
    const soon = this.register(new Coalesced(() => pages.all.forEach((page) => this.offer(page))));
    this.register(recorder.onDidChange(() => soon.request()));
    this.register(pages.onDidShow((page) => this.offer(page)));
  }

  private offer(page: ChatPage): void {
    const { session } = page;
    if (!session) return;
    const checkpoints = this.recorder.of(session.key);
    const last = checkpoints.at(-1)?.turn ?? 0;
    const { order, entries: all } = session.transcript;
    const entries = order.filter((id) => {
      const entry = all.get(id);
      return entry?.kind === 'user_message' && entry.turn <= last;
    });
    page.post({ type: 'checkpoints', session: session.key, entries, changed: hiddenWork(session, checkpoints) });
  }
}
