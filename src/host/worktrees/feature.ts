import { commandTable } from '../base/feature';
import type { ChatPage } from '../pages/chatPage';
import type { Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import type { ChatPages } from '../pages/chatPages';
import { cleanUpWorktrees } from './cleanUpWorktrees';
import { discardWorktree } from './discardWorktree';
import { newSessionInWorktree, typedOn, type NewWorktreeServices } from './newSessionInWorktree';
import { tellProblem } from './tellProblem';

interface WorktreeNeeds extends NewWorktreeServices {
  readonly pages: Pick<ChatPages, 'withPage' | 'activeSession'>;
}

/** Sessions in worktrees: started, discarded, and cleaned up. */
export function worktreesFeature(needs: WorktreeNeeds) {
  const { pool, pages, log } = needs;
  const sessionOf = (key: unknown) =>
    typeof key === 'string' ? pool.sessions.find((session) => session.key === key) : pages.activeSession;
  const commands = commandTable({
    'parley.newSessionInWorktree': (argument) => newSessionInWorktree(needs, argument),
    'parley.discardWorktree': (key) =>
      discardWorktree(pool, sessionOf(key)).catch((error: unknown) => tellProblem(log, error)),
    'parley.cleanUpWorktrees': () => cleanUpWorktrees(needs),
  });
  const messages: Handlers<'newSessionInWorktree'> = {
    newSessionInWorktree: (page, message) => void newSessionInWorktree(needs, undefined, typedOn(page, message)),
  };
  return {
    messages,
    commands,
    /** Opens a session with a preset, and sends what is typed on the page there. */
    startPreset: (page: ChatPage, { preset, ...typed }: IntentOf<'startPreset'>) =>
      void newSessionInWorktree(needs, { preset }, typedOn(page, typed)),
  };
}
