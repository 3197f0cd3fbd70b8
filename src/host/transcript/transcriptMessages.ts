import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { FindQuery, FoundEntry } from '../../shared/pages/findQuery';
import type { EntryId } from '../../shared/values/ids';
import type { Transcript } from '../../shared/transcript/transcript';
import type { Log } from '../log/log';
import type { ChatPage } from '../pages/chatPage';
import { inSession, type Handlers } from '../pages/handlers';
import { tellInStatusBar } from '../ui/labels';
import { reported } from '../ui/reported';

/** How long a search runs before it pauses, in milliseconds. */
const sliceMs = 12;
/** How long the status bar shows the message, in milliseconds. */
const toldMs = 3000;

type TranscriptMessage = 'findInSession' | 'goToEarlierTurn' | 'showTurns' | 'copyMarkdown';

/** Handlers for chat page messages about the whole transcript, of which a page has only a part. */
export function transcriptMessages(log: Log, goToTurn: () => Promise<void>): Handlers<TranscriptMessage> {
  /** The newest search of each page. */
  const newest = new WeakMap<ChatPage, number>();
  return {
    findInSession: inSession((session, { id, query }, page) => {
      newest.set(page, id);
      const search = find(session.transcript, query, () => newest.get(page) === id).then((result) => {
        if (result === 'replaced') return;
        const found = result && { found: result };
        page.post({ type: 'foundInSession', session: session.key, id, ...found });
      });
      reported(log, search);
    }),
    goToEarlierTurn: inSession((session, { before }, page) => {
      const { order, entries } = session.transcript;
      const earlier = order.slice(0, Math.max(0, order.indexOf(before)));
      const entry = earlier.findLast((id) => entries.get(id)?.kind === 'user_message');
      if (entry !== undefined) page.post({ type: 'revealEntry', session: session.key, entry });
    }),
    showTurns: () => reported(log, goToTurn()),
    copyMarkdown: inSession((session, { entry, scope }) => reported(log, copyMarkdown(session, entry, scope))),
  };
}

/** Searches in slices, so that the extension host stays responsive. Resolves to undefined if the pattern is invalid. */
async function find(
  transcript: Transcript,
  query: FindQuery,
  isNewest: () => boolean,
): Promise<readonly FoundEntry[] | undefined | 'replaced'> {
  const { findInSession } = await import('../../session/find/findInSession');
  const search = findInSession(transcript, query);
  let since = performance.now();
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
    if (performance.now() - since < sliceMs) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (!isNewest()) return 'replaced';
    since = performance.now();
  }
}

/** Copies an entry or its turn. A message is copied as it was written. */
async function copyMarkdown({ transcript }: Session, id: EntryId, scope: 'entry' | 'turn'): Promise<void> {
  const entry = transcript.entries.get(id);
  if (!entry) return;
  const { copiedEntry, copiedTurn } = await import('../../session/document/copied');
  const text = scope === 'turn' ? copiedTurn(transcript, entry.turn) : copiedEntry(transcript, entry);
  await vscode.env.clipboard.writeText(text);
  tellInStatusBar(scope === 'turn' ? l10n.t('Copied the turn as Markdown') : l10n.t('Copied as Markdown'), toldMs);
}
