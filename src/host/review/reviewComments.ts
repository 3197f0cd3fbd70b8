import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { commentPrompt } from '../../review/commentPrompt';
import { commentTarget, otherAuthor } from '../../review/commentTarget';
import type { Author, HunkId } from '../../review/hunk';
import type { ReviewLog } from '../../review/reviewLog';
import type { Session } from '../../session/session';
import { Disposable, toDisposable } from '../../shared/disposable';
import { baseUri, fileOf } from './baseContent';
import { newSessionChoice, pickReader } from './commentReader';

/** The controller's id. Menus use it, too. */
const controllerId = 'parley.review';

/** The editor reports a collapsed box within 100 ms, so a change after this time is a second event. In milliseconds. */
const foldMs = 250;

/**
 * The editor confirms that it collapsed a box. A late confirmation reverts the expansion. After this time, none comes.
 * In milliseconds.
 */
const lateMs = 2000;

/** An unsent comment that is open for editing. */
interface Draft extends vscode.Comment {
  body: string;
  readonly thread: vscode.CommentThread;
}

/** The change that a comment is about. */
interface Subject {
  readonly uri: string;
  readonly id: HunkId;
  readonly authors: readonly Author[];
}

/**
 * Comments on changes in the editor's own comment box. A comment is sent to the change's author as the next message,
 * with file, lines, and diff.
 */
export class ReviewComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly pool: AgentPool;
  private controller: vscode.CommentController | undefined;
  private readonly open = new Map<vscode.CommentThread, Subject>();

  constructor(log: ReviewLog, pool: AgentPool) {
    super();
    this.log = log;
    this.pool = pool;
    this.register(toDisposable(() => this.controller?.dispose()));
  }

  /** Opens the comment box below a change, or returns to the open one. Resolves once the box has the keyboard focus. */
  async comment(uri: string, id: HunkId): Promise<void> {
    const [opened] = [...this.open].find(([, subject]) => subject.uri === uri && subject.id === id) ?? [];
    const thread = opened ?? this.begin(uri, id);
    if (thread) await this.focus(thread);
  }

  /** Creates the box with a comment in edit mode, because the editor never focuses the reply box. */
  private begin(uri: string, id: HunkId): vscode.CommentThread | undefined {
    const file = this.log.file(uri);
    const hunk = file?.hunks.find((one) => one.id === id);
    const change = hunk ?? file?.traitChanges.find((one) => one.id === id);
    if (!change) return undefined;
    const isGone = file?.current.kind === 'absent';
    const [first, end] = isGone ? [0, hunk?.baseEnd ?? 0] : [hunk?.start ?? 0, hunk?.end ?? 0];
    const range = new vscode.Range(first, 0, Math.max(first, end - 1), 0);
    const thread = this.getController().createCommentThread(isGone ? baseUri(uri) : vscode.Uri.parse(uri), range, []);
    thread.label = l10n.t('Comment on this change');
    keepDraft(thread, '');
    this.open.set(thread, { uri, id, authors: change.authors });
    return thread;
  }

  /** Focuses a comment. The editor focuses a comment when its box expands, so an open box is collapsed first. */
  private async focus(thread: vscode.CommentThread): Promise<void> {
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    await delay(foldMs);
    if (!this.open.has(thread)) return;
    unfold(thread);
    void this.keepUnfolded(thread);
  }

  private async keepUnfolded(thread: vscode.CommentThread): Promise<void> {
    const end = Date.now() + lateMs;
    while (this.open.has(thread) && Date.now() < end) {
      if (thread.collapsibleState === vscode.CommentThreadCollapsibleState.Collapsed) {
        unfold(thread);
        return;
      }
      await delay(50);
    }
  }

  /** Sends the comment of a box. A comment that couldn't be delivered stays open for editing. */
  async send(said: vscode.CommentReply | Draft): Promise<void> {
    const { thread } = said;
    const text = 'text' in said ? said.text : said.body;
    if (text.trim() === '') return;
    const uri = fileOf(thread.uri);
    const known = this.open.get(thread);
    const file = this.log.file(uri);
    const line = thread.range?.start.line ?? 0;
    const hunk = file?.hunks.find(({ id, start, end }) =>
      known ? id === known.id : line >= start && line < Math.max(end, start + 1),
    );
    const authors = hunk?.authors ?? known?.authors ?? [];
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false);
    const words = (reader?: Session) => commentPrompt(text, path, line, file, hunk, otherAuthor(authors, reader?.key));
    const isSent = await this.deliver(authors, words, uri);
    if (isSent) this.discard(thread);
    else keepDraft(thread, text, l10n.t('Not sent'));
  }

  /** Removes a box. */
  discard(thread: vscode.CommentThread): void {
    thread.dispose();
    this.open.delete(thread);
  }

  /** Resolves to true if a session received the comment. */
  private async deliver(
    authors: readonly Author[],
    words: (reader?: Session) => string,
    uri: string,
  ): Promise<boolean> {
    const { sessions } = this.pool;
    const open = sessions.map((session) => ({ key: session.key, agentName: session.context.agentName, session }));
    const target = commentTarget(open, authors);
    const reader = target.kind === 'session' ? target.session.session : await pickReader(sessions, target.agentName);
    if (reader === undefined) return false;
    if (reader !== newSessionChoice) {
      // The session may have been closed while the question was open.
      if (!this.pool.sessions.includes(reader)) return false;
      reader.sendPrompt(words(reader));
      return true;
    }
    const newest = this.pool.sessions.at(-1);
    const cwd = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri))?.uri.fsPath;
    const agent = target.kind === 'other' ? target.agentName : undefined;
    const options = { prompt: words(), ...(agent !== undefined && { agent }), ...(cwd !== undefined && { cwd }) };
    await vscode.commands.executeCommand('parley.newSession', options);
    // If no session was opened, the command has shown why.
    return this.pool.sessions.at(-1) !== newest;
  }

  /** Returns the controller. Creates it for the first comment, because it also shows the Comments view. */
  private getController(): vscode.CommentController {
    if (this.controller) return this.controller;
    const controller = vscode.comments.createCommentController(controllerId, l10n.t('Agent Changes'));
    this.controller = controller;
    return controller;
  }
}

function unfold(thread: vscode.CommentThread): void {
  thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
}

/** Moves the text into a comment in edit mode, because the editor clears its own box when the command ends. */
function keepDraft(thread: vscode.CommentThread, text: string, label?: string): void {
  const draft: Draft = {
    thread,
    body: text,
    mode: vscode.CommentMode.Editing,
    author: { name: l10n.t('You') },
    ...(label === undefined ? {} : { label }),
  };
  thread.canReply = false;
  thread.comments = [draft];
}
