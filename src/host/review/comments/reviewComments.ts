import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import { commentTarget, otherAuthor } from '../../../review/comments/commentTarget';
import {
  commentsPrompt,
  hunkOf,
  seenLines,
  type DraftComment,
  type PlacedComment,
} from '../../../review/comments/draftComment';
import type { Author, HunkId } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { Session } from '../../../session/session';
import { fileOfSide } from '../../../review/files/diskSide';
import { Disposable } from '../../../shared/values/disposable';
import type { Act } from '../../base/actions';
import { createTextBox } from '../../ui/quickInput';
import { authorNames } from '../shown/changeWords';
import { newSessionChoice, pickAnyReader, pickReader, type CommentReader } from './commentReader';
import type { DraftComments } from './draftComments';
import { TypedBeforeFocus } from './typedBeforeFocus';

/** The change that a comment is about, as it was when the comment began. */
interface Subject {
  readonly uri: string;
  readonly id: string;
  readonly line: number;
  readonly authors: readonly Author[];
  /** The comment or remark that is answered. */
  readonly replyTo?: string;
}

type NewComment = Omit<DraftComment, 'id'> & { readonly id?: string };

/**
 * Comments on changes. They are sent to the change's author as the next message, with file, lines, and diff: one at once, or several drafts
 * together. One is typed into an input box, because that takes the focus at once: the editor's own comment boxes take it late and don't say when, so
 * that words reach the file.
 */
