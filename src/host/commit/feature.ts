import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import { CommitDialog, type CommitServices } from './commitDialog';

/** Commits of what agents changed, from chat pages and as a command. */
export function commitFeature(services: CommitServices) {
  const dialog = new CommitDialog(services);
  const { log } = services;
  const commands = commandTable({
    'parley.commit': (session, turn) => dialog.run(sessionIn(session), typeof turn === 'number' ? turn : undefined),
  });
  const actions = actionTable({ commit: (session, turn) => dialog.run(session, turn) });
  const messages: Handlers<'commit'> = {
    commit: inSession((session, { turn }) => reported(log, dialog.run(session.key, turn))),
  };
  return { commands, actions, messages };
}
