import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Session } from '../../session/session';
import { firstView } from '../../session/firstView';
import { toStored } from '../../session/transcript/storedSession';
import type { SessionKey } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';

/** Opens a session that only the agent has stored, like a session from an earlier window without a saved transcript. */
export function openListedSession(pool: AgentPool, spec: AgentSpec, listed: ListedSession): Session {
  const { sessionId, cwd, title, additionalDirectories } = listed;
  const key = `listed-${randomUUID()}` as SessionKey;
  const transcript = createTranscript({
    ...firstView(spec.id, spec.name, cwd),
    sessionId,
    title,
    connection: { state: 'closed' },
    ...(additionalDirectories
      ? { additionalDirectories: additionalDirectories.filter((path) => isAbsolute(path)) }
      : {}),
  });
  const session = pool.restoreSession(spec, toStored(key, transcript));
  session.restart();
  return session;
}
