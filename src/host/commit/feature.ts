import type { SessionKey } from '../../shared/ids';
import { commandTable } from '../base/feature';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import { CommitDialog, type CommitServices } from './commitDialog';

/** Commits of what agents changed, from chat pages and as a command. */
export function commitFeature(services: CommitServices) {
  const dialog = new CommitDialog(services);
  const { log } = services;
  const commands = commandTable({
    'parley.commit': (session, turn) =>
      dialog.run(
        typeof session === 'string' ? (session as SessionKey) : undefined,
        typeof turn === 'number' ? turn : undefined,
      ),
  });
  const messages: Handlers<'commit'> = {
    commit: inSession((session, { turn }) => reported(log, dialog.run(session.key, turn))),
  };
  return { commands, messages };
}
