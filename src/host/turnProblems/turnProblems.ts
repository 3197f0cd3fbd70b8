import type { Session } from '../../session/session';
import { Disposable, type IDisposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { AutomaticTurns } from './automaticTurns';
import { newProblems, remaining, type FileInTurn, type NewProblem, type ProblemsByFile } from './newProblems';
import * as l10n from '@vscode/l10n';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { quotedProblem } from '../editor/problemText';

/** The part of a session that problems are sent in. */
export type ProblemSession = Pick<Session, 'key' | 'transcript' | 'endedTurns' | 'sendPrompt'>;

/** The part of a watched turn that is used. See `WatchedTurn`. */
export interface ProblemTurn {
  readonly session: ProblemSession;
  readonly turn: number;
  /** Settles once the changes of the turn are known. Absent until the agent has answered. */
  readonly looked?: Promise<void>;
}

/** What turns do, as the review sees it. */
export interface ProblemTurns {
  readonly current: readonly ProblemTurn[];
  /** Fires when a turn began. */
  readonly onDidBegin: Event<void>;
  /** Fires when a session's state changed, so that a turn may have ended. */
  readonly onDidChange: Event<void>;
  /** Fires after an agent changed a file. */
  readonly onDidTouch: Event<{ readonly turn: ProblemTurn; readonly uri: string }>;
  /** Returns whether a turn changed this line of a file, which starts at 1. */
  isChangedLine(turn: ProblemTurn, uri: string, line: number): boolean;
}

/** What the editor knows about problems. */
export interface EditorProblems {
  /** The problems of all files now. */
  now(): ProblemsByFile;
  /** The URIs of the files that language services check now. */
  checked(): ReadonlySet<string>;
  /** Fires when problems changed. */
  readonly onDidChange: Event<void>;
  /** Fires with the URI of a file whose text changed in the editor. */
  readonly onDidEdit: Event<string>;
  /** Prepares for `settle`, which must know what is edited from now on. */
  follow(): void;
  /** Resolves once the problems of these files are up to date. Files that no service checks are opened only if `opens`. */
  settle(uris: readonly string[], opens: boolean, signal: AbortSignal): Promise<void>;
}

/** A page that shows a session. */
export interface ProblemPage {
  readonly session: { readonly key: SessionKey } | undefined;
  post(message: ToWebview): void;
}

export interface TurnProblemsOptions<Page extends ProblemPage> {
  readonly turns: ProblemTurns;
  readonly problems: EditorProblems;
  readonly pages: { readonly all: readonly Page[]; readonly onDidShow: Event<Page> };
  readonly settings: { get(key: 'sendNewProblems'): boolean };
  readonly automatic: AutomaticTurns;
  /** Returns the path of a file for a session's agent. */
  readonly pathOf: (uri: string, cwd: string) => string;
  readonly report: (error: unknown) => void;
}

/** A running turn. */
interface Watch {
  /** The problems before the turn's first change. */
  before: ProblemsByFile;
  checked: ReadonlySet<string>;
  readonly touched: Set<string>;
  readonly edited: Set<string>;
  /** Whether the turn answers a message that Parley sent by itself. */
  readonly isAutomatic: boolean;
  readonly over: AbortController;
  isConcluded: boolean;
}

/**
 * Finds the problems that an agent's turn caused. The user can send them back with one click, or a setting sends them
 * once per message of the user.
 */
export class TurnProblems<Page extends ProblemPage> extends Disposable {
  private readonly options: TurnProblemsOptions<Page>;
  private readonly watches = new Map<ProblemTurn, Watch>();
  private readonly found = new Map<SessionKey, readonly NewProblem[]>();

  constructor(options: TurnProblemsOptions<Page>) {
    super();
    this.options = options;
    const { turns, problems, pages } = options;
    this.register(
      turns.onDidBegin(() => {
        // A turn must begin whatever the editor's problems do.
        try {
          this.follow();
        } catch (error) {
          options.report(error);
        }
      }),
    );
    this.register(turns.onDidChange(() => this.sessionsChanged()));
    this.register(
      turns.onDidTouch(({ turn, uri }) => {
        this.watches.get(turn)?.touched.add(uri);
      }),
    );
    this.register(problems.onDidChange(() => this.problemsChanged()));
    this.register(
      problems.onDidEdit((uri) => {
        for (const { edited } of this.watches.values()) edited.add(uri);
      }),
    );
    this.register(pages.onDidShow((page) => this.post(page)));
    const stop: IDisposable = { dispose: () => this.watches.forEach(({ over }) => over.abort()) };
    this.register(stop);
  }

  /** Sends a session's new problems to its agent, as a message of the user. */
  send(session: ProblemSession): void {
    const found = this.found.get(session.key) ?? [];
    this.show(session.key, []);
    if (found.length > 0) this.sendAll(session, found);
  }

  private sendAll(session: ProblemSession, found: readonly NewProblem[]): void {
    const { cwd } = session.transcript.view;
    session.sendPrompt(problemReport(found, (uri) => this.options.pathOf(uri, cwd)));
  }

  private follow(): void {
    const current = new Set(this.options.turns.current);
    for (const [turn, watch] of this.watches) {
      if (!current.has(turn) && !watch.isConcluded) this.watches.delete(turn);
    }
    for (const turn of current) {
      // The work of an earlier turn that continues isn't a new turn.
      if (!this.watches.has(turn) && turn.looked === undefined && isBusy(turn.session)) this.begin(turn);
    }
  }

  private begin(turn: ProblemTurn): void {
    const { key } = turn.session;
    for (const [other, { over }] of this.watches) if (other.session.key === key) over.abort();
    const { problems } = this.options;
    problems.follow();
    this.watches.set(turn, {
      before: problems.now(),
      checked: problems.checked(),
      touched: new Set(),
      edited: new Set(),
      isAutomatic: this.options.automatic.includes(turn),
      over: new AbortController(),
      isConcluded: false,
    });
    this.show(key, []);
  }

  private sessionsChanged(): void {
    for (const [turn, watch] of this.watches) {
      if (watch.isConcluded || turn.looked === undefined || isBusy(turn.session)) continue;
      watch.isConcluded = true;
      void this.conclude(turn, watch, turn.looked)
        .catch(this.options.report)
        .finally(() => this.watches.delete(turn));
    }
  }

  private async conclude(turn: ProblemTurn, watch: Watch, looked: Promise<void>): Promise<void> {
    const { session } = turn;
    const { problems, settings, turns } = this.options;
    const { touched, over, before, checked, edited } = watch;
    await looked;
    // Other files can only have new problems because of these.
    const isOver = () => over.signal.aborted;
    if (touched.size === 0 || isOver()) return;
    const sends = settings.get('sendNewProblems') && !watch.isAutomatic;
    await problems.settle([...touched], sends, over.signal);
    if (isOver()) return;
    // What the user edited in other files isn't the agent's work.
    const now = new Map(
      [...problems.now()].filter(([uri]) => touched.has(uri) || (checked.has(uri) && !edited.has(uri))),
    );
    const fileInTurn = (uri: string): FileInTurn => ({
      wasChecked: checked.has(uri) || before.has(uri),
      isChangedLine: (line) => turns.isChangedLine(turn, uri, line),
    });
    const found = newProblems(before, now, fileInTurn);
    const own = found.filter(({ uri }) => touched.has(uri));
    if (sends && own.length > 0 && session.endedTurns.last === 'completed' && isFree(session)) {
      this.options.automatic.send(session.key);
      this.sendAll(session, own);
    } else this.show(session.key, found);
  }

  private problemsChanged(): void {
    const { problems } = this.options;
    for (const watch of this.watches.values()) {
      // Until the agent changes something, the language services may only be starting.
      if (watch.touched.size + watch.edited.size > 0 || watch.isConcluded) continue;
      watch.before = problems.now();
      watch.checked = problems.checked();
    }
    if (this.found.size === 0) return;
    const now = problems.now();
    for (const [key, found] of this.found) {
      const left = remaining(found, now);
      if (left.length < found.length) this.show(key, left);
    }
  }

  private show(key: SessionKey, found: readonly NewProblem[]): void {
    if (found.length === 0 && !this.found.delete(key)) return;
    if (found.length > 0) this.found.set(key, found);
    for (const page of this.options.pages.all) if (page.session?.key === key) this.post(page);
  }

  private post(page: Page): void {
    const { session } = page;
    if (!session) return;
    const found = this.found.get(session.key) ?? [];
    const errors = found.filter(({ problem }) => problem.severity === 'error').length;
    page.post({ type: 'newProblems', session: session.key, count: found.length, errors });
  }
}

function isBusy({ transcript }: Pick<ProblemSession, 'transcript'>): boolean {
  return transcript.view.activity.state !== 'idle';
}

/** Returns whether a message that is sent now starts a turn of its own at once. */
export function isFree(session: Pick<ProblemSession, 'transcript'>): boolean {
  const { connection, queue } = session.transcript.view;
  return !isBusy(session) && connection.state === 'ready' && queue.length === 0;
}

/** Maximum number of problems in a message. */
export const mostReported = 20;

/** Returns a message that asks an agent to fix the problems of its changes. What tools say about them is quoted. */
export function problemReport(found: readonly NewProblem[], pathOf: (uri: string) => string): string {
  const title =
    found.length === 1
      ? l10n.t('Your changes caused a new problem. Fix it:')
      : l10n.t('Your changes caused {0} new problems. Fix them:', found.length);
  const shown = found.slice(0, mostReported).map(({ uri, problem }) => {
    const place = l10n.t('{0}, line {1}:', showHiddenOnOneLine(pathOf(uri)), problem.line);
    return `${place}\n\n${quotedProblem(problem)}`;
  });
  const more = found.length - shown.length;
  const rest = more > 0 ? [l10n.t('And {0} more.', more)] : [];
  return `${[title, ...shown, ...rest].join('\n\n')}\n`;
}
