import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/agentPool';
import { commentPrompt } from '../../review/commentPrompt';
import type { Hunk } from '../../review/hunk';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable, toDisposable } from '../../shared/disposable';

/** The controller's id; menus name it, too. */
const controllerId = 'parley.review';

/**
 * Comments on changes, in the editor's own comment box: what the user writes goes to the agent that made the change, as the
 * next message, with file, lines and diff.
 */
export class ReviewComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly pool: AgentPool;
  private controller: vscode.CommentController | undefined;
  private readonly open = new Set<vscode.CommentThread>();

  constructor(log: ReviewLog, pool: AgentPool) {
    super();
    this.log = log;
    this.pool = pool;
    this.register(toDisposable(() => this.controller?.dispose()));
  }

  /** Opens the box below a change. */
  comment(uri: string, hunk: Hunk): void {
    const last = Math.max(hunk.start, hunk.end - 1);
    const range = new vscode.Range(hunk.start, 0, last, 0);
    const thread = this.made().createCommentThread(vscode.Uri.parse(uri), range, []);
    thread.label = l10n.t('Comment on this change');
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.open.add(thread);
  }

  /** Sends what was written in a box. */
  async send({ thread, text }: vscode.CommentReply): Promise<void> {
    if (text.trim() === '') return;
    const uri = thread.uri.toString();
    const file = this.log.file(uri);
    const line = thread.range?.start.line ?? 0;
    const hunk = file?.hunks.find(({ start, end }) => line >= start && line < Math.max(end, start + 1));
    const prompt = commentPrompt(text, vscode.workspace.asRelativePath(thread.uri, false), line, file, hunk);
    const author = hunk?.authors.findLast(({ kind }) => kind === 'agent');
    const sessions = this.pool.sessions;
    const session = sessions.find((one) => author?.kind === 'agent' && one.key === author.session) ?? sessions.at(-1);
    if (session) session.sendPrompt(prompt);
    else await vscode.commands.executeCommand('parley.newSession', { prompt });
    // The message stands in the chat now.
    thread.dispose();
    this.open.delete(thread);
  }

  /** Made at the first comment: the Comments view comes with it. */
  private made(): vscode.CommentController {
    if (this.controller) return this.controller;
    const controller = vscode.comments.createCommentController(controllerId, l10n.t('Agent changes'));
    controller.options = {
      prompt: l10n.t('Comment on this change'),
      placeHolder: l10n.t('What should the agent do differently here?'),
    };
    this.controller = controller;
    return controller;
  }
}
