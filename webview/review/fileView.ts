import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type {
  HunkWish,
  PageComment,
  ReviewContent,
  ReviewImage,
  ReviewPageFile,
  ReviewPageHunk,
} from '../../src/shared/changes/reviewPage';
import { guardedWords, underUnsavedWords, whyNotUndone } from '../../src/shared/changes/reviewWords';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import type { Viewport } from '../base/viewport';
import { languageOfPath } from '../code/highlight';
import { placeAmong, showThreads, type ThreadPlace } from './commentThreads';
import type { Place } from './reviewModel';
import { calmMs, HunkView, type HunkOwner } from './hunkView';
import { nameAndFolder } from './nameAndFolder';

/** What a file's view needs from the page. */
export interface FileOwner {
  readonly isSideBySide: boolean;
  readonly viewport: Viewport;
  readonly current: Place | undefined;
  decide(action: 'keep' | 'undo', place: Place): void;
  comment(place: Place): void;
  open(place: Place): void;
  openDiff(uri: string): void;
  /** Asks for the file's changes, as far as the user wants to see them. */
  read(uri: string, wishes: readonly HunkWish[]): void;
  chosen(place: Place): void;
  fold(uri: string): void;
  isInView(element: Element): boolean;
  /** The comments and remarks in a file. */
  commentsIn(uri: string): readonly PageComment[];
  threadFor(comment: PageComment): HTMLElement;
}

/** What is remembered of a file while it isn't on the page. */
export interface FileMemory {
  isFolded: boolean;
  readonly wishes: Map<string, HunkWish>;
}

/** The height of a file's header with its border, in px. */
export const headHeight = 34;
/** Changed lines of a new file that are shown at first. */
const moreLines = 2000;

/** A file with its changes: a card with a header that stays in view. */
export class FileView {
  readonly element = document.createElement('article');
  private readonly head = document.createElement('header');
  /** Threads on lines that no change shows. */
  private readonly loose = document.createElement('div');
  private readonly body = document.createElement('div');
  private readonly owner: FileOwner;
  private readonly memory: FileMemory;
  private file: ReviewPageFile;
  private readonly hunks = new Map<string, HunkView>();
  private content: ReviewContent | undefined;
  private asked = -1;
  private shownRevision = -1;
  /** Until when nothing of the file can be decided. */
  private calmAt = 0;

  /** `height` is kept until the changes are here: with headers alone, far more files would fit into the part in view. */
  constructor(file: ReviewPageFile, owner: FileOwner, memory: FileMemory, height: number) {
    this.file = file;
    this.owner = owner;
    this.memory = memory;
    this.element.className = 'pl-file';
    this.element.dataset['uri'] = file.uri;
    this.head.className = 'fh';
    this.loose.className = 'floose';
    this.body.className = 'fb';
    this.body.style.minHeight = `${Math.max(0, height - headHeight)}px`;
    this.element.append(this.head, this.loose, this.body);
    this.drawHead();
    this.placeThreads();
  }

  get uri(): string {
    return this.file.uri;
  }

  /** Whether the changes on the page are those of the file as it is now. */
  get isUpToDate(): boolean {
    return this.memory.isFolded || this.shownRevision === this.file.revision;
  }

  get hasContent(): boolean {
    return this.content !== undefined;
  }

  /** Says where the file is among those that are left. */
  place(at: number, count: number): void {
    this.element.setAttribute('aria-posinset', String(at));
    this.element.setAttribute('aria-setsize', String(count));
  }

  take(file: ReviewPageFile): void {
    if (file === this.file) return;
    this.file = file;
    this.drawHead();
  }

  /** Asks for the changes, unless they are here. */
  load(): void {
    if (this.memory.isFolded || this.asked === this.file.revision) return;
    this.read();
  }

