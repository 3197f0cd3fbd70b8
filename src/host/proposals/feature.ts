import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/values/disposable';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import { inSession, type Handlers } from '../pages/handlers';
import type { Review } from '../review/review';
import type { StoragePlace } from '../storage/storageTroubles';
import { reported } from '../ui/reported';
import { EditedChanges } from './editedChanges';
import { pickKeptVersion } from './keptVersions';
import { Plans } from './plans';
import { ProposalTexts } from './proposalTexts';

export interface ProposalsNeeds {
  readonly pool: AgentPool;
  readonly review: Review;
  readonly place: StoragePlace;
  readonly log: Log;
}

/** What agents propose and the user edits before allowing it. */
export function proposalsFeature({ pool, review, place, log }: ProposalsNeeds) {
  const parts = new DisposableStore();
  const texts = parts.add(new ProposalTexts(place));
  const report = (error: unknown) => log.warn(`Proposals: ${String(error)}`);
  const changes = parts.add(new EditedChanges({ pool, texts, review, report }));
  const plans = parts.add(new Plans(pool, texts, report));
  const messages: Handlers<'editProposal' | 'allowProposal' | 'sendPlanComments'> = {
    editProposal: inSession((session, { request, isUnsaved }) =>
      reported(
        log,
        plans.isAbout(session, request)
          ? plans.open(session, request, isUnsaved)
          : changes.edit(session, request, isUnsaved),
      ),
    ),
    allowProposal: inSession((session, { request }) =>
      reported(
        log,
        plans.isAbout(session, request) ? plans.approve(session, request) : changes.allow(session, request),
      ),
    ),
    sendPlanComments: inSession((session, { request }) => plans.sendComments(session, request)),
  };
  const commands = commandTable({
    'parley.proposal.allow': (uri) => changes.allowText(uri),
    'parley.proposal.use': (uri) => changes.useText(uri),
    'parley.proposal.openKept': () => pickKeptVersion([...changes.kept, ...plans.kept]),
    'parley.plan.approve': (uri) => plans.actOn(uri, 'approve'),
    'parley.plan.approveWithChanges': (uri) => plans.actOn(uri, 'approve'),
    'parley.plan.sendComments': (uri) => plans.actOn(uri, 'sendComments'),
    'parley.plan.addComment': (reply) => plans.addComment(reply),
    'parley.plan.deleteComment': (comment) => plans.deleteComment(comment),
  });
  return { messages, commands, around: changes, flushNow: () => texts.flushNow(), dispose: () => parts.dispose() };
}
