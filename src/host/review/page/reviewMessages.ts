import * as l10n from '@vscode/l10n';
import { changesInScope } from '../../../review/shown/changedFiles';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { ReviewPageScope } from '../../../shared/changes/reviewPage';
import type { Act } from '../../base/actions';
import { inSession, type Handlers } from '../../pages/handlers';
import type { IntentOf } from '../../pages/intent';
import { showInformation } from '../../ui/notifications';
import { reported } from '../../ui/reported';
import type { ReviewWalk } from '../editor/reviewWalk';
import { compareFile, showFile } from '../shown/showChanges';
import type { DiskChanges } from '../recording/diskChanges';
import type { RedoOffers } from '../deciding/redoOffers';
import type { Ask } from '../deciding/undoWithQuestion';

/** The user's action in the chat's list of changed files. */
export type ReviewIntent = IntentOf<'reviewChanges' | 'reviewFile'>;

/** What the list's actions apply to. */
interface ReviewParts {
  readonly log: ReviewLog;
  readonly disk: DiskChanges;
  readonly redo: Pick<RedoOffers, 'offering' | 'redo'>;
  readonly walk: ReviewWalk;
  /** See `Review.settled`. */
  readonly settled: () => Promise<boolean>;
  readonly act: Act<'openReview' | 'reviewWithAgent'>;
}

/** Handlers for chat page messages about pending changes. `errors` receives failures. */
export function reviewMessages(
  review: ReviewParts,
  errors: Parameters<typeof reported>[0],
): Handlers<ReviewIntent['type']> {
  const carryOut = inSession((_session, message: ReviewIntent) => reported(errors, carryOutIntent(review, message)));
  return { reviewChanges: carryOut, reviewFile: carryOut };
}

/**
 * Runs the user's action in the list of changed files with the review commands. Applies only to changes of the session,
 * or of one turn if the scope is a turn.
 */
export async function carryOutIntent(parts: ReviewParts, intent: ReviewIntent, ask?: Ask): Promise<void> {
  const { log, disk, walk, redo } = parts;
  if (intent.action === 'redo') return redo.redo(intent.session);
  // All includes what isn't listed yet.
  if (intent.type === 'reviewChanges' && intent.action === 'undo' && !(await parts.settled())) return;
  const inScope = changesInScope(log, intent.session, intent.scope);
  const changes = intent.type === 'reviewFile' ? inScope.filter(({ uri }) => uri === intent.uri) : inScope;
  const [first] = changes;
  if (first === undefined) {
    // A notice may offer what has been decided in the meantime.
    if (intent.action === 'undo') void showInformation(l10n.t('There’s nothing left to undo.'));
    return;
  }
  // The chat keeps the focus.
  const decide = (act: () => Promise<void> | void) =>
    intent.type === 'reviewFile' ? walk.decide(first, act, true) : act();
  switch (intent.action) {
    case 'keep':
      await decide(() => log.keepEach(changes.map(({ uri, ids }) => [uri, ids])));
      return;
    case 'undo':
      await decide(async () => {
        const undo = async () => {
          const { undoWithQuestion } = await import('../deciding/undoWithQuestion');
          return undoWithQuestion(log, disk, changes, ask);
        };
        await (intent.type === 'reviewFile' ? undo() : redo.offering(undo));
      });
      return;
    case 'open':
      await parts.act('openReview', scopeOf(intent));
      return;
    case 'ask':
      await parts.act('reviewWithAgent', scopeOf(intent));
      return;
    case 'show':
      await showFile(log, first.uri, first.ids);
      return;
    case 'compare':
      await compareFile(log, first.uri);
      return;
  }
}

function scopeOf({ session, scope }: ReviewIntent): ReviewPageScope {
  return scope === 'session' ? { session } : { session, turn: scope };
}
