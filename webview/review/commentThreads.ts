import * as l10n from '@vscode/l10n';
import type { PageComment, ReviewPageHunk } from '../../src/shared/changes/reviewPage';
import { CommentEdit } from './commentEdit';
import { CommentThread, editWords, type ThreadOwner } from './commentThread';

/** What the page does for its comments and for their edits. */
export interface ThreadsOwner extends Omit<ThreadOwner, 'edit' | 'editOf'> {
  /** The user begins to edit a comment. */
  beginEdit(comment: PageComment): void;
  saveEdit(comment: PageComment, text: string): void;
  /** An edit was saved or taken back. `hadFocus`: its thread gets the focus. */
  endedEdit(comment: PageComment, hadFocus: boolean): void;
}

/** Where a thread is in a change: below the line with this number in the file, or below all lines. */
export interface ThreadPlace {
  readonly element: HTMLElement;
  readonly line: number | undefined;
}

/** All comments and remarks of the page, as threads. Those in files that the page doesn't show are in a list of their own. */
export class CommentThreads {
  /** Those that no file of the page shows. */
  readonly list = document.createElement('section');
  /** Those that have no place. They come first on the page. */
  readonly placeless = document.createElement('section');
  private readonly owner: ThreadsOwner;
  private readonly threads = new Map<string, CommentThread>();
  /** The open fields, by comment. */
  private readonly edits = new Map<string, CommentEdit>();
  private comments: readonly PageComment[] = [];
  private known: readonly PageComment[] = [];

  constructor(owner: ThreadsOwner) {
    this.owner = owner;
    for (const section of [this.list, this.placeless]) {
      section.className = 'pl-rcomments';
      section.hidden = true;
    }
    this.list.setAttribute('aria-label', l10n.t('Comments and remarks elsewhere'));
    this.placeless.setAttribute('aria-label', l10n.t('Remarks without a place'));
  }

  get all(): readonly PageComment[] {
    return this.comments;
  }

  /** What is sent together. */
  get chosen(): readonly PageComment[] {
    return this.comments.filter(
      ({ state, remark, isHeld }) => state.kind === 'draft' && remark?.isChosen !== false && isHeld !== true,
    );
  }

  /** How many comments of the user aren't sent. */
  get unsent(): number {
    return this.comments.filter(({ state, remark }) => state.kind === 'draft' && !remark).length;
  }

  /** Those that the host knows. */
  get told(): readonly PageComment[] {
    return this.known;
  }

  take(comments: readonly PageComment[]): void {
    // One that is gone stays until what the user types there is saved.
    const typed = this.comments.filter(({ id }) => this.edits.has(id) && !comments.some((one) => one.id === id));
    this.known = comments;
    this.comments = [...comments, ...typed];
    const roots = new Map(this.roots.map((comment) => [comment.id, comment]));
    for (const [id, { element }] of this.threads) {
      if (roots.has(id)) continue;
      element.remove();
      this.threads.delete(id);
    }
    for (const comment of roots.values()) this.threads.get(comment.id)?.take(comment, this.repliesTo(comment.id));
  }

  /** The field of a thread that has the focus. */
  get focusedField(): HTMLTextAreaElement | undefined {
    const fields = [...this.edits.values()].map(({ field }) => field);
    return fields.find((field) => field !== null && field === document.activeElement) ?? undefined;
  }

  /** Returns the first comment of the thread that a comment is in. */
  rootOf(comment: PageComment): PageComment | undefined {
    return this.roots.find(({ id }) => id === comment.replyTo) ?? this.roots.find(({ id }) => id === comment.id);
  }

  /** Gives a thread the focus, or its field. */
  focus({ id }: PageComment): void {
    this.threads.get(id)?.focus();
  }

  /** Must be called when the host has tried to save an edit. */
  edited(id: string, isSaved: boolean): void {
    if (!isSaved) this.edits.get(id)?.notSaved();
    else this.endEdit(id);
  }

  private edit(comment: PageComment): void {
    const { id } = comment;
    this.owner.beginEdit(comment);
    const save = (text: string) => this.owner.saveEdit(comment, text);
    this.edits.set(id, new CommentEdit(editWords(comment), comment.text, { save, cancel: () => this.endEdit(id) }));
    const root = this.rootOf(comment);
    if (!root) return;
    this.threads.get(root.id)?.draw();
    this.focus(root);
  }

  private endEdit(id: string): void {
    const comment = this.comments.find((one) => one.id === id);
    const edit = this.edits.get(id);
    this.edits.delete(id);
    if (!comment || !edit) return;
    const { activeElement, body } = document;
    // A button that can't be pressed any more has lost it.
    const hadFocus = activeElement === body || edit.element.contains(activeElement);
    this.threads.get(this.rootOf(comment)?.id ?? '')?.draw();
    this.owner.endedEdit(comment, hadFocus);
  }

