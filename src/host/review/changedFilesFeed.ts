import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { changedFiles } from '../../review/changedFiles';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import type { Event } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { ToWebview } from '../../shared/messages';
import type { ReviewFile } from '../../shared/review';
import { Coalesced } from '../base/coalesce';

/** What the list of changed files needs of a chat page. */
export interface ReviewPage {
  /** The session that the page shows. */
  readonly session:
    { readonly key: SessionKey; readonly transcript: { readonly view: { readonly cwd: string } } } | undefined;
  post(message: ToWebview): void;
}

/** What it needs of all of them. `onDidShow` says that a page forgot what it knew beside the transcript. */
export interface ReviewPages<Page extends ReviewPage> {
  readonly all: readonly Page[];
  readonly onDidShow: Event<Page>;
}

/** Keeps every chat page up to date about the files of its session that wait for review. */
export class ChangedFiles<Page extends ReviewPage> extends Disposable {
  private readonly log: ReviewLog;
  private readonly pages: ReviewPages<Page>;
  /** What a page was told last, as text: most changes of the log are none of the list. */
  private readonly told = new WeakMap<Page, string>();

  constructor(log: ReviewLog, pages: ReviewPages<Page>) {
    super();
    this.log = log;
    this.pages = pages;
    const soon = this.register(new Coalesced(() => this.tellAll()));
    this.register(log.onDidChange(() => soon.request()));
    this.register(
      pages.onDidShow((page) => {
        this.told.delete(page);
        this.tell(page, this.filesOf(page));
      }),
    );
  }

  private tellAll(): void {
    const lists = new Map<SessionKey, readonly ReviewFile[]>();
    for (const page of this.pages.all) {
      const key = page.session?.key;
      if (key === undefined) continue;
      const files = lists.get(key) ?? this.filesOf(page);
      lists.set(key, files);
      this.tell(page, files);
    }
  }

  private tell(page: Page, files: readonly ReviewFile[]): void {
    const session = page.session?.key;
    if (session === undefined) return;
    const text = JSON.stringify([session, files]);
    if (this.told.get(page) === text) return;
    this.told.set(page, text);
    page.post({ type: 'changes', session, files });
  }

  private filesOf({ session }: Page): readonly ReviewFile[] {
    if (session === undefined) return [];
    const { cwd } = session.transcript.view;
    return changedFiles(this.log, session.key, (uri) => shownPath(uri, cwd));
  }
}

/** As `ReviewFile.path` promises. */
export function shownPath(uri: string, cwd: string): string {
  const path = vscode.Uri.parse(uri).fsPath;
  const below = relative(cwd, path);
  const isBelow = below !== '' && !isAbsolute(below) && below !== '..' && !below.startsWith(`..${sep}`);
  // A backslash is a part of a name where it separates nothing.
  return (isBelow ? below : path).split(sep).join('/');
}
