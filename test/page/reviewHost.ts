import type { SessionKey } from '../../src/shared/values/ids';
import type { FromReviewPage, HunkWish, ReviewContent, ToReviewPage } from '../../src/shared/changes/reviewPage';
import { stateOf, linesWithBreaks, type FileState } from '../../src/review/files/fileState';
import type { Author } from '../../src/review/hunks/hunk';
import { hunksToShow } from '../../src/review/hunks/reviewHunks';
import { ReviewLog } from '../../src/review/log/reviewLog';
import type { TrackedFileData } from '../../src/review/log/trackedFileData';
import { ReviewRound } from '../../src/review/shown/reviewRound';
import type { Chat } from './chat';

const agent: Author = { kind: 'agent', agentName: 'Claude', session: 's' as SessionKey, turn: 1 };

/** Findings of axe: colors of code on the theme's own background of added lines, and lines that the keys of their change scroll. */
export const isOfDiff = (problem: string): boolean =>
  /^(?:color-contrast: <(?:span class="tk-|mark>)|scrollable-region-focusable: <div class="pl-diff)/.test(problem);

/** The host of a review page, with a real review log and without files on disk. */
export class ReviewHost {
  readonly log = new ReviewLog();
  readonly chat: Chat;
  /** Contents of files that aren't shown by lines. */
  readonly contents = new Map<string, ReviewContent>();
  private readonly round = new ReviewRound(this.log, {}, (uri) => uri.replace('file:///', ''));
  private answered = 0;
  /** What each decision undid, without those that were taken back. */
  private readonly decisions: (readonly { readonly uri: string; readonly snapshot: TrackedFileData }[])[] = [];
  isWriting = false;
  /** Whether the files are in a worktree. */
  canBring = false;

  constructor(chat: Chat) {
    this.chat = chat;
  }

  /** An agent writes a file. `undefined` means that there is none. */
  write(path: string, before: string | undefined, after: string | undefined, author = agent): void {
    const uri = `file:///${path}`;
    this.log.track(uri, stateFor(before));
    this.log.agentEdit(uri, stateFor(after), author);
  }

  async open(): Promise<void> {
    await this.send(true);
    await this.settle();
  }

  /** Tells the page what changed in the log, and answers until it asks nothing more. */
  async update(): Promise<void> {
    await this.send(false);
    await this.settle();
  }

  /** Carries out what the page asked for. */
  async settle(): Promise<void> {
    for (;;) {
      const posted = (await this.chat.allPosted()) as unknown as readonly FromReviewPage[];
      const fresh = posted.slice(this.answered);
      if (fresh.length === 0) return;
      this.answered = posted.length;
      for (const message of fresh) await this.answer(message);
    }
  }

  /** What the page has asked for, of one type. */
  async asked<Type extends FromReviewPage['type']>(
    type: Type,
  ): Promise<readonly Extract<FromReviewPage, { type: Type }>[]> {
    const posted = (await this.chat.allPosted()) as unknown as readonly FromReviewPage[];
    return posted.filter((message): message is Extract<FromReviewPage, { type: Type }> => message.type === type);
  }

  /** The answer to a page that wants to show a file. */
  contentOf(uri: string, wishes: readonly HunkWish[]): ToReviewPage | undefined {
    const file = this.log.file(uri);
    const revision = this.round.file(uri)?.revision;
    if (!file || revision === undefined) return undefined;
    const ids = new Set(this.round.idsOf(uri));
    const content = this.contents.get(uri) ?? { kind: 'lines', hunks: hunksToShow(file.snapshot.text, ids, wishes) };
    return { type: 'reviewContent', uri, revision, content };
  }

  private async answer(message: FromReviewPage): Promise<void> {
    if (message.type === 'readFile') {
      const content = this.contentOf(message.uri, message.wishes);
      if (content) await this.chat.receive(content);
    } else if (message.type === 'decide') {
      const undone: { readonly uri: string; readonly snapshot: TrackedFileData }[] = [];
      this.decisions.push(undone);
      for (const { uri, hunk } of message.changes) {
        const ids = hunk ? this.round.idsOf(uri).filter((id) => id === hunk.id) : ('all' as const);
        if (message.action === 'keep') this.log.keep(uri, ids);
        else {
          const plan = this.log.undo(uri, ids);
          const snapshot = this.log.file(uri)?.snapshot;
          if (plan && snapshot) undone.push({ uri, snapshot });
          if (plan) this.log.userEdit(uri, plan.result);
        }
      }
      await this.send(false);
      await this.chat.receive({ type: 'decided' });
    } else if (message.type === 'undoLast') {
      const undone = this.decisions.pop() ?? [];
      for (const { uri, snapshot } of undone) this.log.putBack(uri, snapshot);
      if (undone.length === 0) this.log.undoLastKeep();
      await this.send(false);
    }
  }

  private async send(isFresh: boolean): Promise<void> {
    const news = this.round.update();
    await this.chat.receive({
      type: 'review',
      isFresh,
      agents: this.round.agents,
      known: ['Claude', 'Codex', 'Gemini'],
      title: 'Retry flaky uploads',
      isWriting: this.isWriting,
      canUndoLast: this.decisions.length > 0,
      ...(this.canBring ? { canBring: true } : {}),
      ...(isFresh ? this.round.all : news),
    });
  }
}

function stateFor(text: string | undefined): FileState {
  return text === undefined ? { kind: 'absent' } : stateOf(linesWithBreaks(text));
}
