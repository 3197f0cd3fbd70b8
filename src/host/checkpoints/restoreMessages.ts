import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { earlierConversation, isEarlierConversation } from '../../session/document/earlierConversation';
import { promptOf } from '../../session/transcript/promptParts';
import type { Attachment } from '../../shared/transcript/content';
import type { EntryId } from '../../shared/values/ids';
import type { UserMessageEntry } from '../../shared/transcript/transcript';
import type { ChatPage } from '../pages/chatPage';
import { inSession, type Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import { tellFailure } from '../ui/reported';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { RestoreContent } from './restoreContent';
import type { RestoreAnswer, Restorer } from './restorer';
import { stopTurn } from './stopTurn';

/**
 * The services that restoring needs besides the pages. `openSession` opens another session of the same agent in the
 * same folder, with the same options. It shows the conversation before the message.
 */
export interface RestoreServices {
  readonly recorder: CheckpointRecorder;
  readonly restorer: Restorer;
  readonly content: RestoreContent;
  readonly openSession: (like: Session, before: UserMessageEntry) => Session | undefined;
  /** Returns to before the message in its own session; resolves to whether the agent can. */
  readonly rewind: (session: Session, message: EntryId) => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

type RestoreMessage = IntentOf<'previewRestore' | 'compareRestore' | 'restore' | 'undoRestore'>;

/** Handlers for chat page messages about the checkpoints of its session. */
export function restoreMessages(services: RestoreServices): Handlers<RestoreMessage['type']> {
  const { recorder, restorer, content } = services;
  const serve = <M extends RestoreMessage>(act: (session: Session, message: M, page: ChatPage) => Promise<unknown>) =>
    inSession((session, message: M, page) => {
      void act(session, message, page).catch((error: unknown) => failed(services, page, message, error));
    });
  return {
    previewRestore: serve(async (session, message, page) => {
      const entry = messageEntry(session, message.entry);
      if (!entry) return;
      page.post({ type: 'restorePreview', session: session.key, preview: await restorer.preview(session, entry) });
    }),
    compareRestore: serve(async (session, message) => {
      const entry = messageEntry(session, message.entry);
      if (entry) await content.compare(recorder, session, entry, message.uri);
    }),
    restore: serve((session, message, page) => restoreIn(services, page, session, message)),
    undoRestore: serve(async (session, { entry }, page) => {
      const sentence = await restorer.undo(session, entry);
      if (sentence !== undefined) page.post({ type: 'restored', session: session.key, entry, sentence });
    }),
  };
}

function failed({ report }: RestoreServices, page: ChatPage, message: RestoreMessage, error: unknown): void {
  const { type, session, entry } = message;
  const reason = causeOf(error);
  report(error);
  // The page waits for a reply.
  if (type === 'previewRestore' || type === 'restore')
    page.post({ type: 'restored', session, entry, sentence: reason });
  tellFailure(reason);
}

/** Restores files, then sends the text: in this session if its agent can return there, or else in a new one. The reply lists what failed and why. */
export async function restoreIn(
  services: RestoreServices,
  page: ChatPage,
  session: Session,
  { entry: id, overwrite, text, keepFiles }: IntentOf<'restore'>,
): Promise<RestoreAnswer | undefined> {
  const entry = messageEntry(session, id);
  if (!entry) return undefined;
  returnQueue(page, session);
  const answer =
    keepFiles && text !== undefined
      ? await stopOnly(session)
      : await services.restorer.restore(session, entry, new Set(overwrite));
  if (answer.kind === 'look') {
    page.post({ type: 'restorePreview', session: session.key, preview: answer.preview });
    return answer;
  }
  page.post({ type: 'restored', session: session.key, entry: id, sentence: answer.sentence });
  if (text === undefined) return answer;
  if (answer.isDone) await sendAnew(services, page, session, entry, text);
  // Files and message belong together, so return the text until the user has seen the failure.
  else page.post({ type: 'promptReturned', text, attachments: attachmentsOf(entry) });
  return answer;
}

/** Stops the running turn, and leaves all files as they are. */
async function stopOnly(session: Session): Promise<RestoreAnswer> {
  if (await stopTurn(session)) return { kind: 'over', sentence: '', isDone: true };
  const title = l10n.t('The message wasn’t sent: {0} didn’t stop', session.transcript.view.agentName);
  session.addNotice({ severity: 'error', title });
  return { kind: 'over', sentence: title, isDone: false };
}

/**
 * Sends the text with the message's attachments in place of the message. If the agent can't return to it, this is done in
 * a new session, which receives the earlier conversation as one more attachment.
 */
async function sendAnew(
  { openSession, rewind }: RestoreServices,
  page: ChatPage,
  session: Session,
  entry: UserMessageEntry,
  text: string,
): Promise<void> {
  // The entry is gone when the agent has returned.
  const { attachments: own } = promptOf(entry.content);
  if (await rewind(session, entry.id)) {
    session.sendPrompt(text, own);
    page.post({ type: 'focusComposer' });
    return;
  }
  const earlier = earlierConversation(session.transcript, entry.id);
  const attachments = attachmentsOf(entry);
  const opened = openSession(session, entry);
  if (!opened) {
    page.post({ type: 'promptReturned', text, attachments });
    return;
  }
  page.show(opened.key);
  page.post({ type: 'focusComposer' });
  opened.sendPrompt(text, earlier ? [earlier, ...attachments] : attachments);
}

/** Returns the user's own attachments of a message. */
function attachmentsOf({ content }: UserMessageEntry): readonly Attachment[] {
  return (promptOf(content).attachments ?? []).filter((one) => !isEarlierConversation(one));
}

function messageEntry(session: Session, id: EntryId): UserMessageEntry | undefined {
  const entry = session.transcript.entries.get(id);
  return entry?.kind === 'user_message' ? entry : undefined;
}

/**
 * Moves queued messages back into the composer. Otherwise, they would start the next turn as soon as this one stops.
 */
function returnQueue(page: ChatPage, session: Session): void {
  const { activity, queue } = session.transcript.view;
  if (activity.state === 'idle') return;
  const waiting = queue.flatMap(({ id }) => session.queue.remove(id) ?? []);
  if (waiting.length === 0) return;
  const text = waiting.map((prompt) => prompt.text).join('\n\n');
  page.post({ type: 'promptReturned', text, attachments: waiting.flatMap(({ attachments = [] }) => attachments) });
}
