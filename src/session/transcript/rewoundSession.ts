import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { EntryId, SessionKey, TerminalId } from '../../shared/values/ids';
import type { Entry, Transcript } from '../../shared/transcript/transcript';
import { singleEntryId } from '../update/entryIds';
import { toStored, type StoredSession } from './storedSession';

/**
 * Returns a new session that shows the conversation before a message of another session, to be restored under `key`.
 * Its entries are marked as earlier, and a notice says where they end. The agent doesn't have the session yet.
 * Undefined if nothing was said before the message.
 */
export function rewoundSession(key: SessionKey, transcript: Transcript, before: EntryId): StoredSession | undefined {
  const { order, entries, view } = transcript;
  const kept = order.slice(0, Math.max(0, order.indexOf(before))).flatMap((id) => {
    const entry = entries.get(id);
    return entry ? earlier(transcript, entry) : [];
  });
  if (!kept.some(({ kind }) => kind === 'user_message' || kind === 'agent_message')) return undefined;
  const stored = toStored(key, transcript);
  const shown = new Set(kept.flatMap(terminalsOf));
  const { agentId, agentName, agentVersion, cwd, additionalDirectories } = view;
  return {
    ...stored,
    snapshot: {
      ...stored.snapshot,
      rev: transcript.rev + 1,
      view: {
        agentId,
        agentName,
        agentVersion,
        sessionId: '',
        title: '',
        cwd,
        connection: { state: 'closed' },
        activity: { state: 'idle' },
        usage: { state: 'unknown' },
        plans: [],
        availableCommands: [],
        configOptions: [],
        queue: [],
        ...(additionalDirectories ? { additionalDirectories } : {}),
      },
      entries: [...kept, divider(transcript, kept)],
      terminals: stored.snapshot.terminals.filter(({ terminalId }) => shown.has(terminalId)),
    },
  };
}

/** Marks an entry, and removes what acts on the session it is from. */
function earlier({ view }: Transcript, entry: Entry): Entry[] {
  switch (entry.kind) {
    case 'login':
      return [];
    case 'error':
      return [{ ...entry, earlier: true, actions: [] }];
    case 'notice': {
      // It would say the same as the new one.
      if (entry.divides) return [];
      const { kind, id, turn, severity, title, description, turnSummary } = entry;
      return [
        {
          kind,
          id,
          turn,
          severity,
          title,
          earlier: true,
          ...compact({ description }),
          ...(turnSummary ? { turnSummary } : {}),
        },
      ];
    }
    case 'plan': {
      // The new session has plans of its own.
      const plan = entry.plan ?? view.plans.find(({ planId }) => planId === entry.planId);
      return [{ ...entry, earlier: true, ...(plan ? { plan } : {}) }];
    }
    default:
      return [{ ...entry, earlier: true }];
  }
}

function terminalsOf(entry: Entry): readonly TerminalId[] {
  if (entry.kind !== 'tool_call') return [];
  return entry.content.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : []));
}

function divider({ rev, view }: Transcript, kept: readonly Entry[]): Entry {
  return {
    kind: 'notice',
    id: singleEntryId('notice', rev),
    turn: Math.max(...kept.map(({ turn }) => turn)),
    severity: 'info',
    divides: true,
    title: l10n.t('New session: {0} receives the messages above as text', view.agentName),
    description: l10n.t('The earlier session is unchanged.'),
  };
}