  takeContent(content: ReviewContent, revision: number): void {
    this.shownRevision = revision;
    this.content = content;
    this.body.style.minHeight = '';
    if (content.kind !== 'lines') {
      this.clear();
      render(content.kind === 'words' ? words(content.words) : images(content), this.body);
      this.placeThreads();
      return;
    }
    const before = new Map(this.hunks);
    if (before.size === 0) this.clear();
    const elements = content.hunks.map((hunk) => {
      const known = before.get(hunk.id);
      before.delete(hunk.id);
      if (known) known.take(hunk, this.owner.isInView(known.element));
      else this.add(hunk);
      return (known ?? this.hunks.get(hunk.id))?.element;
    });
    for (const [id, view] of before) this.drop(id, view);
    let at = this.body.firstElementChild;
    for (const element of elements) {
      if (!element) continue;
      if (element === at) at = element.nextElementSibling;
      else this.body.insertBefore(element, at);
    }
    this.placeThreads();
    this.mark();
  }

  /** Shows each thread below its line, or above all changes if none of them shows the line. */
  placeThreads(): void {
    const { owner, content } = this;
    const hunks = content?.kind === 'lines' ? content.hunks : [];
    const inHunks = new Map<string, ThreadPlace[]>();
    const loose: HTMLElement[] = [];
    for (const comment of owner.commentsIn(this.uri)) {
      const element = owner.threadFor(comment);
      const place = placeAmong(comment, hunks);
      if (!place) loose.push(element);
      else inHunks.set(place.hunk, [...(inHunks.get(place.hunk) ?? []), { element, line: place.line }]);
    }
    for (const [id, view] of this.hunks) view.takeThreads(inHunks.get(id) ?? []);
    showThreads(this.loose, loose);
    this.loose.hidden = loose.length === 0 || this.memory.isFolded;
  }

  /** Makes sure that a thread is drawn. */
  reachThread(comment: PageComment): void {
    if (this.memory.isFolded) this.toggle();
    const place = placeAmong(comment, this.content?.kind === 'lines' ? this.content.hunks : []);
    this.hunk(place?.hunk)?.reach();
  }

  /** Shows which change is current. */
  mark(): void {
    const { current } = this.owner;
    this.element.classList.toggle('is-current', current?.uri === this.uri);
    let at = 0;
    for (const hunk of this.content?.kind === 'lines' ? this.content.hunks : []) {
      const isCurrent = current?.uri === this.uri && current.id === hunk.id;
      this.hunks.get(hunk.id)?.place(++at, this.hunks.size, isCurrent, this.file.unread === undefined);
    }
  }

  /** Draws the lines again, because they are shown in another way. */
  redraw(): void {
    for (const view of this.hunks.values()) view.drawLines();
  }

  hunk(id: string | undefined): HunkView | undefined {
    return id === undefined ? undefined : this.hunks.get(id);
  }

  /** Whether the user can decide a change now, or else the file. */
  isCalm(id: string | undefined): boolean {
    return performance.now() >= this.calmAt && this.hunk(id)?.isCalm !== false;
  }

  /** Ignores decisions in this file for a moment, because something else was here when the user aimed. */
  calm(): void {
    this.calmAt = performance.now() + calmMs;
    this.drawHead();
    this.drawWhenCalm();
    for (const view of this.hunks.values()) view.calm();
  }

  private drawWhenCalm(): void {
    setTimeout(() => (this.isCalm(undefined) ? this.drawHead() : this.drawWhenCalm()), calmMs);
  }

  /** Gives a change, or else the file, the keyboard focus. */
  focus(id: string | undefined): void {
    const target = this.hunk(id)?.element ?? this.head.querySelector<HTMLElement>('.tw');
    target?.focus({ preventScroll: true });
  }

  toggle(): void {
    this.memory.isFolded = !this.memory.isFolded;
    this.drawHead();
    this.load();
  }

  dispose(): void {
    this.clear();
    this.element.remove();
  }

  private read(): void {
    this.asked = this.file.revision;
    this.owner.read(this.uri, [...this.memory.wishes.values()]);
  }

