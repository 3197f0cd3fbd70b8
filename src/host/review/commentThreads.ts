import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DraftComment } from '../../review/draftComment';
import { fileOfSide } from '../../review/diskSide';
import { Disposable } from '../../shared/disposable';
import { showHidden, showHiddenOnOneLine } from '../../shared/visibleText';
import { Coalesced } from '../base/coalesce';
import type { DraftComments } from './draftComments';

/** A comment in the editor. The menus pass it to commands. */
export interface ShownComment extends vscode.Comment {
  readonly commentId: string;
}

/** Shows the user's comments and agents' remarks on changes beside their lines and in the editor's Comments view. */
export class CommentThreads extends Disposable {
  private readonly comments: DraftComments;
  private controller: vscode.CommentController | undefined;
  private readonly threads = new Map<
    string,
    { readonly shown: readonly DraftComment[]; readonly thread: vscode.CommentThread }
  >();

  constructor(comments: DraftComments) {
    super();
    this.comments = comments;
    const update = this.register(new Coalesced(() => this.update()));
    this.register(comments.onDidChange(() => update.request()));
    this.register({ dispose: () => this.controller?.dispose() });
  }

  private update(): void {
    if (this.isDisposed) return;
    const { all, drafts } = this.comments;
    void vscode.commands.executeCommand('setContext', 'parley.hasCommentDrafts', drafts.length > 0);
    for (const [id, { thread }] of this.threads) {
      const comment = all.find((one) => one.id === id);
      if (comment && this.comments.rootOf(comment) === comment) continue;
      thread.dispose();
      this.threads.delete(id);
    }
    // A remark without a place is only on the review page.
    for (const comment of all) if (comment.uri !== '' && this.comments.rootOf(comment) === comment) this.show(comment);
  }

  private show(comment: DraftComment): void {
    const known = this.threads.get(comment.id);
    const shown = [comment, ...this.comments.repliesTo(comment.id)];
    if (known?.shown.length === shown.length && shown.every((one, at) => one === known.shown[at])) return;
    this.controller ??= vscode.comments.createCommentController('parley.comments', l10n.t('Comments for agents'));
    const uri = vscode.Uri.parse(fileOfSide(comment.uri));
    const range = new vscode.Range(comment.line, 0, comment.line, 0);
    const thread = known?.thread ?? this.controller.createCommentThread(uri, range, []);
    thread.range = range;
    thread.comments = shown.map((one) => shownComment(one));
    thread.canReply = false;
    thread.label = stateOf(comment);
    thread.contextValue = kindOf(comment);
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    thread.collapsibleState = shown.some(({ sentTo }) => sentTo === undefined) ? Expanded : Collapsed;
    this.threads.set(comment.id, { shown, thread });
  }
}

function shownComment(comment: DraftComment): ShownComment {
  const { remark, text, replyTo } = comment;
  return {
    commentId: comment.id,
    // Plain text, so that nothing in it becomes a link or a command.
    body: remark ? showHidden(text) : text,
    mode: vscode.CommentMode.Preview,
    author: { name: remark ? showHiddenOnOneLine(remark.agentName) : l10n.t('You') },
    contextValue: kindOf(comment),
    // The label of the thread says it of the first one.
    ...(replyTo === undefined ? {} : { label: stateOf(comment) }),
  };
}

/** What a comment is, for the menus of the editor. */
function kindOf({ sentTo, remark }: DraftComment): string {
  if (sentTo !== undefined) return 'sent';
  return remark ? 'remark' : 'draft';
}

/** Says whether a comment was sent, and whether its lines have changed since. */
export function stateOf({
  sentTo,
  isOutdated,
  remark,
}: Pick<DraftComment, 'sentTo' | 'isOutdated' | 'remark'>): string {
  const unsent = remark ? l10n.t('Remark') : l10n.t('Not sent yet');
  const state = sentTo === undefined ? unsent : l10n.t('Sent to {0}', sentTo);
  return isOutdated ? l10n.t('{0} · changed since', state) : state;
}
