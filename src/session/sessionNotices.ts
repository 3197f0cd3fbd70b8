import * as l10n from '@vscode/l10n';
import type { EntryId } from '../shared/values/ids';
import type { NoticeEntry } from '../shared/transcript/transcript';
import { singleEntryId } from './update/entryIds';
import type { TranscriptStore } from './transcript/transcriptStore';
import type { Turns } from './turn/turns';

/** The contents of a notice. */
export type NoticeText = Omit<NoticeEntry, 'kind' | 'id' | 'turn'>;

/** Adds one of Parley's own notices, with a new id unless one is given; returns the id. */
export function addNotice(
  store: TranscriptStore,
  notice: NoticeText,
  turn: number,
  id = singleEntryId('notice', store.transcript.rev),
): EntryId {
  store.append({ kind: 'notice', id, turn, ...notice });
  return id;
}

/** Changes the text of a notice that `addNotice` added. */
export function changeNotice(store: TranscriptStore, id: EntryId, notice: NoticeText): void {
  const { kind, turn } = store.transcript.entries.get(id) ?? {};
  if (kind === 'notice' && turn !== undefined) store.apply([{ op: 'replace', entry: { kind, id, turn, ...notice } }]);
}

/** Adds a notice that the agent continues without the conversation shown: in a new session, or in one that lost it. */
export function addForgottenNotice(turns: Turns, agentName: string): void {
  const title = l10n.t('{0} doesn’t remember this conversation', agentName);
  turns.prompts.noticeBeforeUnsent(title, l10n.t('The conversation above is kept, but {0} starts fresh.', agentName));
}

/** Adds a notice that the user stopped waiting for the agent. */
export function addStartCancelledNotice(store: TranscriptStore, turn: number): void {
  const title = l10n.t('Cancelled starting {0}', store.view.agentName);
  store.appendNotice('info', title, turn, l10n.t('Send a message to start it again.'));
}
