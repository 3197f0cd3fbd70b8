import { commandTable } from '../base/feature';
import type { Handlers } from '../pages/handlers';
import { cleanUpWorktrees } from './cleanUpWorktrees';
import { newSessionInWorktree, typedOn, type NewWorktreeServices } from './newSessionInWorktree';

/** Sessions in worktrees: started, and cleaned up. */
export function worktreesFeature(needs: NewWorktreeServices) {
  const commands = commandTable({
    'parley.newSessionInWorktree': (argument) => newSessionInWorktree(needs, argument),
    'parley.cleanUpWorktrees': () => cleanUpWorktrees(needs),
  });
  const messages: Handlers<'newSessionInWorktree'> = {
    newSessionInWorktree: (page, message) => void newSessionInWorktree(needs, undefined, typedOn(page, message)),
  };
  return { messages, commands };
}
