import type { SessionKey } from '../../shared/values/ids';
import { once } from '../../shared/values/once';
import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { CommitServices } from './commitDialog';

/** Commits of what agents changed, from chat pages and as a command. */
export function commitFeature(services: CommitServices) {
  const dialog = once(async () => new (await import('./commitDialog')).CommitDialog(services));
  const run = async (session?: SessionKey, turn?: number) => (await dialog()).run(session, turn);
  const { log } = services;
  const commands = commandTable({
    'parley.commit': (session, turn) => run(sessionIn(session), typeof turn === 'number' ? turn : undefined),
  });
  const actions = actionTable({ commit: run });
  const messages: Handlers<'commit'> = {
    commit: inSession((session, { turn }) => reported(log, run(session.key, turn))),
  };
  return { commands, actions, messages };
}
