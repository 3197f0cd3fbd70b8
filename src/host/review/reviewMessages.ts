import * as l10n from '@vscode/l10n';
import { changesInScope } from '../../review/changedFiles';
import type { ReviewLog } from '../../review/reviewLog';
import { inSession, type Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import { reported } from '../ui/reported';
import { compareFile, openChanges, showFile } from './showChanges';
import type { DiskChanges } from './diskChanges';
import { undoWithQuestion, type Ask } from './undoWithQuestion';

/** What the user may want in the chat's list of changed files. */
export type ReviewIntent = IntentOf<'reviewChanges' | 'reviewFile'>;

/** What chat pages want of changes that wait for review; `errors` hears of what failed. */
export function reviewMessages(
  { log, disk }: { readonly log: ReviewLog; readonly disk: DiskChanges },
  errors: Parameters<typeof reported>[0],
): Handlers<ReviewIntent['type']> {
  const carryOut = inSession((session, message: ReviewIntent) =>
    reported(errors, carryOutIntent(log, disk, message, session.transcript.view.agentName)),
  );
  return { reviewChanges: carryOut, reviewFile: carryOut };
}

/**
 * Does what the user asked for in the list of changed files, by the means of the commands: only changes of the session,
 * or of one of its turns where that is the scope. `agentName` goes into the title of what opens.
 */
export async function carryOutIntent(
  log: ReviewLog,
  disk: DiskChanges,
  intent: ReviewIntent,
  agentName: string,
  ask?: Ask,
): Promise<void> {
  const inScope = changesInScope(log, intent.session, intent.scope);
  const changes = intent.type === 'reviewFile' ? inScope.filter(({ uri }) => uri === intent.uri) : inScope;
  const [first] = changes;
  if (first === undefined) return;
  if (intent.action === 'keep') {
    log.keepEach(changes.map(({ uri, ids }) => [uri, ids]));
    return;
  }
  switch (intent.action) {
    case 'open':
      await openChanges(
        log,
        changes.map(({ uri }) => uri),
        l10n.t('Changes by {0}', agentName),
      );
      return;
    case 'show':
      await showFile(log, first.uri, first.ids);
      return;
    case 'compare':
      await compareFile(log, first.uri);
      return;
    case 'undo':
      await undoWithQuestion(log, disk, changes, ask);
      return;
  }
}
