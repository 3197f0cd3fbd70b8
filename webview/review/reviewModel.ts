import * as l10n from '@vscode/l10n';
import type { DecidedFile, ReviewPageFile, ReviewPageHunk, ToReviewPage } from '../../src/shared/changes/reviewPage';
import { agentNames, reviewTitle } from '../../src/shared/changes/reviewPageWords';

type News = Extract<ToReviewPage, { type: 'review' }>;

/** A change on the page, or a file if its changes aren't there yet or it has none by lines. */
export interface Place {
  readonly uri: string;
  readonly id?: string;
}

/** What the page knows about the files, without how it is drawn. */
export class ReviewModel {
  /** The files that are left, by path. */
  files: readonly ReviewPageFile[] = [];
  /** The same by URI, with their places in that order. */
  private places = new Map<string, number>();
  private readonly decidedFiles = new Map<string, DecidedFile>();
  private readonly hunks = new Map<string, readonly ReviewPageHunk[]>();
  private agents: readonly string[] = [];
  private sessionTitle = '';
  isWriting = false;
  canUndoLast = false;
  canBring = false;
  /** The change that keys act on. */
  current: Place | undefined;
  /** The file that was decided last. */
  last: DecidedFile | undefined;

  /** Takes what the host tells. Returns the URIs of the files that are new, different, or no longer there. */
  take(news: News): ReadonlySet<string> {
    const touched = new Set<string>([...news.changed, ...news.decided].map(({ uri }) => uri));
    for (const uri of news.gone) touched.add(uri);
    const known = new Map(news.isFresh ? [] : this.files.map((file) => [file.uri, file]));
    if (news.isFresh) this.decidedFiles.clear();
    const index = this.placeOf(this.current?.uri);
    for (const file of news.changed) {
      known.set(file.uri, file);
      this.decidedFiles.delete(file.uri);
    }
    for (const file of news.decided) {
      known.delete(file.uri);
      this.hunks.delete(file.uri);
      this.decidedFiles.set(file.uri, file);
    }
    for (const uri of news.gone) {
      known.delete(uri);
      this.hunks.delete(uri);
      this.decidedFiles.delete(uri);
    }
    this.last = news.isFresh ? undefined : (news.decided.at(-1) ?? this.last);
    if (this.last && !this.decidedFiles.has(this.last.uri)) this.last = undefined;
    this.files = [...known.values()].sort((a, b) => comparePaths(a.path, b.path));
    this.places = new Map(this.files.map(({ uri }, at) => [uri, at]));
    this.agents = news.agents.length > 0 ? news.agents : this.agents;
    this.sessionTitle = news.title ?? '';
    this.isWriting = news.isWriting;
    this.canUndoLast = news.canUndoLast;
    this.canBring = news.canBring === true;
    if (!this.current || !known.has(this.current.uri)) this.current = this.startOf(Math.max(0, index));
    return touched;
  }

  /** Takes a file's changes. The current one stays, or the one at its index is current. */
  takeHunks(uri: string, hunks: readonly ReviewPageHunk[]): void {
    const index = this.hunksOf(uri).findIndex(({ id }) => id === this.current?.id);
    this.hunks.set(uri, hunks);
    if (this.current?.uri !== uri || hunks.some(({ id }) => id === this.current?.id)) return;
    const next = hunks[Math.min(Math.max(0, index), hunks.length - 1)];
    this.current = next ? { uri, id: next.id } : { uri };
  }

  get decided(): readonly DecidedFile[] {
    return [...this.decidedFiles.values()];
  }

  isDecided(uri: string): boolean {
    return this.decidedFiles.has(uri);
  }

  get total(): number {
    return this.files.length + this.decidedFiles.size;
  }

  /** What the page is about when nothing is left. */
  get subject(): string {
    return this.sessionTitle === ''
      ? agentNames(this.agents)
      : l10n.t('{0}: {1}', agentNames(this.agents), this.sessionTitle);
  }

  get names(): string {
    return agentNames(this.agents);
  }

  /** The agents whose marks stand before the title: one, or both of two. Of more, the title says only the number. */
  get marked(): readonly string[] {
    return this.total === 0 || this.agents.length > 2 ? [] : this.agents;
  }

  get title(): string {
    if (this.total === 0) return l10n.t('No changes to review');
    return this.files.length === 0 ? this.subject : reviewTitle(this.agents, this.files.length, this.total);
  }

  /** The title where little room is: how many files are left. */
  get shortTitle(): string {
    const { length } = this.files;
    return length === 0 ? this.title : l10n.t('{0} of {1} left', length, this.total);
  }

  get counts(): { readonly added: number; readonly removed: number } {
    let [added, removed] = [0, 0];
    for (const file of this.files) {
      added += file.added;
      removed += file.removed;
    }
    return { added, removed };
  }

  file(uri: string): ReviewPageFile | undefined {
    return this.files[this.placeOf(uri)];
  }

  /** Returns the place of a file among those that are left, or -1. */
  private placeOf(uri: string | undefined): number {
    return uri === undefined ? -1 : (this.places.get(uri) ?? -1);
  }

  hunksOf(uri: string): readonly ReviewPageHunk[] {
    return this.hunks.get(uri) ?? [];
  }

  /** Returns the change after or before the current one, across files. */
  step(by: 1 | -1): Place | undefined {
    const { current } = this;
    if (!current) return undefined;
    const hunks = this.hunksOf(current.uri);
    const at = hunks.findIndex(({ id }) => id === current.id);
    const beside = hunks[at + by];
    if (at >= 0 && beside) return { uri: current.uri, id: beside.id };
    const next = this.files[this.placeOf(current.uri) + by];
    if (!next) return undefined;
    const hunk = by === 1 ? this.hunksOf(next.uri)[0] : this.hunksOf(next.uri).at(-1);
    return hunk ? { uri: next.uri, id: hunk.id } : { uri: next.uri };
  }

  /** Returns the first change of the file after or before the current one. */
  stepFile(by: 1 | -1): Place | undefined {
    const at = this.placeOf(this.current?.uri);
    return this.files[at + by] && this.startOf(at + by);
  }

  /** "All 12 files reviewed · 10 kept, 2 undone", in its two parts. */
  get end(): { readonly all: string; readonly outcomes: string; readonly kept: number } {
    const { decided } = this;
    const kept = decided.filter(({ outcome }) => outcome === 'kept').length;
    const undone = decided.length - kept;
    const inKept = decided.reduce((sum, file) => sum + (file.undone ?? 0), 0);
    const all =
      decided.length === 1 ? l10n.t('The file is reviewed') : l10n.t('All {0} files reviewed', decided.length);
    const parts = [
      ...(kept > 0 ? [l10n.t('{0} kept', kept)] : []),
      ...(undone > 0 ? [l10n.t('{0} undone', undone)] : []),
      ...(inKept > 0
        ? [inKept === 1 ? l10n.t('1 change undone in a kept file') : l10n.t('{0} changes undone in kept files', inKept)]
        : []),
    ];
    return { all, outcomes: parts.join(', '), kept };
  }

  private startOf(index: number): Place | undefined {
    const file = this.files[Math.min(index, this.files.length - 1)];
    const hunk = file && this.hunksOf(file.uri)[0];
    if (!file) return undefined;
    return hunk ? { uri: file.uri, id: hunk.id } : { uri: file.uri };
  }
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