  private wish(hunk: ReviewPageHunk, more: Omit<HunkWish, 'id'>): void {
    this.memory.wishes.set(hunk.id, { ...this.memory.wishes.get(hunk.id), ...more, id: hunk.id });
    this.read();
  }

  private add(hunk: ReviewPageHunk): void {
    const { owner, uri } = this;
    const view = new HunkView(hunk, this.hunkOwner);
    this.hunks.set(hunk.id, view);
    if (owner.current?.uri === uri && owner.current.id === undefined) owner.chosen({ uri, id: hunk.id });
    owner.viewport.whenNear(view.element, () => view.drawLines());
  }

  private drop(id: string, view: HunkView): void {
    this.owner.viewport.forget(view.element);
    view.dispose();
    view.element.remove();
    this.hunks.delete(id);
  }

  private clear(): void {
    for (const [id, view] of this.hunks) this.drop(id, view);
    render(nothing, this.body);
  }

  private get hunkOwner(): HunkOwner {
    const { owner, uri, file } = this;
    const at = ({ id }: ReviewPageHunk): Place => ({ uri, id });
    return {
      get isSideBySide() {
        return owner.isSideBySide;
      },
      language: languageOfPath(file.path),
      keep: (hunk) => owner.decide('keep', at(hunk)),
      undo: (hunk) => owner.decide('undo', at(hunk)),
      comment: (hunk) => owner.comment(at(hunk)),
      open: (hunk) => owner.open(at(hunk)),
      unfold: (hunk) => this.wish(hunk, { isUnfolded: this.memory.wishes.get(hunk.id)?.isUnfolded !== true }),
      showMore: (hunk) => this.wish(hunk, { lines: hunk.removed.length + hunk.added.length + moreLines }),
      chosen: (hunk) => owner.chosen(at(hunk)),
    };
  }

  private drawHead(): void {
    const { file, owner, memory } = this;
    const { uri, path, unread } = file;
    const [name, folder] = nameAndFolder(path);
    const label = folder === '' ? name : `${name}, ${folder}`;
    this.element.setAttribute('aria-label', label);
    this.element.classList.toggle('folded', memory.isFolded);
    this.body.hidden = memory.isFolded;
    this.loose.hidden = memory.isFolded || this.loose.childElementCount === 0;
    const act = (text: string, full: string, glyph: string, run: () => void, isOff = false) =>
      html`<button type="button" class="btn sm" aria-label=${full} title=${full} ?disabled=${isOff} @click=${run}>
        <i class="codicon codicon-${glyph} w-n" aria-hidden="true"></i><span class="w-t">${text}</span>
      </button>`;
    const isCalm = performance.now() >= this.calmAt;
    const open = l10n.t('Open {0}', name);
    render(
      html`<button
          type="button"
          class="tw"
          aria-expanded=${String(!memory.isFolded)}
          aria-label=${label}
          title=${showHiddenOnOneLine(path)}
          @click=${() => owner.fold(uri)}
        >
          ${icon('chevron-right', 's12')}${icon(glyphOf(file))}
          <b class="clip">${showHiddenOnOneLine(name)}</b>
          ${folder === '' ? nothing : html`<span class="dir clip"><bdi>${showHiddenOnOneLine(folder)}</bdi></span>`}
        </button>
        ${file.isBinary ? nothing : counts(file)}
        ${
          file.left === file.total && file.total < 2
            ? nothing
            : html`<span class="dim xs lft w-l"
                >${
                  file.left === file.total
                    ? l10n.t('{0} changes', file.total)
                    : l10n.t('{0} of {1} changes left', file.left, file.total)
                }</span
              >`
        }
        ${stateWords(file).map((text) => html`<span class="st-t"><span class="clip">${text}</span></span>`)}
        ${
          file.hasUserText
            ? html`<span class="st-t"
                >${icon('account', 's12')}<span class="clip">${l10n.t('you edited this too')}</span></span
              >`
            : nothing
        }
        <span class="grow"></span>
        ${act(l10n.t('Keep'), l10n.t('Keep {0}', name), 'check', () => owner.decide('keep', { uri }), !isCalm)}
        ${act(l10n.t('Undo'), l10n.t('Undo {0}', name), 'reply', () => owner.decide('undo', { uri }), !isCalm || unread !== undefined)}
        <button type="button" class="ib" aria-label=${open} title=${open} @click=${() => owner.open({ uri })}>
          ${icon('go-to-file')}
        </button>`,
      this.head,
    );
    this.drawNotes();
  }

