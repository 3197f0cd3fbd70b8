import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { NewSessionArgument } from '../base/actions';
import type { ChatPage } from '../pages/chatPage';
import type { Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import type { ChatPages } from '../pages/chatPages';
import type { NewWorktreeServices } from './newSessionInWorktree';
import { reported } from '../ui/reported';
import { tellProblem } from './tellProblem';
import type { SessionKey } from '../../shared/values/ids';

/** What is typed on a page, and whether it's sent to the new session. */
type Typed = Omit<IntentOf<'newSessionInWorktree'>, 'type'>;

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
  const start = async (
    argument: NewSessionArgument | undefined,
    typed?: { readonly page: ChatPage; readonly message: Typed },
  ) => {
    const { newSessionInWorktree, typedOn } = await import('./newSessionInWorktree');
    await newSessionInWorktree(needs, argument, typed && typedOn(typed.page, typed.message));
  };
  const commands = commandTable({
    'parley.newSessionInWorktree': async (argument) => {
      const { readArgument } = await import('../newSession/openNewSession');
      await start(readArgument(argument));
    },
    'parley.discardWorktree': (key) => discard(sessionIn(key)),
    'parley.cleanUpWorktrees': async () => (await import('./cleanUpWorktrees')).cleanUpWorktrees(needs),
  });
  const actions = actionTable({
    newSessionInWorktree: (argument) => start(argument),
    discardWorktree: discard,
  });
  const messages: Handlers<'newSessionInWorktree'> = {
    newSessionInWorktree: (page, message) => reported(log, start(undefined, { page, message })),
  };
  return {
    messages,
    commands,
    actions,
    around: needs.setup,
    /** Opens a session with a preset, and sends what is typed on the page there. */
    startPreset: (page: ChatPage, { preset, ...message }: IntentOf<'startPreset'>) =>
      reported(log, start({ preset }, { page, message })),
  };
}
