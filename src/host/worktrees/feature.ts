import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import { readArgument } from '../newSession/openNewSession';
import type { ChatPage } from '../pages/chatPage';
import type { Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import type { ChatPages } from '../pages/chatPages';
import { newSessionInWorktree, typedOn, type NewWorktreeServices } from './newSessionInWorktree';
import { tellProblem } from './tellProblem';
import type { SessionKey } from '../../shared/ids';

interface WorktreeNeeds extends NewWorktreeServices {
  readonly pages: Pick<ChatPages, 'withPage' | 'activeSession'>;
}

/** Sessions in worktrees: started, discarded, and cleaned up. */
export function worktreesFeature(needs: WorktreeNeeds) {
  const { pool, pages, log } = needs;
  const discard = async (key?: SessionKey) => {
    const session = key === undefined ? pages.activeSession : pool.sessions.find((one) => one.key === key);
    const { discardWorktree } = await import('./discardWorktree');
    await discardWorktree(pool, session).catch((error: unknown) => tellProblem(log, error));
  };
  const commands = commandTable({
    'parley.newSessionInWorktree': (argument) => newSessionInWorktree(needs, readArgument(argument)),
    'parley.discardWorktree': (key) => discard(sessionIn(key)),
    'parley.cleanUpWorktrees': async () => (await import('./cleanUpWorktrees')).cleanUpWorktrees(needs),
  });
  const actions = actionTable({
    newSessionInWorktree: (argument) => newSessionInWorktree(needs, argument),
    discardWorktree: discard,
  });
  const messages: Handlers<'newSessionInWorktree'> = {
    newSessionInWorktree: (page, message) => void newSessionInWorktree(needs, undefined, typedOn(page, message)),
  };
  return {
    messages,
    commands,
    actions,
    around: needs.setup,
    /** Opens a session with a preset, and sends what is typed on the page there. */
    startPreset: (page: ChatPage, { preset, ...typed }: IntentOf<'startPreset'>) =>
      void newSessionInWorktree(needs, { preset }, typedOn(page, typed)),
  };
}
