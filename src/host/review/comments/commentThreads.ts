import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DraftComment } from '../../../review/comments/draftComment';
import { fileOfSide } from '../../../review/files/diskSide';
import { Disposable } from '../../../shared/values/disposable';
import { showHidden, showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { Coalesced } from '../../base/coalesce';
import { showInformation } from '../../ui/notifications';
import type { DraftComments } from './draftComments';
import type { ReviewComments } from './reviewComments';

/** A comment in the editor. The menus pass it to commands, with what the user has typed as its body while it is edited. */
export interface ShownComment extends vscode.Comment {
  readonly commentId: string;
}

/** A comment with its replies in the editor. */
interface ShownThread {
  readonly thread: vscode.CommentThread;
  readonly shown: readonly DraftComment[];
  /** By id. The editor knows a comment by its object and would drop what is typed into another one. */
  readonly comments: Map<string, ShownComment>;
}

/** Shows the user's comments and agents' remarks on changes beside their lines and in the editor's Comments view. */
export class CommentThreads extends Disposable {
  private readonly comments: DraftComments;
  private readonly save: ReviewComments['saveEdit'];
  private controller: vscode.CommentController | undefined;
  /** By the id of the first comment. */
  private readonly threads = new Map<string, ShownThread>();
  /** The comments that the user is editing. */
  private readonly edited = new Set<string>();

  constructor(comments: DraftComments, save: ReviewComments['saveEdit']) {
    super();
    this.comments = comments;
    this.save = save;
    const update = this.register(new Coalesced(() => this.update()));
    this.register(comments.onDidChange(() => update.request()));
    this.register({ dispose: () => this.controller?.dispose() });
  }

  /** Lets the user change the text of a comment in its place. */
  edit(id: string): void {
    const comment = this.comments.get(id);
    // The words of a remark aren't the user's.
    if (!comment || comment.remark || !this.threadOf(id)) return;
    this.edited.add(id);
    this.update();
  }

  /** Saves what the user has typed. A comment that is gone in the meantime is added again. */
  saveEdit(id: string, text: string): void {
    const before = this.threadOf(id)?.shown.find((one) => one.id === id);
    if (!before || !this.edited.has(id)) return;
    if (text.trim() === '') void showInformation(l10n.t('The comment has no text, so it was left as it was.'));
    else this.save(id, text, before);
    this.cancelEdit(id);
  }

  /** Shows a comment as it was before the edit. */
  cancelEdit(id: string): void {
    if (this.edited.delete(id)) this.update();
  }

  private threadOf(id: string): ShownThread | undefined {
    return [...this.threads.values()].find(({ comments }) => comments.has(id));
  }

  private isEdited({ comments }: ShownThread): boolean {
    return [...comments.keys()].some((id) => this.edited.has(id));
  }

  private isRoot(comment: DraftComment): boolean {
    return this.comments.rootOf(comment) === comment;
  }

  private update(): void {
    if (this.isDisposed) return;
    const { all, drafts } = this.comments;
    void vscode.commands.executeCommand('setContext', 'parley.hasCommentDrafts', drafts.length > 0);
    for (const [id, shown] of this.threads) {
      const comment = all.find((one) => one.id === id);
      // What is typed in a thread would be lost with it.
      if ((comment && this.isRoot(comment)) || this.isEdited(shown)) continue;
      shown.thread.dispose();
      this.threads.delete(id);
    }
    // A remark without a place is only on the review page.
    for (const comment of all) if (comment.uri !== '' && this.isRoot(comment)) this.show(comment);
  }

  private show(root: DraftComment): void {
    const known = this.threads.get(root.id);
    // It is edited in the thread of a comment that is gone.
    if (!known && this.edited.has(root.id)) return;
    const now = [root, ...this.comments.repliesTo(root.id)];
    const gone = known?.shown.filter(({ id }) => this.edited.has(id) && !now.some((one) => one.id === id)) ?? [];
    const shown = [...now, ...gone];
    const isShown = (one: DraftComment, at: number) => one === known?.shown[at] && this.isInMode(known, one.id);
    if (known?.shown.length === shown.length && shown.every(isShown)) return;
    this.controller ??= vscode.comments.createCommentController('parley.comments', l10n.t('Comments for agents'));
    const uri = vscode.Uri.parse(fileOfSide(root.uri));
    const range = new vscode.Range(root.line, 0, root.line, 0);
    const thread = known?.thread ?? this.controller.createCommentThread(uri, range, []);
    const before = known?.comments ?? new Map<string, ShownComment>();
    const comments = new Map(shown.map((one) => [one.id, this.shownComment(one, before.get(one.id))]));
    thread.range = range;
    thread.comments = [...comments.values()];
    thread.canReply = false;
    thread.label = stateOf(root);
    thread.contextValue = kindOf(root);
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    const isOpen = shown.some(({ id, sentTo }) => sentTo === undefined || this.edited.has(id));
    thread.collapsibleState = isOpen ? Expanded : Collapsed;
    this.threads.set(root.id, { shown, thread, comments });
  }

  private isInMode({ comments }: ShownThread, id: string): boolean {
    return (comments.get(id)?.mode === vscode.CommentMode.Editing) === this.edited.has(id);
  }

  private shownComment(comment: DraftComment, before: ShownComment | undefined): ShownComment {
    const { remark, text, replyTo } = comment;
    const isEdited = this.edited.has(comment.id);
    return Object.assign(before ?? {}, {
      commentId: comment.id,
      // Plain text, so that nothing in it becomes a link or a command.
      body: remark ? showHidden(text) : text,
      mode: isEdited ? vscode.CommentMode.Editing : vscode.CommentMode.Preview,
      author: { name: remark ? showHiddenOnOneLine(remark.agentName) : l10n.t('You') },
      contextValue: isEdited ? 'edited' : kindOf(comment),
      // The label of the thread says it of the first one.
      ...(replyTo === undefined ? {} : { label: stateOf(comment) }),
    });
  }
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