export class ReviewComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly pool: AgentPool;
  private readonly comments: DraftComments;
  /** Comments that were begun and neither sent nor added to the drafts, by change. */
  private readonly drafts = new Map<string, string>();
  /** Changes that comments were begun on elsewhere, by change. */
  private readonly begun = new Map<string, Subject>();
  private readonly act: Act<'newSession'>;
  private closeBox: () => void = () => undefined;

  constructor(log: ReviewLog, pool: AgentPool, comments: DraftComments, act: Act<'newSession'>) {
    super();
    this.log = log;
    this.pool = pool;
    this.comments = comments;
    this.act = act;
    this.register({ dispose: () => this.closeBox() });
  }

  /** Asks for a comment on a change and sends it. One that isn't sent is there again the next time. */
  async comment(uri: string, id: HunkId): Promise<void> {
    const subject = this.subjectOf(uri, id);
    if (subject) await this.write(subject);
  }

  /** Asks for a reply to a comment or remark and sends it. */
  async reply(id: string): Promise<void> {
    const subject = this.replySubject(id);
    if (subject) await this.write(subject);
  }

  private async write(subject: Subject): Promise<void> {
    const typed = new TypedBeforeFocus();
    // Keeps what is in it.
    this.closeBox();
    try {
      let typedAhead = () => typed.takeBack();
      let isReturned = false;
      for (;;) {
        const { text, end } = await this.ask(subject, typedAhead, isReturned);
        if (end === 'closed') return;
        if (end === 'added') this.add(subject, text);
        if (end === 'added' || (await this.send(subject, text))) break;
        isReturned = true;
        typedAhead = () => Promise.resolve('');
      }
      this.drafts.delete(keyOf(subject));
    } finally {
      typed.dispose();
    }
  }

  /** Remembers a change that the user begins to comment on elsewhere, in case it is gone when they send the comment. */
  begin(uri: string, id: string): void {
    const subject = this.subjectOf(uri, id);
    if (subject) this.begun.set(keyOf(subject), subject);
  }

  /** Sends a comment that was typed elsewhere. Resolves to false if no session gets it. */
  async sendTyped(uri: string, id: string, text: string): Promise<boolean> {
    const key = keyOf({ uri, id });
    const subject = this.subjectOf(uri, id) ?? this.begun.get(key);
    const isSent = subject !== undefined && text.trim() !== '' && (await this.send(subject, text));
    if (isSent) this.begun.delete(key);
    return isSent;
  }

  /** Adds a comment that was typed elsewhere to the drafts. Returns false if there is nothing to add. */
  addTyped(uri: string, id: string, text: string): boolean {
    const key = keyOf({ uri, id });
    const subject = this.subjectOf(uri, id) ?? this.begun.get(key);
    if (!subject || text.trim() === '') return false;
    this.add(subject, text);
    this.begun.delete(key);
    return true;
  }

  /**
   * Changes the text of a comment. One that was sent becomes a draft again, and so does one that no longer exists, if `gone` is what it was.
   * Returns false if there is no such comment.
   */
  saveEdit(id: string, text: string, gone?: DraftComment): boolean {
    const known = this.comments.get(id);
    const comment = known ?? gone;
    // The words of a remark aren't the user's.
    if (!comment || comment.remark || text.trim() === '') return false;
    if (known && text === known.text) return true;
    if (known && known.sentTo === undefined) this.comments.change(id, { text });
    else {
      const { uri, hunk, line, authors, replyTo } = comment;
      if (known) this.comments.remove(id);
      this.add({ uri, id: hunk, line, authors, ...(replyTo === undefined ? {} : { replyTo }) }, text);
    }
    return true;
  }

  /** Sends all drafts: one message for each session that gets any. Those that no session gets stay drafts. */
  async sendDrafts(): Promise<void> {
    const groups = new Map<string, DraftComment[]>();
    for (const comment of this.comments.drafts) {
      const target = this.targetOf(comment);
      const key = target.kind === 'session' ? target.session.key : `agent ${target.agentName ?? ''}`;
      groups.set(key, [...(groups.get(key) ?? []), comment]);
    }
    for (const group of groups.values()) await this.deliver(group);
  }

  /** Sends one draft or remark with its replies to the session that made the change, whether it is chosen or not. */
  async sendOne(id: string): Promise<void> {
    const unsent = this.unsentIn(id);
    if (unsent.length > 0) await this.deliver(unsent);
  }

  /** Sends one draft or remark with its replies to a session that the user selects. */
  async sendTo(id: string): Promise<void> {
    const unsent = this.unsentIn(id);
    const [first] = unsent;
    if (!first) return;
    const target = this.targetOf(first);
    const about = target.kind === 'session' ? target.session.session : undefined;
    const agentName = target.kind === 'other' ? target.agentName : about?.context.agentName;
    const reader = await pickAnyReader(this.pool.sessions, about, agentName);
    if (reader) await this.deliverTo(reader, unsent, agentName);
  }

  private unsentIn(id: string): readonly DraftComment[] {
    const comment = this.comments.get(id);
    const all = comment ? [comment, ...this.comments.repliesTo(id)] : [];
    return all.filter(({ sentTo }) => sentTo === undefined);
  }

  /** Returns the session that a comment is about. A reply goes to the one that got what it answers. */
  private targetOf(comment: NewComment) {
    const { sentTo, sentSession } = this.rootOf(comment);
    const before = sentSession === undefined ? undefined : this.open.find(({ key }) => key === sentSession);
    if (before && sentTo !== undefined) return { kind: 'session', session: before } as const;
    return commentTarget(this.open, comment.authors);
  }

  private rootOf(comment: NewComment): NewComment {
    return (comment.replyTo === undefined ? undefined : this.comments.get(comment.replyTo)) ?? comment;
  }

  /** Sends a comment. Resolves to false if no session gets it. */
  private async send(subject: Subject, text: string): Promise<boolean> {
    return this.deliver([this.commentOn(subject, text)]);
  }

  private add(subject: Subject, text: string): void {
    this.comments.add(this.commentOn(subject, text));
  }

  private commentOn({ uri, id, line, authors, replyTo }: Subject, text: string): Omit<DraftComment, 'id'> {
    const root = replyTo === undefined ? undefined : this.comments.get(replyTo);
    if (root) {
      const { seen, hunk } = root;
      return { uri, hunk, line: root.line, authors, text, seen, replyTo: root.id };
    }
    return { uri, hunk: id, line, authors, text, seen: seenLines(this.log.file(uri), id) };
  }

  /** Returns the message with comments. Replies follow what they answer, which is quoted. */
  private wordsFor(comments: readonly NewComment[], reader?: Session): string {
    const threads = new Map<NewComment, NewComment[]>();
    for (const comment of comments) {
      const root = this.rootOf(comment);
      threads.set(root, [...(threads.get(root) ?? []), ...(root === comment ? [] : [comment])]);
    }
    return commentsPrompt([...threads].map(([root, replies]) => this.placed(root, replies, reader)));
  }

  private placed(root: NewComment, replies: readonly NewComment[], reader: Session | undefined): PlacedComment {
    const { uri, line, authors, remark, sentTo } = root;
    const answers = replies.map(({ text }) => text.trim()).join('\n\n');
    // A draft hasn't been read, so what the user adds to it is a part of it.
    const isNew = !remark && sentTo === undefined;
    const words = {
      text: isNew && answers !== '' ? `${root.text.trim()}\n\n${answers}` : root.text,
      reviewer: remark?.agentName,
      isOfReader: remark !== undefined && remark.session === reader?.key,
      ...(isNew || answers === '' ? {} : { reply: answers }),
    };
    if (uri === '') return { ...words, path: remark?.written ?? '', line: -1, file: undefined, hunk: undefined };
    const file = this.log.file(uri);
    const hunk = hunkOf(root, file);
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(fileOfSide(uri)), false);
    return { ...words, path, line, file, hunk, maker: otherAuthor(hunk?.authors ?? authors, reader?.key) };
  }

  private get open() {
    return this.pool.sessions.map((session) => ({ key: session.key, agentName: session.context.agentName, session }));
  }

  private subjectOf(uri: string, id: string): Subject | undefined {
    const file = this.log.file(uri);
    const hunk = file?.hunks.find((one) => one.id === id);
    const change = hunk ?? file?.traitChanges.find((one) => one.id === id);
    if (!change) return this.replySubject(id);
    return { uri, id, line: hunk?.start ?? 0, authors: change.authors };
  }

  private replySubject(id: string): Subject | undefined {
    const comment = this.comments.get(id);
    if (!comment) return undefined;
    const { id: replyTo, uri, line, authors } = this.comments.rootOf(comment);
    return { uri, id: replyTo, line, authors, replyTo };
  }

  /** Resolves once the user sends the comment or closes the box. What was typed is a draft from then on. */
  private async ask(
    subject: Subject,
    typedAhead: () => Promise<string>,
    isReturned: boolean,
  ): Promise<{ readonly text: string; readonly end: 'sent' | 'added' | 'closed' }> {
    const draft = this.drafts.get(keyOf(subject)) ?? '';
    const box = createTextBox();
    box.title = subject.replyTo === undefined ? l10n.t('Comment on this change') : l10n.t('Reply');
    box.placeholder = l10n.t('Ask {0} for a different change', authorNames(subject.authors));
    box.value = draft;
    box.valueSelection = [draft.length, draft.length];
    box.ignoreFocusOut = true;
    box.buttons = [{ iconPath: new vscode.ThemeIcon('comment-draft'), tooltip: l10n.t('Add to drafts') }];
    if (isReturned) box.validationMessage = l10n.t('Not sent');
    box.show();
    let ahead = '';
    // The words aren't put into the box, because that would replace what is being typed there.
    const isTaken = typedAhead().then((words) => {
      ahead = words;
      if (words.trim() !== '') box.prompt = l10n.t('Starts with what you typed before: “{0}”', words.trim());
    });
    const text = () => withAhead(draft, ahead, box.value);
    const keep = () => this.drafts.set(keyOf(subject), text());
    let close = (): void => undefined;
    try {
      const end = await new Promise<'sent' | 'added' | 'closed'>((resolve) => {
        close = () => {
          keep();
          resolve('closed');
        };
        this.closeBox = close;
        const accept = async (how: 'sent' | 'added') => {
          await isTaken;
          if (text().trim() === '') box.validationMessage = l10n.t('Type a comment to send.');
          else resolve(how);
        };
        box.onDidHide(() => resolve('closed'));
        box.onDidChangeValue(() => (box.validationMessage = undefined));
        box.onDidAccept(() => accept('sent'));
        box.onDidTriggerButton(() => accept('added'));
      });
      await isTaken;
      keep();
      return { text: text(), end };
    } finally {
      if (this.closeBox === close) this.closeBox = () => undefined;
      box.dispose();
    }
  }

  /** Sends comments for one session. Resolves to true if it received them. Those that were drafts then say so. */
  private async deliver(comments: readonly NewComment[]): Promise<boolean> {
    const [first] = comments;
    if (!first) return false;
    const target = this.targetOf(first);
    const agentName = target.kind === 'other' ? target.agentName : undefined;
    const reader =
      target.kind === 'session' ? target.session.session : await pickReader(this.pool.sessions, target.agentName);
    return reader !== undefined && (await this.deliverTo(reader, comments, agentName));
  }

  /** `agentName` is the agent of a new session. */
  private async deliverTo(
    reader: CommentReader,
    comments: readonly NewComment[],
    agentName: string | undefined,
  ): Promise<boolean> {
    if (reader !== newSessionChoice) {
      // The session may have been closed while the question was open.
      if (!this.pool.sessions.includes(reader)) return false;
      reader.sendPrompt(this.wordsFor(comments, reader));
      return this.sent(comments, reader);
    }
    const newest = this.pool.sessions.at(-1);
    const cwd = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(comments[0]?.uri ?? ''))?.uri.fsPath;
    const prompt = this.wordsFor(comments);
    const options = { prompt, ...(agentName !== undefined && { agent: agentName }), ...(cwd !== undefined && { cwd }) };
    await this.act('newSession', options);
    // If no session was opened, the user has been told why.
    const opened = this.pool.sessions.at(-1);
    return opened !== undefined && opened !== newest && this.sent(comments, opened);
  }

  /** Marks drafts as sent, and remarks that a reply has quoted. Remembers a comment that was sent at once if it is a reply. */
  private sent(comments: readonly NewComment[], { key, context }: Session): true {
    const marks = { sentTo: context.agentName, sentSession: key };
    for (const comment of comments) {
      if (comment.id !== undefined) this.comments.change(comment.id, marks);
      else if (comment.replyTo !== undefined) this.comments.add({ ...comment, ...marks });
      const root = this.rootOf(comment);
      if (root.id !== undefined && root.sentTo === undefined) this.comments.change(root.id, marks);
    }
    return true;
  }
}

function keyOf({ uri, id }: Pick<Subject, 'uri' | 'id'>): string {
  return `${uri} ${id}`;
}

/** Puts the words that came before the focus where they would have been: behind the draft, which the box began with. */
function withAhead(draft: string, ahead: string, value: string): string {
  return value.startsWith(draft) ? draft + ahead + value.slice(draft.length) : ahead + value;
}
