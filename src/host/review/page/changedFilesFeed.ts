import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { changedFiles } from '../../../review/shown/changedFiles';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import type { ToWebview } from '../../../shared/pages/messages';
import type { RedoOffer, ReviewFile } from '../../../shared/changes/review';
import type { RecordingGaps } from '../stored/recordingGaps';
import { Coalesced } from '../../base/coalesce';

/** The part of a chat page that the list of changed files uses. */
export interface ReviewPage {
  /** The session on the page. */
  readonly session:
    { readonly key: SessionKey; readonly transcript: { readonly view: { readonly cwd: string } } } | undefined;
  post(message: ToWebview): void;
}

/**
 * The events of all pages. `onDidShow` fires when a page was reset to its transcript and needs everything else again.
 */
export interface ReviewPages<Page extends ReviewPage> {
  readonly all: readonly Page[];
  readonly onDidShow: Event<Page>;
}

/** What can be redone, by session. */
interface Redo {
  of(session: SessionKey): RedoOffer | undefined;
  readonly onDidChange: Event<void>;
}

/** Keeps the list of changed files up to date on every chat page, for the page's session. */
export class ChangedFiles<Page extends ReviewPage> extends Disposable {
  private readonly log: ReviewLog;
  private readonly pages: ReviewPages<Page>;
  private readonly gaps: Pick<RecordingGaps, 'of' | 'onDidChange'> | undefined;
  private readonly redo: Redo | undefined;
  /** The last message sent to each page, as text. Most changes of the log don't change the list. */
  private readonly sent = new WeakMap<Page, string>();

  constructor(log: ReviewLog, pages: ReviewPages<Page>, gaps?: Pick<RecordingGaps, 'of' | 'onDidChange'>, redo?: Redo) {
    super();
    this.gaps = gaps;
    this.redo = redo;
    this.log = log;
    this.pages = pages;
    const soon = this.register(new Coalesced(() => this.sendToAll()));
    this.register(log.onDidChange(() => soon.request()));
    if (gaps) this.register(gaps.onDidChange(() => soon.request()));
    if (redo) this.register(redo.onDidChange(() => soon.request()));
    this.register(
      pages.onDidShow((page) => {
        this.sent.delete(page);
        this.send(page, this.filesOf(page));
      }),
    );
  }

  private sendToAll(): void {
    const lists = new Map<SessionKey, readonly ReviewFile[]>();
    for (const page of this.pages.all) {
      const key = page.session?.key;
      if (key === undefined) continue;
      const files = lists.get(key) ?? this.filesOf(page);
      lists.set(key, files);
      this.send(page, files);
    }
  }

  private send(page: Page, files: readonly ReviewFile[]): void {
    const session = page.session?.key;
    if (session === undefined) return;
    const recordedFrom = this.gaps?.of(session);
    const redo = this.redo?.of(session);
    const text = JSON.stringify([session, files, recordedFrom, redo]);
    if (this.sent.get(page) === text) return;
    this.sent.set(page, text);
    page.post({
      type: 'changes',
      session,
      files,
      ...(recordedFrom === undefined ? {} : { recordedFrom }),
      ...(redo && { redo }),
    });
  }

  private filesOf({ session }: Page): readonly ReviewFile[] {
    if (session === undefined) return [];
    const { cwd } = session.transcript.view;
    return changedFiles(this.log, session.key, (uri) => shownPath(uri, cwd));
  }
}

/** Returns the path as defined by `ReviewFile.path`. */
export function shownPath(uri: string, cwd: string): string {
  const path = vscode.Uri.parse(uri).fsPath;
  const below = relative(cwd, path);
  const isBelow = below !== '' && !isAbsolute(below) && below !== '..' && !below.startsWith(`..${sep}`);
  // On platforms with another separator, a backslash is part of a name.
  return (isBelow ? below : path).split(sep).join('/');
}
