import type { Unprotected } from '../../../baseline/baseline';
import { Disposable } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import type { ToWebview } from '../../../shared/pages/messages';
import type { ReviewPage, ReviewPages } from './changedFilesFeed';
import { unprotectedName } from './protectionWords';

/** Where the paths are stored that the user has seen in this workspace. */
const seenKey = 'parley.unprotectedSeen';
/** Maximum number of stored paths. */
const mostSeen = 500;

/** What isn't recorded before turns. */
export interface UnprotectedFiles {
  readonly unprotected: readonly Unprotected[];
  /** Fires when a turn's files were recorded. */
  readonly onDidChangeUnprotected: Event<void>;
}

export interface ProtectionOptions<Page extends ReviewPage> {
  readonly files: UnprotectedFiles;
  readonly pages: ReviewPages<Page>;
  readonly folders: () => readonly string[];
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
}

/** Tells all pages at the first turn in a folder which files can't be undone, until the user has seen it. */
export class Protection<Page extends ReviewPage> extends Disposable {
  private readonly options: ProtectionOptions<Page>;
  private readonly sent = new WeakMap<Page, string>();

  constructor(options: ProtectionOptions<Page>) {
    super();
    this.options = options;
    this.register(options.files.onDidChangeUnprotected(() => this.sendToAll()));
    this.register(
      options.pages.onDidShow((page) => {
        this.sent.delete(page);
        this.send(page);
      }),
    );
  }

  /** Remembers that the user has seen the list. */
  async dismiss(): Promise<void> {
    const paths = this.options.files.unprotected.map(({ path }) => path);
    await this.options.state.update(seenKey, [...new Set([...paths, ...this.seen])].slice(0, mostSeen));
    this.sendToAll();
  }

  private get seen(): readonly unknown[] {
    const stored = this.options.state.get(seenKey);
    return Array.isArray(stored) ? (stored as readonly unknown[]) : [];
  }

  private sendToAll(): void {
    for (const page of this.options.pages.all) this.send(page);
  }

  private send(page: Page): void {
    const session = page.session?.key;
    if (session === undefined) return;
    const seen = new Set(this.seen);
    const all = this.options.files.unprotected.filter(({ path }) => !seen.has(path));
    const first = all[0] ? unprotectedName(all[0], this.options.folders()) : '';
    const message: ToWebview = { type: 'unprotected', session, count: all.length, first };
    const text = JSON.stringify(message);
    // A page shows nothing at first.
    if (text === this.sent.get(page) || (all.length === 0 && !this.sent.has(page))) return;
    this.sent.set(page, text);
    page.post(message);
  }
}
