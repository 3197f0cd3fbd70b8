import { Disposable } from '../../shared/disposable';
import type { Attachment } from '../../shared/content';
import { messageOf } from '../../shared/messageOf';
import type { ShownFiles } from '../editor/shownFile';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import type { Handlers } from '../pages/handlers';
import { tellFailure } from '../ui/reported';
import { Context, type ContextIntent } from './context';
import { EditorFollower, type FollowSetting } from './editorFollower';
import { ChangeMentions, CommitMentions } from './gitMentions';
import { linkMentions } from './mentions';
import { ProblemMentions } from './problems';
import { SessionMentions, type MentionableSessions } from './sessionMentions';
import { SymbolMentions } from './symbolMentions';
import { TerminalMentions } from './terminalMentions';

/** What pages ask for by themselves. */
const quiet: ReadonlySet<ContextIntent['type']> = new Set(['findMentions', 'findPasted', 'findTextless']);

/** Handlers for chat page messages about attachments and received content. */
export class ContextMessages extends Disposable {
  readonly handlers: Handlers<ContextIntent['type']>;
  /** Adds what `find` finds to the message on the page used last. Tells the user why it couldn't. */
  readonly attach: (find: () => Promise<readonly Attachment[]>) => Promise<void>;
  /** Returns what a menu's arguments stand for. */
  readonly fromMenu: Context['fromMenu'];

  constructor(
    shown: ShownFiles,
    pages: ChatPages,
    setting: FollowSetting,
    sessions: MentionableSessions,
    report: (error: unknown) => void,
  ) {
    super();
    const context = this.register(
      new Context({
        symbol: new SymbolMentions(),
        problem: new ProblemMentions(),
        change: new ChangeMentions(),
        commit: new CommitMentions(),
        terminal: this.register(new TerminalMentions()),
        session: new SessionMentions(sessions),
        link: linkMentions,
      }),
    );
    const serve = (page: ChatPage, message: ContextIntent) =>
      void context.handle(page, message).catch((error: unknown) => {
        report(error);
        // While the user is typing, the list of mentions just stays empty, and a pasted text stays text.
        if (!quiet.has(message.type)) tellFailure(messageOf(error));
      });
    this.handlers = {
      findMentions: serve,
      takeMention: serve,
      attachUris: serve,
      findPasted: serve,
      readClipboard: serve,
      findTextless: serve,
      previewAttachment: serve,
      openAttachment: serve,
      saveContent: serve,
      openText: serve,
    };
    this.register(new EditorFollower(shown, pages, setting, report));
    this.attach = async (find) => {
      try {
        const found = await find();
        if (found.length > 0) await pages.withPage((page) => context.give(page, found));
      } catch (error) {
        report(error);
        tellFailure(messageOf(error));
      }
    };
    this.fromMenu = (args) => context.fromMenu(args);
  }
}
