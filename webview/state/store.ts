import { Disposable } from '../../src/shared/values/disposable';
import { Emitter, type Event } from '../../src/shared/values/event';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { PageState, ToWebview } from '../../src/shared/pages/messages';
import { applyOps, fromSnapshot, type MutableTranscript, type TranscriptOp } from '../../src/shared/transcript/ops';
import type { RedoOffer, ReviewFile } from '../../src/shared/changes/review';
import { isWaitingForAnswer } from '../../src/shared/transcript/openQuestion';
import type { Entry, Transcript } from '../../src/shared/transcript/transcript';
import { trimPoint } from './trimPoint';

/** Whether the editor follows a session, and where else the agent has been. */
export interface FollowState {
  readonly isOn: boolean;
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
}

const emptyPage: PageState = {
  trusted: true,
  folder: '',
  agents: [],
  defaultAgent: '' as PageState['defaultAgent'],
  sandbox: { mode: 'off' },
  sessions: [],
  active: '',
  host: 'view',
  toolDetail: 'normal',
  longPasteLines: 20,
  locale: 'en',
};

const noFiles: { readonly session: ''; readonly files: readonly ReviewFile[] } = { session: '', files: [] };
const allProtected = { session: '', count: 0, first: '' } as const;
const notFollowed = { session: '', isOn: false, canGoBack: false, canGoForward: false } as const;
const noProblems = { session: '', count: 0, errors: 0 } as const;

/**
 * The page's copy of the host's state: the page state, and a replica of one session's transcript. Ops are applied in order of their
 * revisions. After a gap, the store requests the whole session and applies nothing else until it arrives.
 */
export class Store extends Disposable {
  private readonly fetchSnapshot: (session: SessionKey) => void;
  private current: { session: SessionKey; transcript: MutableTranscript; omitted: number } | undefined;
  private state: PageState = emptyPage;
  private isKnown = false;
  private awaitsSnapshot = false;
  private exposed: { readonly session: SessionKey | ''; readonly count: number; readonly first: string } = allProtected;
  private caused: { readonly session: SessionKey | ''; readonly count: number; readonly errors: number } = noProblems;
  private followed: FollowState & { readonly session: SessionKey | '' } = notFollowed;
  private changed: {
    readonly session: SessionKey | '';
    readonly files: readonly ReviewFile[];
    readonly recordedFrom?: number;
    readonly redo?: RedoOffer;
  } = noFiles;

  private readonly pageChanged = this.register(new Emitter<PageState>());
  private readonly shown = this.register(new Emitter<void>());
  private readonly applied = this.register(new Emitter<readonly TranscriptOp[]>());
  private readonly filesChanged = this.register(new Emitter<void>());
  private readonly olderCame = this.register(new Emitter<{ entries: readonly Entry[]; omitted: number }>());

  readonly onDidChangePage: Event<PageState> = this.pageChanged.event;
  /** Fires when another session, the same one from scratch, or none is shown. */
  readonly onDidShow: Event<void> = this.shown.event;
  /** Fires with ops that are already applied to the transcript. */
  readonly onDidApply: Event<readonly TranscriptOp[]> = this.applied.event;
  readonly onDidChangeFiles: Event<void> = this.filesChanged.event;
  readonly onDidGetOlder: Event<{ entries: readonly Entry[]; omitted: number }> = this.olderCame.event;

  constructor(fetchSnapshot: (session: SessionKey) => void) {
    super();
    this.fetchSnapshot = fetchSnapshot;
  }

  get page(): PageState {
    return this.state;
  }

  /** Whether the host has sent a page state yet. */
  get hasPage(): boolean {
    return this.isKnown;
  }

  get session(): SessionKey | '' {
    return this.current?.session ?? this.state.active;
  }

  get transcript(): Transcript | undefined {
    return this.current?.transcript;
  }

  /** The files with pending changes by the shown session. */
  get files(): readonly ReviewFile[] {
    return this.changed.session === this.session ? this.changed.files : noFiles.files;
  }

  /** Since when the last turn's changes are known, if it began earlier. */
  get recordedFrom(): number | undefined {
    return this.changed.session === this.session ? this.changed.recordedFrom : undefined;
  }

  /** What the user undid of the shown session and can redo. */
  get redo(): RedoOffer | undefined {
    return this.changed.session === this.session ? this.changed.redo : undefined;
  }

  /** The files that can't be undone. */
  get unprotected(): { readonly count: number; readonly first: string } {
    return this.exposed.session === this.session ? this.exposed : allProtected;
  }

