import { compact } from '../../src/shared/values/decodeValue';
import type { Attachment } from '../../src/shared/transcript/content';
import type { EntryId, RequestKey, SessionId, SessionKey } from '../../src/shared/values/ids';
import type { PageMemory } from '../../src/shared/pages/messages';
import { decodeStart, isPlain, plainStart, type StartChoice } from '../../src/shared/pages/startChoice';
import { isRecord } from '../../src/shared/values/isRecord';

/** The reader's place in a transcript: at its end, or at an entry with an offset from its top in px. */
export type ScrollPlace = PageMemory['scroll'];

/** Maximum number of remembered foldings by the user. The latest ones are kept. */
const expandedKept = 500;
/** Maximum number of requests with remembered form values. */
const formsKept = 20;
/** Maximum number of agents with remembered monograms. */
const monogramsKept = 50;
const atEnd: ScrollPlace = { anchor: '', offset: 0, atEnd: true };

/** Stores the values typed into forms, by request, until they are answered. */
export interface FormMemory {
  /** Returns the stored values, which are untrusted. */
  form(request: RequestKey): unknown;
  setForm(request: RequestKey, values: unknown): void;
}

/**
 * The view state that only the page has: drafts, foldings, and the reader's place. It is written to VS Code's webview state, typed text
 * immediately and the rest shortly after the last change, and read when the page is created again.
 */
export class Memory implements FormMemory {
  private session: SessionKey | '';
  /** The session that the next page will show. Undefined until a session was shown or the user chose the start page. */
  private nextSession: SessionKey | '' | undefined;
  private sessionId: SessionId | '';
  /** The session whose transcript was last on screen. `scroll` is the reader's place in it. */
  private read: { readonly session: SessionKey | ''; readonly sessionId: SessionId | '' };
  private readonly drafts: Map<string, string>;
  /** The attachments of the drafts. */
  private readonly attachments: Map<string, readonly Attachment[]>;
  /** Where and with whom the drafts start a session. */
  private readonly starts: Map<string, StartChoice>;
  private isEditorIgnored: boolean;
  private areSessionsShown: boolean;
  private readonly expanded: Map<string, boolean>;
  private readonly forms: Map<string, unknown>;
  /** The monograms of the user's agents by name, which stay the same when the page is loaded again. */
  monograms: ReadonlyMap<string, string>;
  private scroll: ScrollPlace;
  private readScroll: (() => ScrollPlace) | undefined;
  /** Whether anything but the reader's place has changed since the last write. */
  private isStale = false;
  private readonly write: (memory: PageMemory) => void;
  private readonly delay: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `delay` is in milliseconds. `stored` is the untrusted value that `write` stored last. */
  constructor(stored: unknown, write: (memory: PageMemory) => void, delay = 300) {
    const read = readMemory(stored);
    this.nextSession = read.session;
    this.session = read.session ?? '';
    this.sessionId = read.sessionId;
    this.read = { session: this.session, sessionId: read.sessionId };
    this.drafts = new Map(Object.entries(read.drafts));
    this.attachments = new Map(Object.entries(read.attachments));
    this.starts = new Map(Object.entries(read.starts ?? {}));
    this.isEditorIgnored = read.ignoresEditor === true;
    this.areSessionsShown = read.showsSessions === true;
    this.expanded = new Map(read.expanded.map((item) => [item.slice(1), item.startsWith('+')]));
    this.forms = new Map(Object.entries(read.forms));
    this.monograms = new Map(Object.entries(read.monograms ?? {}));
    this.scroll = read.scroll;
    this.write = write;
    this.delay = delay;
  }

  /** The session shown by this page or the one before: empty for a start page that the user chose, undefined if unknown. */
  get shownSession(): SessionKey | '' | undefined {
    return this.nextSession;
  }

  get scrollPlace(): ScrollPlace {
    return this.scroll;
  }

  /**
   * Records the session on screen. Returns whether it is the same as before, ignoring the start page: after a window reload, the start page
   * comes first without being the user's choice. The same applies while there is no session (`hasChoice`).
   */
  show(session: SessionKey | '', sessionId: SessionId | '', hasChoice: boolean): boolean {
    this.readScroll = undefined;
    const { read } = this;
    const same = session === read.session && (read.sessionId === '' || read.sessionId === sessionId);
    this.session = session;
    if (session !== '' || hasChoice) this.nextSession = session;
    this.sessionId = sessionId;
    if (session !== '' && !same) {
      this.scroll = atEnd;
      // After a window reload, a key may mean another session.
      if (session === read.session) this.forgetExpanded(session);
    }
    if (session !== '') this.read = { session, sessionId };
    this.saveNow();
    return same;
  }

