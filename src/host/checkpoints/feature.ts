import { commandTable, joinTables } from '../base/feature';
import { Checkpoints, type CheckpointServices } from './checkpoints';
import { returnToMessage } from './returnToMessage';

/** Restoring files to an earlier message, and undoing that. */
export function checkpointsFeature(needs: CheckpointServices) {
  const checkpoints = new Checkpoints(needs);
  const rewind = commandTable({
    'parley.rewind': () => returnToMessage(needs.pages, (session, turn) => checkpoints.canRestore(session, turn)),
  });
  const commands = joinTables(checkpoints.commands, rewind);
  return {
    checkpoints,
    messages: checkpoints.handlers,
    commands,
    flushNow: () => checkpoints.flushNow(),
    flush: () => checkpoints.flush(),
    dispose: () => checkpoints.dispose(),
  };
}
