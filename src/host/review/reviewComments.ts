import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { commentPrompt } from '../../review/commentPrompt';
import { commentTarget, otherAuthor } from '../../review/commentTarget';
import type { Author, HunkId } from '../../review/hunk';
import type { ReviewLog } from '../../review/reviewLog';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import { createTextBox } from '../ui/quickInput';
import { authorNames } from './changeWords';
import { newSessionChoice, pickReader } from './commentReader';
import { TypedBeforeFocus } from './typedBeforeFocus';

/** The change that a comment is about, as it was when the comment began. */
interface Subject {
  readonly uri: string;
  readonly id: string;
  readonly line: number;
  readonly authors: readonly Author[];
}

/**
 * Comments on changes. One is sent to the change's author as the next message, with file, lines, and diff. It is typed into
 * an input box, because that takes the focus at once: the editor's own comment boxes take it late and don't say when, so
 * that words reach the file.
 */
export class ReviewComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly pool: AgentPool;
  /** Comments that were begun and not sent, by change. */
  private readonly drafts = new Map<string, string>();
  /** Changes that comments were begun on elsewhere, by change. */
  private readonly begun = new Map<string, Subject>();
  private closeBox: () => void = () => undefined;

  constructor(log: ReviewLog, pool: AgentPool) {
    super();
    this.log = log;
    this.pool = pool;
    this.register({ dispose: () => this.closeBox() });
  }

  /** Asks for a comment on a change and sends it. One that isn't sent is there again the next time. */
  async comment(uri: string, id: HunkId): Promise<void> {
    const subject = this.subjectOf(uri, id);
    if (!subject) return;
    const typed = new TypedBeforeFocus();
    // Keeps what is in it.
    this.closeBox();
    try {
      let typedAhead = () => typed.takeBack();
      let isReturned = false;
      for (;;) {
        const { text, isSent } = await this.ask(subject, typedAhead, isReturned);
        if (!isSent) return;
        if (await this.send(subject, text)) break;
        isReturned = true;
        typedAhead = () => Promise.resolve('');
      }
      this.drafts.delete(keyOf(subject));
    } finally {
      typed.dispose();
    }
  }

  /** Remembers a change that the user begins to comment on elsewhere, in case it is gone when they send the comment. */
  begin(uri: string, id: string): void {
    const subject = this.subjectOf(uri, id);
    if (subject) this.begun.set(keyOf(subject), subject);
  }

  /** Sends a comment that was typed elsewhere. Resolves to false if no session gets it. */
  async sendTyped(uri: string, id: string, text: string): Promise<boolean> {
    const key = keyOf({ uri, id });
    const subject = this.subjectOf(uri, id) ?? this.begun.get(key);
    const isSent = subject !== undefined && text.trim() !== '' && (await this.send(subject, text));
    if (isSent) this.begun.delete(key);
    return isSent;
  }

  /** Sends a comment. Resolves to false if no session gets it. */
  private async send({ uri, id, line, authors }: Subject, text: string): Promise<boolean> {
    const file = this.log.file(uri);
    const hunk = file?.hunks.find((one) => one.id === id);
    const path = vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false);
    const makers = hunk?.authors ?? authors;
    const words = (reader?: Session) => commentPrompt(text, path, line, file, hunk, otherAuthor(makers, reader?.key));
    return this.deliver(makers, words, uri);
  }

  private subjectOf(uri: string, id: string): Subject | undefined {
    const file = this.log.file(uri);
    const hunk = file?.hunks.find((one) => one.id === id);
    const change = hunk ?? file?.traitChanges.find((one) => one.id === id);
    return change && { uri, id, line: hunk?.start ?? 0, authors: change.authors };
  }

  /** Resolves once the user sends the comment or closes the box. What was typed is a draft from then on. */
  private async ask(
    subject: Subject,
    typedAhead: () => Promise<string>,
    isReturned: boolean,
  ): Promise<{ readonly text: string; readonly isSent: boolean }> {
    const draft = this.drafts.get(keyOf(subject)) ?? '';
    const box = createTextBox();
    box.title = l10n.t('Comment on this change');
    box.placeholder = l10n.t('Ask {0} for a different change', authorNames(subject.authors));
    box.value = draft;
    box.valueSelection = [draft.length, draft.length];
    box.ignoreFocusOut = true;
    if (isReturned) box.validationMessage = l10n.t('Not sent');
    box.show();
    let ahead = '';
    // The words aren't put into the box, because that would replace what is being typed there.
    const isTaken = typedAhead().then((words) => {
      ahead = words;
      if (words.trim() !== '') box.prompt = l10n.t('Starts with what you typed before: “{0}”', words.trim());
    });
    const text = () => withAhead(draft, ahead, box.value);
    const keep = () => this.drafts.set(keyOf(subject), text());
    let close = (): void => undefined;
    try {
      const isSent = await new Promise<boolean>((resolve) => {
        close = () => {
          keep();
          resolve(false);
        };
        this.closeBox = close;
        box.onDidHide(() => resolve(false));
        box.onDidChangeValue(() => (box.validationMessage = undefined));
        box.onDidAccept(async () => {
          await isTaken;
          if (text().trim() === '') box.validationMessage = l10n.t('Type a comment to send.');
          else resolve(true);
        });
      });
      await isTaken;
      keep();
      return { text: text(), isSent };
    } finally {
      if (this.closeBox === close) this.closeBox = () => undefined;
      box.dispose();
    }
  }

  /** Resolves to true if a session received the comment. */
  private async deliver(
    authors: readonly Author[],
    words: (reader?: Session) => string,
    uri: string,
  ): Promise<boolean> {
    const { sessions } = this.pool;
    const open = sessions.map((session) => ({ key: session.key, agentName: session.context.agentName, session }));
    const target = commentTarget(open, authors);
    const reader = target.kind === 'session' ? target.session.session : await pickReader(sessions, target.agentName);
    if (reader === undefined) return false;
    if (reader !== newSessionChoice) {
      // The session may have been closed while the question was open.
      if (!this.pool.sessions.includes(reader)) return false;
      reader.sendPrompt(words(reader));
      return true;
    }
    const newest = this.pool.sessions.at(-1);
    const cwd = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri))?.uri.fsPath;
    const agent = target.kind === 'other' ? target.agentName : undefined;
    const options = { prompt: words(), ...(agent !== undefined && { agent }), ...(cwd !== undefined && { cwd }) };
    await vscode.commands.executeCommand('parley.newSession', options);
    // If no session was opened, the command has shown why.
    return this.pool.sessions.at(-1) !== newest;
  }
}

function keyOf({ uri, id }: Pick<Subject, 'uri' | 'id'>): string {
  return `${uri} ${id}`;
}

/** Puts the words that came before the focus where they would have been: behind the draft, which the box began with. */
function withAhead(draft: string, ahead: string, value: string): string {
  return value.startsWith(draft) ? draft + ahead + value.slice(draft.length) : ahead + value;
}
