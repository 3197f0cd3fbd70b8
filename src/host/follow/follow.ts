import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { Disposable, DisposableStore } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import { isAtWork } from '../../shared/transcript/lateWork';
import type { ToWebview } from '../../shared/pages/messages';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { SessionView, Transcript } from '../../shared/transcript/transcript';
import { placeOf, type AgentPlace } from './agentPlace';
import { PlaceTrail } from './placeTrail';

/** What the user did in an editor, so that following ends. */
export type EditorUse = 'typed' | 'clicked' | 'scrolled';

/** Shows places in an editor. */
export interface PlaceEditor {
  /** Shows a place without the focus. Resolves to false if the file isn't shown, or isn't there yet. */
  show(place: AgentPlace, view: SessionView): Promise<boolean>;
  /** Stops watching the editor. */
  leave(): void;
  readonly onDidUse: Event<EditorUse>;
}

/** A session as far as it is followed. */
export type FollowedSession = Pick<
  Session,
  'key' | 'transcript' | 'onDidApply' | 'isClosed' | 'isElsewhere' | 'addNotice'
>;

/** A chat page. */
export interface FollowPage {
  readonly session: { readonly key: SessionKey } | undefined;
  post(message: ToWebview): void;
}

/** What following needs. */
export interface FollowNeeds<Page extends FollowPage> {
  readonly pool: { readonly onDidChangeSessions: Event<void> };
  readonly pages: { readonly all: readonly Page[]; readonly onDidShow: Event<Page> };
  readonly editor: PlaceEditor;
  readonly report: (error: unknown) => void;
}

/** The session that is followed. */
interface Followed {
  readonly session: FollowedSession;
  readonly trail: PlaceTrail<AgentPlace>;
  /** Per tool call, the place that was shown of it. */
  readonly shown: Map<EntryId, string>;
  readonly parts: DisposableStore;
}

/**
 * Opens the files that an agent works at, of one session at a time. Ends when the user types, clicks, or scrolls in the
 * editor. A replay isn't work, so nothing opens during one.
 */
export class Follow<Page extends FollowPage> extends Disposable {
  private readonly needs: FollowNeeds<Page>;
  private followed: Followed | undefined;
  /** The newest place that waits for the one before it to open. */
  private next: { readonly entry: EntryId; readonly place: AgentPlace } | undefined;
  private isOpening = false;

  constructor(needs: FollowNeeds<Page>) {
    super();
    this.needs = needs;
    this.register(
      needs.pages.onDidShow((page) => {
        if (page.session) page.post(this.messageFor(page.session.key));
      }),
    );
    this.register(
      needs.pool.onDidChangeSessions(() => {
        if (this.followed?.session.isClosed) this.turnOff();
      }),
    );
    this.register(needs.editor.onDidUse((use) => this.used(use)));
    this.register({ dispose: () => this.followed?.parts.dispose() });
  }

  isOn(session: SessionKey): boolean {
    return this.followed?.session.key === session;
  }

  /** Follows a session, and no other. Does nothing if its files are on another machine. */
  turnOn(session: FollowedSession): void {
    if (this.isOn(session.key) || session.isClosed || session.isElsewhere) return;
    this.turnOff();
    const parts = new DisposableStore();
    this.followed = { session, trail: new PlaceTrail(), shown: new Map(), parts };
    parts.add(session.onDidApply((ops) => this.applied(session, ops)));
    this.tellPages(session.key);
    const { transcript } = session;
    const latest = isLive(transcript) ? latestCall(transcript) : undefined;
    if (latest !== undefined) this.consider(session, latest);
  }

  turnOff(): void {
    const { followed } = this;
    if (!followed) return;
    this.followed = undefined;
    this.next = undefined;
    followed.parts.dispose();
    this.needs.editor.leave();
    this.tellPages(followed.session.key);
  }

  /** Goes to the place before or after the one in the editor. */
  step(session: SessionKey, by: 1 | -1): void {
    const { followed } = this;
    if (followed?.session.key !== session) return;
    const place = followed.trail.step(by);
    if (!place) return;
    this.tellPages(session);
    void this.needs.editor.show(place, followed.session.transcript.view).catch(this.needs.report);
  }

  private applied(session: FollowedSession, ops: readonly TranscriptOp[]): void {
    if (!isLive(session.transcript)) return;
    for (const op of ops) {
      if (op.op === 'insert' || op.op === 'replace') this.consider(session, op.entry.id);
      if (op.op === 'patch' && op.kind === 'tool_call') this.consider(session, op.id);
    }
  }

  private consider(session: FollowedSession, entry: EntryId): void {
    const call = session.transcript.entries.get(entry);
    const place = call?.kind === 'tool_call' ? placeOf(call, session.transcript.view.cwd) : undefined;
    if (!place || this.followed?.shown.get(entry) === textOf(place)) return;
    this.next = { entry, place };
    if (!this.isOpening) void this.openNext().catch(this.needs.report);
  }

  private async openNext(): Promise<void> {
    this.isOpening = true;
    try {
      for (let next = this.next; next !== undefined; next = this.next) {
        this.next = undefined;
        const { followed } = this;
        if (followed) await this.open(followed, next.entry, next.place);
      }
    } finally {
      this.isOpening = false;
    }
  }

  private async open(followed: Followed, entry: EntryId, place: AgentPlace): Promise<void> {
    const { session, trail, shown } = followed;
    shown.set(entry, textOf(place));
    const isShown = trail.canGoForward || (await this.needs.editor.show(place, session.transcript.view));
    if (this.followed !== followed) return;
    if (isShown) trail.add(place);
    // A file that a call creates is there only when the call reports again.
    else shown.delete(entry);
    this.tellPages(session.key);
  }

  private used(use: EditorUse): void {
    const session = this.followed?.session;
    if (!session) return;
    this.turnOff();
    const title = l10n.t('Stopped following {0}', session.transcript.view.agentName);
    session.addNotice({ severity: 'info', title, description: useWords(use) });
  }

  private tellPages(session: SessionKey): void {
    const message = this.messageFor(session);
    for (const page of this.needs.pages.all) if (page.session?.key === session) page.post(message);
  }

  private messageFor(session: SessionKey): ToWebview {
    const trail = this.isOn(session) ? this.followed?.trail : undefined;
    const [canGoBack, canGoForward] = [trail?.canGoBack === true, trail?.canGoForward === true];
    return { type: 'following', session, isOn: trail !== undefined, canGoBack, canGoForward };
  }
}

/** Whether what the session reports is happening now. */
function isLive({ view }: Transcript): boolean {
  return view.connection.state === 'ready' && isAtWork(view);
}

function latestCall({ order, entries, view }: Transcript): EntryId | undefined {
  const turn = entries.get(order.at(-1) ?? ('' as EntryId))?.turn;
  return order.findLast((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn && placeOf(entry, view.cwd) !== undefined;
  });
}

function textOf({ path, line }: AgentPlace): string {
  return `${path}:${String(line ?? 0)}`;
}

function useWords(use: EditorUse): string {
  switch (use) {
    case 'typed':
      return l10n.t('You typed in an editor.');
    case 'clicked':
      return l10n.t('You clicked in an editor.');
    case 'scrolled':
      return l10n.t('You scrolled in the editor.');
  }
}
