import * as l10n from '@vscode/l10n';
import type { PageComment, ReviewPageHunk } from '../../src/shared/reviewPage';
import { CommentThread, type ThreadOwner } from './commentThread';

/** Where a thread is in a change: below the line with this number in the file, or below all lines. */
export interface ThreadPlace {
  readonly element: HTMLElement;
  readonly line: number | undefined;
}

/** All comments and remarks of the page, as threads. Those in files that the page doesn't show are in a list of their own. */
export class CommentThreads {
  /** Those that no file of the page shows. */
  readonly list = document.createElement('section');
  private readonly owner: ThreadOwner;
  private readonly threads = new Map<string, CommentThread>();
  private comments: readonly PageComment[] = [];

  constructor(owner: ThreadOwner) {
    this.owner = owner;
    this.list.className = 'pl-rcomments';
    this.list.hidden = true;
    this.list.setAttribute('aria-label', l10n.t('Comments and remarks elsewhere'));
  }

  get all(): readonly PageComment[] {
    return this.comments;
  }

  /** What is sent with the drafts. */
  get chosen(): readonly PageComment[] {
    return this.comments.filter(({ state, remark }) => state.kind === 'draft' && remark?.isChosen !== false);
  }

  take(comments: readonly PageComment[]): void {
    this.comments = comments;
    const roots = new Map(this.roots.map((comment) => [comment.id, comment]));
    for (const [id, { element }] of this.threads) {
      if (roots.has(id)) continue;
      element.remove();
      this.threads.delete(id);
    }
    for (const comment of roots.values()) this.threads.get(comment.id)?.take(comment, this.repliesTo(comment.id));
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
    const thread = new CommentThread(comment, this.repliesTo(comment.id), this.owner);
    this.threads.set(comment.id, thread);
    return thread.element;
  }

  /** Lists what no file of the page shows. Those without a place come first. */
  drawList(isShown: (uri: string) => boolean): void {
    const elsewhere = this.elsewhere(isShown);
    this.list.hidden = elsewhere.length === 0;
    showThreads(
      this.list,
      elsewhere.map((comment) => this.elementFor(comment)),
    );
  }

  /** Returns all comments in the order in which the page shows them. `hunksOf` returns a file's changes, if they are known. */
  inOrder(uris: readonly string[], hunksOf: (uri: string) => readonly ReviewPageHunk[]): readonly PageComment[] {
    const shown = uris.flatMap((uri) => {
      const hunks = hunksOf(uri);
      const inFile = this.in(uri).map((comment) => ({ comment, at: orderOf(comment, hunks) }));
      return inFile.sort((a, b) => a.at - b.at).map(({ comment }) => comment);
    });
    return [...shown, ...this.elsewhere((uri) => uris.includes(uri))];
  }

  private elsewhere(isShown: (uri: string) => boolean): readonly PageComment[] {
    const found = this.roots.filter(({ uri }) => !isShown(uri));
    return [...found.filter(({ uri }) => uri === ''), ...found.filter(({ uri }) => uri !== '')];
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
