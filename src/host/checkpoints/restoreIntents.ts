import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import type { EntryId } from '../../shared/ids';
import type { FromWebview } from '../../shared/messages';
import type { UserMessageEntry } from '../../shared/transcript';
import type { ChatPage } from '../chat/chatPage';
import type { ChatPages } from '../chat/chatPages';
import { Coalesced } from '../review/coalesce';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { LazyRestorer } from './lazyRestorer';
import type { RestoreContent } from './restoreContent';
import type { RestoreAnswer } from './restorer';

/** What restoring needs beside the pages; `openSession` opens another session of the same agent in the same folder. */
export interface RestoreServices {
  readonly recorder: CheckpointRecorder;
  readonly restorer: LazyRestorer;
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
    if (!session || !('session' in message) || message.session !== session.key) return;
    const { recorder, restorer, content } = this.services;
    switch (message.type) {
      case 'previewRestore': {
        const entry = messageEntry(session, message.entry);
        if (!entry) return;
        page.post({ type: 'restorePreview', session: session.key, preview: await restorer.preview(session, entry) });
        return;
      }
      case 'compareRestore': {
        const entry = messageEntry(session, message.entry);
        if (entry) await content.compare(recorder, session, entry, message.uri);
        return;
      }
      case 'restore':
        await this.restore(page, session, message);
        return;
      case 'undoRestore': {
        const sentence = await restorer.undo(session, message.entry);
        if (sentence !== undefined) {
          page.post({ type: 'restored', session: session.key, entry: message.entry, sentence });
        }
        return;
      }
      default:
    }
  }

  /** Files go back, then the text goes to a new session. What was not done, and why, is in the answer. */
  async restore(
    page: ChatPage,
    session: Session,
    { entry: id, overwrite, text }: Extract<FromWebview, { type: 'restore' }>,
  ): Promise<RestoreAnswer | undefined> {
    const entry = messageEntry(session, id);
    if (!entry) return undefined;
    const answer = await this.goBack(page, session, entry, overwrite);
    if (answer.kind === 'look') {
      page.post({ type: 'restorePreview', session: session.key, preview: answer.preview });
      return answer;
    }
    page.post({ type: 'restored', session: session.key, entry: id, sentence: answer.sentence });
    if (text === undefined) return answer;
    if (answer.isDone) this.sendAnew(page, session, text);
    // Files and message belong together: the text waits until the user has seen what went wrong.
    else page.post({ type: 'promptReturned', text });
    return answer;
  }

  private goBack(
    page: ChatPage,
    session: Session,
    entry: UserMessageEntry,
    overwrite: readonly string[],
  ): Promise<RestoreAnswer> {
    returnQueue(page, session);
    return this.services.restorer.restore(session, entry, new Set(overwrite));
  }

  private sendAnew(page: ChatPage, session: Session, text: string): void {
    const opened = this.services.openSession(session);
    if (!opened) {
      page.post({ type: 'promptReturned', text });
      return;
    }
    page.show(opened.key);
    page.post({ type: 'focusComposer' });
    opened.sendPrompt(text);
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
    const reason = error instanceof Error ? error.message : String(error);
    this.services.report(error);
    // The page waits for an answer.
    if (message.type === 'previewRestore' || message.type === 'restore') {
      page.post({ type: 'restored', session: message.session, entry: message.entry, sentence: reason });
    }
    void vscode.window.showErrorMessage(l10n.t('That did not work: {0}', reason));
  }
}

/** The user's message of that id. */
export function messageEntry(session: Session, id: EntryId): UserMessageEntry | undefined {
  const entry = session.transcript.entries.get(id);
  return entry?.kind === 'user_message' ? entry : undefined;
}

/** Messages that wait for the turn would start the next one as soon as it is stopped: they go back into the composer. */
function returnQueue(page: ChatPage, session: Session): void {
  const { activity, queue } = session.transcript.view;
  if (activity.state === 'idle') return;
  const waiting = queue.flatMap(({ id }) => session.queue.remove(id) ?? []);
  if (waiting.length === 0) return;
  const text = waiting.map((prompt) => prompt.text).join('\n\n');
  page.post({ type: 'promptReturned', text, attachments: waiting.flatMap(({ attachments = [] }) => attachments) });
}
