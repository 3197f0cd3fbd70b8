import type { Session } from '../../session/session';
import type { EntryId } from '../../shared/ids';
import type { FromWebview } from '../../shared/messages';
import type { UserMessageEntry } from '../../shared/transcript';
import type { ChatPage } from '../pages/chatPage';
import type { RestoreServices } from './restoreIntents';
import type { RestoreAnswer } from './restorer';

/** What pages want of checkpoints. */
export type RestoreMessage = Extract<
  FromWebview,
  { readonly type: 'previewRestore' | 'compareRestore' | 'restore' | 'undoRestore' }
>;

/** Does what a page wants of the checkpoints of the session that it shows. */
export async function serveRestore(
  services: RestoreServices,
  page: ChatPage,
  session: Session,
  message: RestoreMessage,
): Promise<void> {
  const { recorder, restorer, content } = services;
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
      await restoreIn(services, page, session, message);
      return;
    case 'undoRestore': {
      const sentence = await restorer.undo(session, message.entry);
      if (sentence !== undefined) {
        page.post({ type: 'restored', session: session.key, entry: message.entry, sentence });
      }
    }
  }
}

/** Files go back, then the text goes to a new session. What was not done, and why, is in the answer. */
export async function restoreIn(
  services: RestoreServices,
  page: ChatPage,
  session: Session,
  { entry: id, overwrite, text }: Extract<FromWebview, { type: 'restore' }>,
): Promise<RestoreAnswer | undefined> {
  const entry = messageEntry(session, id);
  if (!entry) return undefined;
  returnQueue(page, session);
  const answer = await services.restorer.restore(session, entry, new Set(overwrite));
  if (answer.kind === 'look') {
    page.post({ type: 'restorePreview', session: session.key, preview: answer.preview });
    return answer;
  }
  page.post({ type: 'restored', session: session.key, entry: id, sentence: answer.sentence });
  if (text === undefined) return answer;
  if (answer.isDone) sendAnew(services, page, session, text);
  // Files and message belong together: the text waits until the user has seen what went wrong.
  else page.post({ type: 'promptReturned', text });
  return answer;
}

function sendAnew({ openSession }: RestoreServices, page: ChatPage, session: Session, text: string): void {
  const opened = openSession(session);
  if (!opened) {
    page.post({ type: 'promptReturned', text });
    return;
  }
  page.show(opened.key);
  page.post({ type: 'focusComposer' });
  opened.sendPrompt(text);
}

function messageEntry(session: Session, id: EntryId): UserMessageEntry | undefined {
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
