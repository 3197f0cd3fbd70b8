import type { Attachment } from '../../src/shared/content';
import type { EntryId, RequestKey, SessionId, SessionKey } from '../../src/shared/ids';
import type { PageMemory } from '../../src/shared/messages';
import { isRecord } from '../../src/shared/isRecord';

/** Where the reader is in a transcript: at its end, or at an entry and so many pixels below its top. */
export type ScrollPlace = PageMemory['scroll'];

/** What the user opened or closed by hand is remembered for this many things, the latest first to stay. */
const expandedKept = 500;
/** Forms are remembered for this many requests. */
const formsKept = 20;
const atEnd: ScrollPlace = { anchor: '', offset: 0, atEnd: true };

/** Where what was typed into a form is kept until the form is answered, by its request. */
export interface FormMemory {
  /** In whatever shape it comes back. */
  form(request: RequestKey): unknown;
  setForm(request: RequestKey, values: unknown): void;
}

/**
 * The view state that only the page knows: drafts, what is folded open, where the reader is. It is written to VS Code's
 * own keeping, what was typed at once and the rest a little after the last change, and read back when the page is made again.
 */
export class Memory implements FormMemory {
  private session: SessionKey | '';
  /** What the next page is to show; undefined while it is not known that the user wants the start page. */
  private kept: SessionKey | '' | undefined;
  private sessionId: SessionId | '';
  /** The session whose transcript was last on screen: `scroll` is the reader's place in it. */
  private read: { readonly session: SessionKey | ''; readonly sessionId: SessionId | '' };
  private readonly drafts: Map<string, string>;
  /** What goes along with the drafts. */
  private readonly attachments: Map<string, readonly Attachment[]>;
  private readonly expanded: Map<string, boolean>;
  private readonly forms: Map<string, unknown>;
  private scroll: ScrollPlace;
  private readScroll: (() => ScrollPlace) | undefined;
  /** Whether anything but the reader's place has changed since it was last written. */
  private isStale = false;
  private readonly write: (memory: PageMemory) => void;
  private readonly delay: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `delay` is in milliseconds; `stored` is what `write` kept the last time, in whatever shape it comes back. */
  constructor(stored: unknown, write: (memory: PageMemory) => void, delay = 300) {
    const read = readMemory(stored);
    this.kept = read.session;
    this.session = read.session ?? '';
    this.sessionId = read.sessionId;
    this.read = { session: this.session, sessionId: read.sessionId };
    this.drafts = new Map(Object.entries(read.drafts));
    this.attachments = new Map(Object.entries(read.attachments));
    this.expanded = new Map(read.expanded.map((item) => [item.slice(1), item.startsWith('+')]));
    this.forms = new Map(Object.entries(read.forms));
    this.scroll = read.scroll;
    this.write = write;
    this.delay = delay;
  }

  /** What the page before this one showed, or this one does: empty for a start page that was chosen, undefined when nobody knows. */
  get shownSession(): SessionKey | '' | undefined {
    return this.kept;
  }

  get scrollPlace(): ScrollPlace {
    return this.scroll;
  }

  /**
   * Notes which session is on screen. Returns whether it is the one that was on screen before, the start page apart: after a reload of
   * the window that comes first, and is nobody's choice, as it is while there is no session (`hasChoice`).
   */
  show(session: SessionKey | '', sessionId: SessionId | '', hasChoice: boolean): boolean {
    this.readScroll = undefined;
    const { read } = this;
    const same = session === read.session && (read.sessionId === '' || read.sessionId === sessionId);
    this.session = session;
    if (session !== '' || hasChoice) this.kept = session;
    this.sessionId = sessionId;
    if (session !== '' && !same) {
      this.scroll = atEnd;
      // A key may name another session after the window was reloaded.
      if (session === read.session) this.forgetExpanded(session);
    }
    if (session !== '') this.read = { session, sessionId };
    this.saveNow();
    return same;
  }

  /** The agent has named the session that is on screen. */
  noteSessionId(sessionId: SessionId | ''): void {
    if (sessionId === this.sessionId) return;
    this.sessionId = sessionId;
    if (this.session !== '') this.read = { session: this.session, sessionId };
    this.save();
  }

  draft(session: SessionKey | ''): string {
    return this.drafts.get(session) ?? '';
  }

  setDraft(session: SessionKey | '', text: string): void {
    if (text === '') this.drafts.delete(session);
    else this.drafts.set(session, text);
    this.saveNow();
  }

  attached(session: SessionKey | ''): readonly Attachment[] {
    return this.attachments.get(session) ?? [];
  }

  setAttached(session: SessionKey | '', all: readonly Attachment[]): void {
    if (all.length === 0) this.attachments.delete(session);
    else this.attachments.set(session, all);
    this.save();
  }

