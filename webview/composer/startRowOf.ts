import type { SessionKey } from '../../src/shared/values/ids';
import type { PageState } from '../../src/shared/pages/messages';
import type { Transcript } from '../../src/shared/transcript/transcript';
import { ownAgents } from '../base/ownAgents';
import type { StartRowState, WhoListing } from './startRow';

/** With more entries than this, a session has begun. */
const mostBefore = 20;

/**
 * Returns what the row below the message depends on, on the start page and in a session without messages. Undefined if there's none: for
 * somebody without an agent, in a folder that isn't trusted, in a session that has begun, and in one that has a place of its own already.
 */
export function startRowOf(
  page: PageState,
  session: SessionKey | '',
  transcript: Transcript | undefined,
): StartRowState | undefined {
  const own = ownAgents(page);
  if (!page.trusted || own.length === 0) return undefined;
  const agents = own.map(({ agentId, name }): WhoListing => ({ agent: agentId, name }));
  const presets = (page.presets ?? []).map(({ agentId, name }): WhoListing => ({ agent: agentId, preset: name, name }));
  const all = [...agents, ...presets];
  const { folder } = page;
  if (session === '') {
    const preset = page.presets?.find(({ isDefault }) => isDefault);
    const byDefault = all.find((one) =>
      preset ? one.preset === preset.name : one.preset === undefined && one.agent === page.defaultAgent,
    );
    const isInRepository = page.isInRepository === true;
    const first = byDefault ?? all[0];
    return first && { folder, byDefault: first, all, isInRepository, sandbox: page.sandbox.mode, isHeldLater: true };
  }
  const listing = page.sessions.find((one) => one.session === session);
  const view = transcript?.view;
  if (!listing?.folder || !view || hasBegun(transcript)) return undefined;
  const { branch, isWorktree, isCopy, host } = listing.folder;
  if (isWorktree || isCopy || host !== undefined) return undefined;
  const isInRepository = branch !== undefined;
  const byDefault = { agent: view.agentId, name: view.agentName };
  return { folder: listing.folder.name, byDefault, all, isInRepository, sandbox: view.sandbox ?? 'off' };
}

function hasBegun({ order, entries, view }: Transcript): boolean {
  if (order.length > mostBefore || view.queue.length > 0 || view.title !== '') return true;
  return view.activity.state !== 'idle' || order.some((id) => entries.get(id)?.kind === 'user_message');
}
