import { Disposable } from '../../src/shared/disposable';
import { Emitter, type Event } from '../../src/shared/event';
import type { SessionKey } from '../../src/shared/ids';
import type { PageState, ToWebview } from '../../src/shared/messages';
import { applyOps, fromSnapshot, type MutableTranscript, type TranscriptOp } from '../../src/shared/ops';
import type { ReviewFile } from '../../src/shared/review';
import { isWaitingForAnswer } from '../../src/shared/openQuestion';
import type { Entry, Transcript } from '../../src/shared/transcript';

const emptyPage: PageState = {
  trusted: true,
  folder: '',
  agents: [],
  defaultAgent: '' as PageState['defaultAgent'],
  sessions: [],
  active: '',
  host: 'view',
  locale: 'en',
};

const noFiles = { session: '', files: [] } as const;

/**
 * The page's copy of what the host says: the page state and a replica of one session's transcript. Ops are applied in the
 * order of their revisions; after a gap the store asks for the whole session and takes nothing else until it is there.
 */
export class Store extends Disposable {
  private readonly fetchSnapshot: (session: SessionKey) => void;
  private current: { session: SessionKey; transcript: MutableTranscript; omitted: number } | undefined;
  private state: PageState = emptyPage;
  private isKnown = false;
  private awaitsSnapshot = false;
  private changed: { readonly session: SessionKey | ''; readonly files: readonly ReviewFile[] } = noFiles;

  private readonly pageChanged = this.register(new Emitter<PageState>());
  private readonly shown = this.register(new Emitter<void>());
  private readonly applied = this.register(new Emitter<readonly TranscriptOp[]>());
  private readonly filesChanged = this.register(new Emitter<void>());
  private readonly olderCame = this.register(new Emitter<{ entries: readonly Entry[]; omitted: number }>());

  readonly onDidChangePage: Event<PageState> = this.pageChanged.event;
  /** Another session, the same one anew, or none. */
  readonly onDidShow: Event<void> = this.shown.event;
  /** Ops that the transcript now holds. */
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

  /** Whether the host has said anything yet. */
  get hasPage(): boolean {
    return this.isKnown;
  }

  get session(): SessionKey | '' {
    return this.current?.session ?? this.state.active;
  }

  get transcript(): Transcript | undefined {
    return this.current?.transcript;
  }

  /** Files that the session shown changed and that wait for review. */
  get files(): readonly ReviewFile[] {
    return this.changed.session === this.session ? this.changed.files : noFiles.files;
  }

  /** How many entries before the first one stayed in the host. */
  get omitted(): number {
    return this.current?.omitted ?? 0;
  }

  /** Takes one message of the host. Messages that are not about state are left to others. */
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
        this.changed = { session: message.session, files: message.files };
        this.filesChanged.fire();
        return;
      case 'older':
        this.takeOlder(message.session, message.entries, message.omitted);
        return;
      default:
    }
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
    // Sent before the snapshot that already holds them.
    if (to <= current.transcript.rev) return;
    // What asks must be on the page. An entry that was left out comes with the snapshot once it asks.
    const isMissing = current.omitted > 0 && ops.some((op) => asksOfMissing(current.transcript, op));
    if (from !== current.transcript.rev || isMissing) {
      this.awaitsSnapshot = true;
      this.fetchSnapshot(session);
      return;
    }
    applyOps(current.transcript, ops);
    // Ops that were joined on the way count as what they were joined from.
    current.transcript.rev = to;
    this.applied.fire(ops);
  }

  private takeOlder(session: SessionKey, entries: readonly Entry[], omitted: number): void {
    const current = this.current;
    if (current?.session !== session) return;
    const fresh = entries.filter((entry) => !current.transcript.entries.has(entry.id));
    // A stale answer: what it brings is already here.
    if (fresh.length === 0 && omitted >= current.omitted) return;
    current.omitted = omitted;
    current.transcript.order.unshift(...fresh.map((entry) => entry.id));
    for (const entry of fresh) current.transcript.entries.set(entry.id, entry);
    this.olderCame.fire({ entries: fresh, omitted });
  }
}

/** Whether an op opens a question in an entry that the transcript does not hold. */
function asksOfMissing({ entries }: Transcript, op: TranscriptOp): boolean {
  if (op.op === 'replace') return !entries.has(op.entry.id) && isWaitingForAnswer(op.entry);
  if (op.op !== 'patch' || op.kind !== 'tool_call') return false;
  return !entries.has(op.id) && op.fields.permission?.state === 'asked';
}
