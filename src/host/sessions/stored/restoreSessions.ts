import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { IDisposable } from '../../../shared/values/disposable';
import type { SessionKey } from '../../../shared/values/ids';
import type { AgentCatalog } from '../../agents/agentCatalog';
import type { SessionStore } from './sessionStore';

/** How long a closing window may still write after this one starts, in milliseconds. */
const lateMs = 3000;

/** Restores the sessions of the last window as soon as the folder is trusted. */
export function restoreWhenTrusted(...given: Parameters<typeof restoreSessions>): IDisposable {
  const restore = () => void restoreSessions(...given);
  if (!vscode.workspace.isTrusted) return vscode.workspace.onDidGrantWorkspaceTrust(restore);
  restore();
  return { dispose: () => undefined };
}

/**
 * Restores the sessions that were open when the window closed. Calls `back` when done, and again for late sessions and
 * for those of other windows that close. Sessions of removed agents stay in the list. A session that can't be restored
 * is set aside and doesn't affect the others.
 */
export async function restoreSessions(
  store: SessionStore,
  pool: Pick<AgentPool, 'restoreSession' | 'reconnect'>,
  catalog: Pick<AgentCatalog, 'find'>,
  { back, report }: { readonly back: () => void; readonly report: (error: unknown) => void },
): Promise<void> {
  const seen = new Set<SessionKey>();
  const bringBack = async () => {
    for (const stored of await store.open()) {
      const spec = catalog.find(stored.snapshot.view.agentId);
      try {
        if (spec && !seen.has(stored.key)) {
          const session = pool.restoreSession(spec, stored);
          // A remote agent continues without a window, so its session is opened before the next message.
          if (spec.url !== undefined && session.transcript.view.sessionId !== '') pool.reconnect(session);
        }
      } catch (error) {
        report(error);
        await store.setAside(stored.key);
      }
      seen.add(stored.key);
    }
    back();
  };
  await bringBack().catch(report);
  store.start();
  store.onDidFree(() => void bringBack().catch(report));
  await delay(lateMs, undefined, { ref: false });
  await bringBack().catch(report);
}