  /** Takes a draft along to another session, unless that one has its own. Nothing the user typed is lost. */
  moveDraft(from: SessionKey | '', to: SessionKey | ''): void {
    for (const kept of [this.drafts, this.attachments] as Map<string, unknown>[]) {
      if (!kept.has(from) || kept.has(to)) continue;
      kept.set(to, kept.get(from));
      kept.delete(from);
    }
    this.save();
  }

  form(request: RequestKey): unknown {
    return this.forms.get(request);
  }

  /** Keeps the values of a form; undefined forgets them. */
  setForm(request: RequestKey, values: unknown): void {
    if (!this.forms.delete(request) && values === undefined) return;
    if (values !== undefined) this.forms.set(request, values);
    for (const oldest of this.forms.keys()) {
      if (this.forms.size <= formsKept) break;
      this.forms.delete(oldest);
    }
    this.saveNow();
  }

  isExpanded(key: string): boolean | undefined {
    return this.expanded.get(`${this.session} ${key}`);
  }

  setExpanded(key: string, open: boolean): void {
    const full = `${this.session} ${key}`;
    this.expanded.delete(full);
    this.expanded.set(full, open);
    for (const oldest of this.expanded.keys()) {
      if (this.expanded.size <= expandedKept) break;
      this.expanded.delete(oldest);
    }
    this.save();
  }

  /** The reader may have moved. Where to is asked only when it would be written, for finding it costs layout. */
  noteScroll(read: () => ScrollPlace): void {
    this.readScroll = read;
    this.flushSoon();
  }

  /** Writes what is not yet written; for the moment before the page goes away. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const before = this.scroll;
    if (this.readScroll) this.scroll = this.readScroll();
    this.readScroll = undefined;
    if (this.isStale || !isSamePlace(before, this.scroll)) this.writeAll();
  }

  private forgetExpanded(session: SessionKey | ''): void {
    for (const key of this.expanded.keys()) {
      if (key.startsWith(`${session} `)) this.expanded.delete(key);
    }
  }

  private save(): void {
    this.isStale = true;
    this.flushSoon();
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => this.flush(), this.delay);
  }

  /**
   * What was typed and what is shown do not wait: VS Code may take a page away without its last words. Only pictures make writing slow.
   */
  private saveNow(): void {
    if (this.attachments.size > 0) this.save();
    else this.writeAll();
  }

  private writeAll(): void {
    this.isStale = false;
    this.write(this.toJson());
  }

  private toJson(): PageMemory {
    return {
      ...(this.kept === undefined ? {} : { session: this.kept }),
      sessionId: this.sessionId,
      drafts: Object.fromEntries(this.drafts),
      attachments: Object.fromEntries(this.attachments),
      expanded: [...this.expanded].map(([key, open]) => (open ? '+' : '-') + key),
      forms: Object.fromEntries(this.forms),
      scroll: this.scroll,
    };
  }
}

/** State may come from an older version of the page: what does not fit is left out. */
function readMemory(stored: unknown): PageMemory {
  const from = isRecord(stored) ? stored : {};
  const scroll = isRecord(from['scroll']) ? from['scroll'] : {};
  const anchor = text(scroll['anchor']) as EntryId | '';
  return {
    ...(typeof from['session'] === 'string' ? { session: from['session'] as SessionKey | '' } : {}),
    sessionId: text(from['sessionId']) as SessionId | '',
    drafts: Object.fromEntries(
      Object.entries(isRecord(from['drafts']) ? from['drafts'] : {}).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value]] : [],
      ),
    ),
    attachments: Object.fromEntries(
      Object.entries(isRecord(from['attachments']) ? from['attachments'] : {}).map(([key, value]) => [
        key,
        (Array.isArray(value) ? value : []).filter(isAttachment),
      ]),
    ),
    expanded: Array.isArray(from['expanded']) ? from['expanded'].filter((item) => typeof item === 'string') : [],
    forms: isRecord(from['forms']) ? from['forms'] : {},
    scroll:
      anchor === ''
        ? atEnd
        : {
            anchor,
            offset: typeof scroll['offset'] === 'number' ? scroll['offset'] : 0,
            atEnd: scroll['atEnd'] !== false,
          },
  };
}

function isSamePlace(a: ScrollPlace, b: ScrollPlace): boolean {
  return a.anchor === b.anchor && a.offset === b.offset && a.atEnd === b.atEnd;
}

function isAttachment(value: unknown): value is Attachment {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false;
  const isMedia = value['type'] === 'image' || value['type'] === 'audio';
  if (isMedia) return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string';
  return value['type'] === 'resource_link' && typeof value['uri'] === 'string';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