  /** Records the id that the agent assigned to the session on screen. */
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
    // A pasted text is the user's as much as what they type.
    this.saveNow();
  }

  /** Where and with whom a draft starts a session. */
  start(session: SessionKey | ''): StartChoice {
    return this.starts.get(session) ?? plainStart;
  }

  setStart(session: SessionKey | '', start: StartChoice): void {
    if (isPlain(start)) this.starts.delete(session);
    else this.starts.set(session, start);
    this.saveNow();
  }

  /** Whether the user turned off the attachment that follows the editor. */
  get ignoresEditor(): boolean {
    return this.isEditorIgnored;
  }

  setIgnoresEditor(isIgnored: boolean): void {
    this.isEditorIgnored = isIgnored;
    this.save();
  }

  setMonograms(monograms: ReadonlyMap<string, string>): void {
    if ([...monograms].every(([name, letters]) => this.monograms.get(name) === letters)) return;
    // Agents that aren't there yet, or are there no longer, keep theirs, too.
    this.monograms = new Map([...new Map([...this.monograms, ...monograms])].slice(-monogramsKept));
    this.save();
  }

  /** Whether the list of all sessions is open. */
  get showsSessions(): boolean {
    return this.areSessionsShown;
  }

  setShowsSessions(areShown: boolean): void {
    this.areSessionsShown = areShown;
    this.save();
  }

  /** Moves a draft to another session, unless that one has its own. Typed text is never lost. */
  moveDraft(from: SessionKey | '', to: SessionKey | ''): void {
    for (const kept of [this.drafts, this.attachments, this.starts] as Map<string, unknown>[]) {
      if (!kept.has(from) || kept.has(to)) continue;
      kept.set(to, kept.get(from));
      kept.delete(from);
    }
    this.save();
  }

  /**
   * Moves the newest draft whose session is gone to a session without a draft. A draft stays behind if its session closes, or a reload ends
   * it because nothing was sent in it, while the session shown next has a draft of its own. The same goes for that of the start page, which
   * is shown first after a reload. Returns whether there was one.
   */
  adoptDraft(to: SessionKey, open: ReadonlySet<SessionKey>): boolean {
    const isLost = (session: string) => session === '' || !open.has(session as SessionKey);
    const lost = [...this.drafts.keys(), ...this.attachments.keys()].filter(isLost).at(-1);
    if (lost === undefined || this.drafts.has(to) || this.attachments.has(to)) return false;
    this.moveDraft(lost as SessionKey, to);
    return true;
  }

  form(request: RequestKey): unknown {
    return this.forms.get(request);
  }

  /** Stores the values of a form. Undefined removes them. */
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

  /** Records that the reader may have moved. `read` is called only before a write, because it forces a layout. */
  noteScroll(read: () => ScrollPlace): void {
    this.readScroll = read;
    this.flushSoon();
  }

  /** Writes pending changes before the page is closed. */
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
   * Writes immediately if text was typed or another session is shown, because VS Code may discard a page without notice. Only images make
   * writing slow.
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
      ...compact({ session: this.nextSession }),
      sessionId: this.sessionId,
      drafts: Object.fromEntries(this.drafts),
      attachments: Object.fromEntries(this.attachments),
      ...(this.starts.size > 0 && { starts: Object.fromEntries(this.starts) }),
      ...(this.isEditorIgnored && { ignoresEditor: true as const }),
      ...(this.areSessionsShown && { showsSessions: true as const }),
      expanded: [...this.expanded].map(([key, open]) => (open ? '+' : '-') + key),
      forms: Object.fromEntries(this.forms),
      ...(this.monograms.size > 0 && { monograms: Object.fromEntries(this.monograms) }),
      scroll: this.scroll,
    };
  }
}

/** Reads stored state, which may come from an older version of the page. Drops anything with another shape. */
function readMemory(stored: unknown): PageMemory {
  const from = isRecord(stored) ? stored : {};
  const scroll = isRecord(from['scroll']) ? from['scroll'] : {};
  const anchor = text(scroll['anchor']) as EntryId | '';
  return {
    ...(typeof from['session'] === 'string' ? { session: from['session'] as SessionKey | '' } : {}),
    sessionId: text(from['sessionId']) as SessionId | '',
    drafts: strings(isRecord(from['drafts']) ? from['drafts'] : {}),
    attachments: Object.fromEntries(
      Object.entries(isRecord(from['attachments']) ? from['attachments'] : {}).map(([key, value]) => [
        key,
        (Array.isArray(value) ? value : []).filter(isAttachment),
      ]),
    ),
    ...(isRecord(from['starts']) && { starts: startsIn(from['starts']) }),
    ...(from['ignoresEditor'] === true && { ignoresEditor: true as const }),
    ...(from['showsSessions'] === true && { showsSessions: true as const }),
    expanded: Array.isArray(from['expanded']) ? from['expanded'].filter((item) => typeof item === 'string') : [],
    forms: isRecord(from['forms']) ? from['forms'] : {},
    ...(isRecord(from['monograms']) && { monograms: strings(from['monograms']) }),
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

function strings(from: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

function startsIn(from: Readonly<Record<string, unknown>>): Record<string, StartChoice> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]) => {
      const start = decodeStart(value);
      return start ? [[key, start]] : [];
    }),
  );
}

function isSamePlace(a: ScrollPlace, b: ScrollPlace): boolean {
  return a.anchor === b.anchor && a.offset === b.offset && a.atEnd === b.atEnd;
}

function isAttachment(value: unknown): value is Attachment {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false;
  const isMedia = value['type'] === 'image' || value['type'] === 'audio';
  if (isMedia) return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string';
  if (typeof value['uri'] !== 'string') return false;
  return value['type'] === 'resource_link' || (value['type'] === 'resource' && typeof value['text'] === 'string');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
