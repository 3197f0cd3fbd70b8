import { redactText } from '../../../acp/base/redactText';
import type { SessionKey } from '../../../shared/values/ids';
import { fromSnapshot } from '../../../shared/transcript/ops';
import type { SessionSource, SessionStore } from './sessionStore';

/** Returns the sessions whose conversations a message can mention, without the secrets in them: those of this window, and stored ones. */
export function mentionableSessions(source: SessionSource, store: Pick<SessionStore, 'stored' | 'read'>) {
  return {
    list: () => store.stored.filter(({ size, isArchived }) => size > 0 && isArchived !== true),
    async textOf(key: string): Promise<string | undefined> {
      const { renderText } = await import('../../../session/document/renderText');
      const live = source.sessions.find((session) => session.key === key);
      if (live) return redactText(renderText(live.transcript));
      const stored = await store.read(key as SessionKey);
      return stored && redactText(renderText(fromSnapshot(stored.snapshot)));
    },
  };
}
