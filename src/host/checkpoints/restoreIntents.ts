import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { FromWebview } from '../../shared/messages';
import type { ChatPage } from '../chat/chatPage';
import type { ChatPages } from '../chat/chatPages';
import { Coalesced } from '../review/coalesce';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { RestoreContent } from './restoreContent';
import { restoreIn, serveRestore, type RestoreMessage } from './restoreMessages';
import type { RestoreAnswer, Restorer } from './restorer';
import { showError } from '../ui/notifications';
import { causeOf } from '../workspaceFiles/problemWords';

/** What restoring needs beside the pages; `openSession` opens another session of the same agent in the same folder. */
export interface RestoreServices {
  readonly recorder: CheckpointRecorder;
  readonly restorer: Restorer;
  readonly content: RestoreContent;
  readonly openSession: (like: Session) => Session | undefined;
  readonly report: (error: unknown) => void;
}

/** Serves what the user wants of checkpoints in the chat pages, and tells the pages from which messages they can restore. */
export class RestoreIntents extends Disposable {
  private readonly services: RestoreServices;

  constructor(pages: ChatPages, services: RestoreServices) {
    super();
    this.services = services;
    this.register(
      pages.onDidReceive(({ page, message }) => {
        void this.serve(page, message).catch((error: unknown) => this.failed(page, message, error));
      }),
    );
    const soon = this.register(new Coalesced(() => pages.all.forEach((page) => this.offer(page))));
    this.register(services.recorder.onDidChange(() => soon.request()));
    this.register(pages.onDidShow((page) => this.offer(page)));
  }

  private async serve(page: ChatPage, message: FromWebview): Promise<void> {
    const { session } = page;
    if (!isRestoreMessage(message) || message.session !== session?.key) return;
    await serveRestore(this.services, page, session, message);
  }

  /** As `restoreIn`. */
  restore(
    page: ChatPage,
    session: Session,
    message: Extract<FromWebview, { type: 'restore' }>,
  ): Promise<RestoreAnswer | undefined> {
    return restoreIn(this.services, page, session, message);
  }

  private offer(page: ChatPage): void {
    const { session } = page;
    if (!session) return;
    const last = this.services.recorder.of(session.key).at(-1)?.turn ?? 0;
    const { order, entries: all } = session.transcript;
    const entries = order.filter((id) => {
      const entry = all.get(id);
      return entry?.kind === 'user_message' && entry.turn <= last;
    });
    page.post({ type: 'checkpoints', session: session.key, entries });
  }

  private failed(page: ChatPage, message: FromWebview, error: unknown): void {
    const reason = causeOf(error);
    this.services.report(error);
    // The page waits for an answer.
    if (message.type === 'previewRestore' || message.type === 'restore') {
      page.post({ type: 'restored', session: message.session, entry: message.entry, sentence: reason });
    }
    void showError(l10n.t('Couldn’t do that: {0}', reason));
  }
}

function isRestoreMessage(message: FromWebview): message is RestoreMessage {
  return /^(preview|compare|undo)Restore$|^restore$/.test(message.type);
}
