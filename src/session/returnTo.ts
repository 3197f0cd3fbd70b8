import type { EntryId } from '../shared/values/ids';
import type { TranscriptStore } from './transcript/transcriptStore';

/**
 * Removes a message and everything after it, because the agent has forgotten that, too. Notices of restores that can be
 * undone stay.
 */
export function returnTo(store: TranscriptStore, message: EntryId): void {
  const { order, entries } = store.transcript;
  const at = order.indexOf(message);
  if (at === -1) return;
  const kept = order.slice(at).flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'notice' && entry.restore === 'undoable' ? [{ op: 'insert', entry } as const] : [];
  });
  store.apply([{ op: 'truncate', from: message }, ...kept]);
}
