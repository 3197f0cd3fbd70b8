import { Disposable } from '../../shared/values/disposable';
import { once } from '../../shared/values/once';
import type { Attachment } from '../../shared/transcript/content';
import { messageOf } from '../../shared/values/messageOf';
import type { ShownFiles } from '../editor/shownFile';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import type { Handlers } from '../pages/handlers';
import { tellFailure } from '../ui/reported';
import type { Context, ContextIntent } from './context';
import { CopiedCode } from './attachments/copiedCode';
import { EditorFollower, type FollowSetting } from './attachments/editorFollower';
import type { MentionableSessions } from './mentions/sessionMentions';
import { TerminalCommands } from './mentions/terminalCommands';

/** What pages ask for by themselves. */
const quiet: ReadonlySet<ContextIntent['type']> = new Set(['findMentions', 'findPasted', 'findTextless']);

/** Handlers for chat page messages about attachments and received content. */
export class ContextMessages extends Disposable {
  readonly handlers: Handlers<ContextIntent['type']>;
  /** Adds what `find` finds to the message on the page used last. Tells the user why it couldn't. */
  readonly attach: (find: () => Promise<readonly Attachment[]>) => Promise<void>;
  /** Returns what a menu's arguments stand for. */
  readonly fromMenu: Context['fromMenu'];
  /** Loads what finds and reads. The first use of it waits for that. */
  readonly load: () => Promise<Context>;

  constructor(
    shown: ShownFiles,
    pages: ChatPages,
    setting: FollowSetting,
    sessions: MentionableSessions,
    report: (error: unknown) => void,
  ) {
    super();
    const seen = { copied: this.register(new CopiedCode()), commands: this.register(new TerminalCommands()) };
    this.load = once(async () => {
      const { contextOfWindow } = await import('./context');
      return this.register(contextOfWindow(sessions, seen));
    });
    // All wait for the same promise, so they are handled in their order.
    const serve = (page: ChatPage, message: ContextIntent) =>
      void this.load()
        .then((context) => context.handle(page, message))
        .catch((error: unknown) => {
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
        const context = await this.load();
        if (found.length > 0) await pages.withPage((page) => context.give(page, found));
      } catch (error) {
        report(error);
        tellFailure(messageOf(error));
      }
    };
    this.fromMenu = async (args) => (await this.load()).fromMenu(args);
  }
}