  /** The number of problems that the last turn of the shown session caused. */
  get newProblems(): { readonly count: number; readonly errors: number } {
    return this.caused.session === this.session ? this.caused : noProblems;
  }

  /** Whether the editor follows the shown session. */
  get follow(): FollowState {
    return this.followed.session === this.session ? this.followed : notFollowed;
  }

  /** How many entries before the first one the host hasn't sent. */
  get omitted(): number {
    return this.current?.omitted ?? 0;
  }

  /** Handles a message from the host, if it is about state. */
  take(message: ToWebview): void {
    switch (message.type) {
      case 'page':
        this.takePage(message.page);
        return;
      case 'snapshot':
        this.awaitsSnapshot = false;
        this.current = {
          session: message.session,
          transcript: fromSnapshot(message.snapshot),
          omitted: message.snapshot.omitted,
        };
        this.shown.fire();
        return;
      case 'ops':
        this.takeOps(message.session, message.from, message.to, message.ops);
        return;
      case 'changes':
        if (message.session !== this.current?.session) return;
        this.changed = message;
        this.filesChanged.fire();
        return;
      case 'newProblems':
        if (message.session !== this.current?.session) return;
        this.caused = { session: message.session, count: message.count, errors: message.errors };
        this.filesChanged.fire();
        return;
      case 'following':
        if (message.session !== this.current?.session) return;
        this.followed = message;
        this.filesChanged.fire();
        return;
      case 'unprotected':
        if (message.session !== this.current?.session) return;
        this.exposed = { session: message.session, count: message.count, first: message.first };
        this.filesChanged.fire();
        return;
      case 'older':
        this.takeOlder(message.session, message.entries, message.omitted);
        return;
      default:
    }
  }

  /**
   * Drops the oldest entries of a long transcript, as if they hadn't been sent yet. At least `keep` entries remain. Returns the dropped
   * ones, oldest first.
   */
  trim(keep: number): readonly EntryId[] {
    const current = this.current;
    if (!current) return [];
    const { order, entries } = current.transcript;
    const dropped = order.splice(0, trimPoint(current.transcript, keep));
    for (const id of dropped) entries.delete(id);
    current.omitted += dropped.length;
    return dropped;
  }

  private takePage(page: PageState): void {
    this.state = page;
    this.isKnown = true;
    if (this.current && this.current.session !== page.active) {
      this.current = undefined;
      this.awaitsSnapshot = false;
      this.pageChanged.fire(page);
      this.shown.fire();
      return;
    }
    this.pageChanged.fire(page);
  }

  private takeOps(session: SessionKey, from: number, to: number, ops: readonly TranscriptOp[]): void {
    const current = this.current;
    if (current?.session !== session || this.awaitsSnapshot) return;
    // Sent before the snapshot, which already includes them.
    if (to <= current.transcript.rev) return;
    // An entry with an open request must be on the page. A new snapshot includes it once it asks.
    const isMissing = current.omitted > 0 && ops.some((op) => asksOfMissing(current.transcript, op));
    if (from !== current.transcript.rev || isMissing) {
      this.awaitsSnapshot = true;
      this.fetchSnapshot(session);
      return;
    }
    applyOps(current.transcript, ops);
    // Merged ops count as all the ops they replace.
    current.transcript.rev = to;
    this.applied.fire(ops);
  }

  private takeOlder(session: SessionKey, entries: readonly Entry[], omitted: number): void {
    const current = this.current;
    if (current?.session !== session) return;
    // A late response to a request from before entries were dropped: those between would be missing.
    if (omitted + entries.length < current.omitted) return;
    const fresh = entries.filter((entry) => !current.transcript.entries.has(entry.id));
    // A late response whose entries are already here.
    if (fresh.length === 0 && omitted >= current.omitted) return;
    current.omitted = omitted;
    current.transcript.order.unshift(...fresh.map((entry) => entry.id));
    for (const entry of fresh) current.transcript.entries.set(entry.id, entry);
    this.olderCame.fire({ entries: fresh, omitted });
  }
}

/** Returns whether an op opens a request in an entry that the transcript doesn't contain. */
function asksOfMissing({ entries }: Transcript, op: TranscriptOp): boolean {
  if (op.op === 'replace') return !entries.has(op.entry.id) && isWaitingForAnswer(op.entry);
  if (op.op !== 'patch' || op.kind !== 'tool_call') return false;
  return !entries.has(op.id) && op.fields.permission?.state === 'asked';
}
