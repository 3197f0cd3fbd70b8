import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import {
  continuedConversation,
  summarizedConversation,
  type ContinuedPart,
} from '../../session/document/continuedConversation';
import { unansweredMessage } from '../../session/transcript/unansweredMessage';
import type { Attachment } from '../../shared/transcript/content';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { Transcript } from '../../shared/transcript/transcript';
import type { SessionChanges } from './sessionChanges';

/** The agent of the new session, and its model if the user chose one. */
export interface NextAgent {
  readonly agent: AgentId;
  readonly model?: { readonly value: string; readonly name: string };
}

/** What can go along, and how long it is in characters. */
export interface Carriable {
  readonly what: ContinuedPart | 'summary';
  readonly length?: number;
}

/** A page that shows the new session. */
interface NextPage {
  show(session: SessionKey): void;
  post(message: ToWebview): void;
}

/** What continuing a session needs of the window. */
export interface ContinueWindow {
  /** Whether agents may start here. Otherwise, says why. */
  mayStart(): boolean;
  pickAgent(session: Session): Promise<NextAgent | undefined>;
  pickWhat(agentName: string, offered: readonly Carriable[]): Promise<Carriable['what'] | undefined>;
  /** Asks whether the changes go along. Undefined if the user cancels. */
  pickChanges(changes: SessionChanges): Promise<boolean | undefined>;
  changesOf(session: Session): SessionChanges | undefined;
  /** Lets the session's agent write a summary, as a turn of its session. Resolves to undefined if the user cancels. */
  summarize(session: Session): Promise<string | undefined>;
  createSession(next: NextAgent, like: Session): Pick<Session, 'key' | 'addNotice' | 'transcript'> | undefined;
  withPage(action: (page: NextPage) => void): Promise<void>;
  refuse(why: string): void;
}

/**
 * Continues a session in a new one, with another agent, another model, or the same agent and a summary. Everything that goes along becomes part of a draft,
 * which the user reads, changes, and sends.
 */
export async function continueWith(
  window: ContinueWindow,
  session: Session | undefined,
  withSummary = false,
): Promise<void> {
  if (!window.mayStart()) return;
  if (!session || !hasMessages(session.transcript)) {
    window.refuse(l10n.t('There’s no conversation to continue yet.'));
    return;
  }
  const { agentId, agentName, title } = session.transcript.view;
  const next = withSummary ? { agent: agentId } : await window.pickAgent(session);
  if (!next) return;
  const what = withSummary ? 'summary' : await chooseWhat(window, session);
  if (!what) return;
  const changes = window.changesOf(session);
  const takesChanges = changes && (await window.pickChanges(changes));
  if (changes && takesChanges === undefined) return;
  const conversation = what === 'none' ? undefined : await carried(window, session, what);
  if (conversation === false) return;
  const opened = window.createSession(next, session);
  if (!opened) return;
  const name = title === '' ? agentName : title;
  opened.addNotice({
    severity: 'info',
    title: l10n.t('Continued from “{0}”', name),
    description: l10n.t('The conversation is attached to your first message. Nothing has been sent yet.'),
    opens: session.key,
  });
  session.addNotice({
    severity: 'info',
    title: l10n.t('Continued with {0}', opened.transcript.view.agentName),
    opens: opened.key,
  });
  const unanswered = unansweredMessage(session.transcript);
  const attachments: readonly Attachment[] = [
    ...(conversation ? [conversation] : []),
    ...(changes && takesChanges ? [diffAttachment(changes.diff)] : []),
    ...(unanswered?.prompt.attachments ?? []),
  ];
  const text = unanswered?.prompt.text ?? l10n.t('Continue the work of the attached conversation.');
  await window.withPage((page) => {
    page.show(opened.key);
    page.post({ type: 'addDraft', text, attachments });
  });
}

function hasMessages({ entries }: Transcript): boolean {
  return [...entries.values()].some(({ kind }) => kind === 'user_message');
}

/** Lets the user choose what goes along. `none`: there is nothing before the only message. */
async function chooseWhat(window: ContinueWindow, session: Session): Promise<Carriable['what'] | 'none' | undefined> {
  const { transcript } = session;
  const { agentName, activity, connection } = transcript.view;
  const before = unansweredMessage(transcript)?.entry;
  const lengthOf = (what: ContinuedPart) => textOf(continuedConversation(transcript, what, before)).length;
  const [all, last] = [lengthOf('conversation'), lengthOf('lastTurn')];
  if (all === 0) return 'none';
  // An agent that has just failed, or that works, can't be asked.
  const canAsk = activity.state === 'idle' && connection.state === 'ready' && before === undefined;
  return window.pickWhat(agentName, [
    { what: 'conversation', length: all },
    ...(canAsk ? [{ what: 'summary' } as const] : []),
    ...(last < all ? [{ what: 'lastTurn', length: last } as const] : []),
  ]);
}

/** Returns what goes along; false if the user cancels, or the agent writes no summary. */
async function carried(
  window: ContinueWindow,
  session: Session,
  what: Carriable['what'],
): Promise<Attachment | undefined | false> {
  const { transcript } = session;
  if (what !== 'summary') return continuedConversation(transcript, what, unansweredMessage(transcript)?.entry);
  const { agentName } = transcript.view;
  const summary = await window.summarize(session);
  if (summary === undefined) return false;
  const attachment = summarizedConversation(agentName, summary);
  if (!attachment) window.refuse(l10n.t('{0} wrote no summary.', agentName));
  return attachment ?? false;
}

function diffAttachment(diff: string): Attachment {
  return { type: 'resource', uri: 'attachment:///Changes.diff', name: l10n.t('Changes'), text: diff };
}

function textOf(attachment: Attachment | undefined): string {
  return attachment?.type === 'resource' ? attachment.text : '';
}
