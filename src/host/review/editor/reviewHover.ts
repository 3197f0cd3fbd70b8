import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { AgentAuthor, Author, Hunk } from '../../../review/hunks/hunk';
import { removedLines } from '../../../review/shown/removedText';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { Session } from '../../../session/session';
import { Disposable } from '../../../shared/values/disposable';
import type { ToolCallEntry } from '../../../shared/transcript/transcript';
import { shortenMiddle } from '../../../shared/text/visibleText';
import { PlainMarkdown } from '../../ui/plainMarkdown';
import { removedWords, undoIcon } from '../shown/changeWords';
import { toolCallOf } from '../recording/toolCallFiles';

const showCommand = 'parley.review.showOrigin';
const keepCommand = 'parley.review.keepChange';
const undoCommand = 'parley.review.undoChange';

/** Maximum number of removed lines shown. */
const maxRemoved = 20;
/** Maximum characters of a removed line. */
const maxLength = 500;

/**
 * Shows who changed a line, in which turn, and with which tool call, and links there. Has Keep and Undo and the removed
 * lines, because inside diffs there are no lenses, and no menus of extensions at each change.
 */
export class ReviewHover extends Disposable implements vscode.HoverProvider {
  private readonly log: ReviewLog;
  private readonly pool: AgentPool;

  constructor(log: ReviewLog, pool: AgentPool) {
    super();
    this.log = log;
    this.pool = pool;
    this.register(vscode.languages.registerHoverProvider({ scheme: 'file' }, this));
  }

  provideHover(document: vscode.TextDocument, { line }: vscode.Position): vscode.Hover | undefined {
    const uri = document.uri.toString();
    const file = this.log.file(uri);
    const hunks = file?.markedHunks ?? [];
    const hunk = hunks.find(({ start, end }) => line >= start && line < end) ?? removedAt(hunks, line);
    if (!file || !hunk) return undefined;
    const author = hunk.lineAuthors[line - hunk.start];
    const text = new PlainMarkdown(showCommand, keepCommand, undoCommand);
    for (const one of author ? [author] : hunk.authors) this.describe(text, one, hunk, document.uri.fsPath);
    const removed = file.snapshot.isWhole ? [] : removedLines(file.snapshot.text, hunk);
    if (removed.length > 0) {
      text.say(removedWords(removed.length));
      const shown = removed.slice(0, maxRemoved).map((one) => shortenMiddle(one, maxLength));
      text.code(shown, document.languageId);
      if (removed.length > maxRemoved) text.say(l10n.t('and {0} more', removed.length - maxRemoved));
    }
    text.link('check', l10n.t('Keep'), keepCommand, [uri, hunk.id]);
    text.link(undoIcon, l10n.t('Undo'), undoCommand, [uri, hunk.id], true);
    const last = Math.max(hunk.start, hunk.end - 1);
    const { range } = document.lineAt(Math.min(last, document.lineCount - 1));
    return new vscode.Hover(
      text.value,
      new vscode.Range(Math.min(hunk.start, range.end.line), 0, range.end.line, range.end.character),
    );
  }

  private describe(text: PlainMarkdown, author: Author, hunk: Hunk, path: string): void {
    if (author.kind === 'user') {
      text.say(l10n.t('You wrote this inside a change by {0}', agentNames(hunk)));
      return;
    }
    const session = this.pool.sessions.find(({ key }) => key === author.session);
    const call = session && callOf(session, author, path);
    const { agentName, turn } = author;
    const title = session?.transcript.view.title;
    const words = title
      ? l10n.t('{0} wrote this in turn {1} of “{2}”', agentName, turn, title)
      : l10n.t('{0} wrote this in turn {1}', agentName, turn);
    text.say(call ? `${words}: ${call.title}` : words);
    if (!session) return;
    const args = [author.session, author.turn, call?.toolCallId ?? author.toolCall ?? ''];
    text.link('comment-discussion', l10n.t('Show in chat'), showCommand, args);
  }
}

/** A change that only deletes lines is between two lines. Its removed lines are shown on the line before. */
function removedAt(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
}

function agentNames({ authors }: Hunk): string {
  const names = authors.flatMap((author) => (author.kind === 'agent' ? [author.agentName] : []));
  return [...new Set(names)].join(', ');
}

/** Agents may announce a call only after it wrote the file, so the author of a change doesn't always have it. */
function callOf(session: Session, author: AgentAuthor, path: string): ToolCallEntry | undefined {
  if (author.toolCall === undefined) return toolCallOf({ session, turn: author.turn }, path);
  for (const entry of session.transcript.entries.values()) {
    const call = entry.kind === 'tool_call' ? entry : undefined;
    if (call?.toolCallId === author.toolCall && call.turn === author.turn) return call;
  }
  return undefined;
}
