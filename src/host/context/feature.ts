import { commandTable } from '../base/feature';
import type { ShownFiles } from '../editor/shownFile';
import type { ChatPages } from '../pages/chatPages';
import { ContextMessages } from './contextMessages';
import type { FollowSetting } from './attachments/editorFollower';
import type { MentionableSessions } from './mentions/sessionMentions';

export interface ContextNeeds {
  readonly shown: ShownFiles;
  readonly pages: ChatPages;
  readonly settings: FollowSetting;
  readonly sessions: MentionableSessions;
  readonly report: (error: unknown) => void;
}

/** What messages carry and can mention. */
export function contextFeature({ shown, pages, settings, sessions, report }: ContextNeeds) {
  const context = new ContextMessages(shown, pages, settings, sessions, report);
  const commands = commandTable({
    'parley.addToChat': (...args) => context.attach(() => context.fromMenu(args)),
    'parley.addProblemsToChat': () =>
      context.attach(async () => {
        const { pickProblems } = await import('./mentions/problems');
        return pickProblems(pages.activeSession?.transcript.view.cwd);
      }),
    'parley.addTerminalSelectionToChat': () =>
      context.attach(async () => {
        const { terminalAttachment } = await import('./mentions/terminalSelection');
        const selection = await terminalAttachment();
        return selection ? [selection] : [];
      }),
  });
  return { messages: context.handlers, commands, dispose: () => context.dispose() };
}