  private drawNotes(): void {
    const { guarded, unread, isUnderUnsaved } = this.file;
    const notes = [
      ...(unread === undefined ? [] : [whyNotUndone(unread)]),
      ...(guarded === undefined ? [] : [guardedWords(guarded)]),
      ...(isUnderUnsaved === true ? [underUnsavedWords()] : []),
    ];
    const present = this.element.querySelectorAll(':scope > .fnote');
    for (const note of present) note.remove();
    for (const note of notes.toReversed()) {
      const line = document.createElement('p');
      line.className = 'fnote';
      const glyph = document.createElement('i');
      glyph.className = 'codicon codicon-warning attn';
      glyph.setAttribute('aria-hidden', 'true');
      line.append(glyph, note);
      this.head.after(line);
    }
  }
}

/** The added and removed lines of a file or of all. */
export function counts({ added, removed }: { readonly added: number; readonly removed: number }): TemplateResult {
  return html`<span class="num cnt"
    >${added > 0 ? html`<span class="add">+${added}</span>` : nothing}
    ${removed > 0 ? html`<span class="del">−${removed}</span>` : nothing}</span
  >`;
}

function glyphOf({ status, isBinary, isFolder }: ReviewPageFile): string {
  if (isFolder === true) return 'folder';
  if (status === 'created') return 'new-file';
  if (status === 'deleted') return 'trash';
  if (status === 'renamed') return 'file-symlink-file';
  return isBinary ? 'file-media' : 'file-code';
}

/** What the list and the header say about a file besides its counts. */
export function stateWords({ status, from, isBinary, unread }: ReviewPageFile): readonly string[] {
  return [
    ...(status === 'created' ? [l10n.t('new file')] : []),
    ...(status === 'deleted' ? [l10n.t('deleted')] : []),
    ...(status === 'renamed' && from !== undefined ? [l10n.t('moved from {0}', showHiddenOnOneLine(from))] : []),
    ...(isBinary ? [l10n.t('binary')] : []),
    ...(unread === undefined ? [] : [l10n.t('can’t be undone')]),
  ];
}

function words(text: string): TemplateResult {
  return html`<p class="fnote">${text}</p>`;
}

function images({ before, after }: Extract<ReviewContent, { kind: 'images' }>): TemplateResult {
  const one = (image: ReviewImage | undefined, name: string, kind: string) =>
    image === undefined
      ? nothing
      : html`<figure>
          <div class="pic"><img src=${image.source} alt=${name} @load=${showSize} /></div>
          <figcaption><span class=${kind}>${name}</span> <span class="size"></span>${sizeWords(image.size)}</figcaption>
        </figure>`;
  return html`<div class="pl-pics">${one(before, l10n.t('Before'), 'del')}${one(after, l10n.t('After'), 'add')}</div>`;
}

/** The size in pixels is known only when the image is. */
function showSize({ target }: Event): void {
  if (!(target instanceof HTMLImageElement)) return;
  const place = target.closest('figure')?.querySelector('.size');
  if (place) place.textContent = `${target.naturalWidth} × ${target.naturalHeight} · `;
}

function sizeWords(bytes: number): string {
  return bytes < 1000 ? l10n.t('{0} bytes', bytes) : l10n.t('{0} KB', Math.round(bytes / 1000));
}