  /** Those that begin a thread. The reply to one that is gone begins its own. */
  get roots(): readonly PageComment[] {
    const ids = new Set(this.comments.map(({ id }) => id));
    return this.comments.filter(({ replyTo }) => replyTo === undefined || !ids.has(replyTo));
  }

  private repliesTo(id: string): readonly PageComment[] {
    return this.comments.filter(({ replyTo }) => replyTo === id);
  }

  in(uri: string): readonly PageComment[] {
    return this.roots.filter((one) => one.uri === uri);
  }

  element({ id }: PageComment): HTMLElement | undefined {
    return this.threads.get(id)?.element;
  }

  elementFor(comment: PageComment): HTMLElement {
    const known = this.threads.get(comment.id);
    if (known) return known.element;
    const thread = new CommentThread(comment, this.repliesTo(comment.id), {
      ...this.owner,
      edit: (one) => this.edit(one),
      editOf: ({ id }) => this.edits.get(id),
    });
    this.threads.set(comment.id, thread);
    return thread.element;
  }

  /** Lists what no file of the page shows. */
  drawList(isShown: (uri: string) => boolean): void {
    const lists = [
      [this.placeless, this.withoutPlace],
      [this.list, this.elsewhere(isShown)],
    ] as const;
    for (const [list, comments] of lists) {
      list.hidden = comments.length === 0;
      showThreads(
        list,
        comments.map((comment) => this.elementFor(comment)),
      );
    }
  }

  /** Returns all comments in the order in which the page shows them. `hunksOf` returns a file's changes, if they are known. */
  inOrder(uris: readonly string[], hunksOf: (uri: string) => readonly ReviewPageHunk[]): readonly PageComment[] {
    const shown = uris.flatMap((uri) => {
      const hunks = hunksOf(uri);
      const inFile = this.in(uri).map((comment) => ({ comment, at: orderOf(comment, hunks) }));
      return inFile.sort((a, b) => a.at - b.at).map(({ comment }) => comment);
    });
    return [...this.withoutPlace, ...shown, ...this.elsewhere((uri) => uris.includes(uri))];
  }

  private get withoutPlace(): readonly PageComment[] {
    return this.roots.filter(({ uri }) => uri === '');
  }

  private elsewhere(isShown: (uri: string) => boolean): readonly PageComment[] {
    return this.roots.filter(({ uri }) => uri !== '' && !isShown(uri));
  }
}

/** Shows these threads and no others. What stays isn't moved, because that would take the focus from it. */
export function showThreads(parent: HTMLElement, elements: readonly HTMLElement[]): void {
  for (const child of [...parent.children]) if (!elements.includes(child as HTMLElement)) child.remove();
  for (const [at, element] of elements.entries()) {
    const there = parent.children[at] ?? null;
    if (there !== element) parent.insertBefore(element, there);
  }
}

/** Those that no change shows come first in their file. */
function orderOf(comment: PageComment, hunks: readonly ReviewPageHunk[]): number {
  const place = placeAmong(comment, hunks);
  const hunk = hunks.find(({ id }) => id === place?.hunk);
  if (!hunk) return hunks.length === 0 ? comment.line : -1 / comment.line;
  return place?.line ?? Math.max(hunk.newLine, hunk.newEnd - 1);
}

/**
 * Returns the change that shows a comment, and below which of its lines. A comment on a change is below all of it, and a remark below its own
 * line. Undefined if no change shows it.
 */
export function placeAmong(
  { uri, hunk: id, line, remark }: PageComment,
  hunks: readonly ReviewPageHunk[],
): { readonly hunk: string; readonly line: number | undefined } | undefined {
  // The lines of a notebook's changes are numbered in their cells.
  const hasLines = !uri.endsWith('.ipynb');
  const hunk =
    hunks.find((one) => one.id === id) ??
    (id === '' && hasLines ? hunks.find((one) => isShownIn(one, line)) : undefined);
  if (!hunk) return undefined;
  return { hunk: hunk.id, line: remark && hasLines && isShownIn(hunk, line) ? line : undefined };
}

function isShownIn({ newLine, newEnd, before, after, words, cut, added }: ReviewPageHunk, line: number): boolean {
  if (words !== undefined) return false;
  const isCutOff = cut > 0 && line >= newLine + added.length && line < newEnd;
  return !isCutOff && line >= newLine - before.length && line < newEnd + after.length;
}
