import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Disposable, toDisposable } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import { withLines } from '../../../shared/text/lineFragment';
import type { FollowedFile, ToWebview } from '../../../shared/pages/messages';
import type { ShownFiles } from '../../editor/shownFile';
import { linesOf } from './attach';
import { whyWithheld } from './withheld';

/** How long changes are collected, in milliseconds: about a frame of the page. */
const frameMs = 16;

/** The setting that the follower obeys. */
export interface FollowSetting {
  get(key: 'context.activeEditor'): boolean;
  readonly onDidChange: Event<void>;
}

/** A page that shows the file. */
interface FollowingPage {
  post(message: ToWebview): void;
}

/** The pages of the window. See `ChatPages`. */
export interface FollowingPages {
  readonly visiblePages: readonly FollowingPage[];
  readonly onDidChange: Event<void>;
  readonly onDidLoad: Event<FollowingPage>;
}

/**
 * Tells visible chat pages which file is in the active editor, and which lines are selected there. While no page is
 * visible, it does nothing.
 */
export class EditorFollower extends Disposable {
  private readonly shown: Pick<ShownFiles, 'current' | 'onDidChange'>;
  private readonly pages: FollowingPages;
  private readonly setting: FollowSetting;
  private readonly report: (error: unknown) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private verdict: { readonly uri: string; readonly withheld: Promise<FollowedFile['withheld']> } | undefined;
  /** Counts updates, because a later one may be ready before an earlier one. */
  private updates = 0;
  private readonly posted = new WeakMap<FollowingPage, string>();

  constructor(
    shown: Pick<ShownFiles, 'current' | 'onDidChange'>,
    pages: FollowingPages,
    setting: FollowSetting,
    report: (error: unknown) => void,
  ) {
    super();
    this.shown = shown;
    this.pages = pages;
    this.setting = setting;
    this.report = report;
    const soon = () => this.soon();
    this.register(toDisposable(() => clearTimeout(this.timer)));
    this.register(shown.onDidChange(soon));
    // The rules that withhold a file may have changed with it.
    this.register(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith('/.gitignore')) this.judgeAgain();
      }),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.judgeAgain()));
    this.register(setting.onDidChange(soon));
    this.register(pages.onDidChange(soon));
    this.register(
      pages.onDidLoad((page) => {
        this.posted.delete(page);
        soon();
      }),
    );
  }

  private judgeAgain(): void {
    this.verdict = undefined;
    this.soon();
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.update().catch(this.report);
    }, frameMs);
  }

  private async update(): Promise<void> {
    const update = ++this.updates;
    if (this.pages.visiblePages.length === 0) return;
    const file = this.setting.get('context.activeEditor') ? await this.find() : undefined;
    if (update !== this.updates || this.isDisposed) return;
    const print = JSON.stringify(file ?? null);
    for (const page of this.pages.visiblePages) {
      if ((this.posted.get(page) ?? 'null') === print) continue;
      this.posted.set(page, print);
      page.post({ type: 'followedFile', ...(file && { file }) });
    }
  }

  private async find(): Promise<FollowedFile | undefined> {
    const shown = this.shown.current;
    if (!shown) return undefined;
    const { uri, editor } = shown;
    const selection = editor?.selection;
    const address = uri.toString();
    if (this.verdict?.uri !== address) this.verdict = { uri: address, withheld: whyWithheld(uri) };
    const withheld = await this.verdict.withheld;
    return {
      uri: selection && !selection.isEmpty ? withLines(address, linesOf(selection)) : address,
      name: basename(uri.path),
      ...(withheld && { withheld }),
    };
  }
}
