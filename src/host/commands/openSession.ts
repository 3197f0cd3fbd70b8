import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionKey } from '../../shared/ids';
import { deleteSession } from '../sessions/deleteSession';
import type { SessionChoice } from '../sessions/sessionItems';
import { SessionPicker, type SessionWish } from '../sessions/sessionPicker';
import type { StoredListing } from '../sessions/sessionStore';
import { takeUpSession } from '../sessions/takeUpSession';
import type { Command, CommandServices } from './command';

/** Lists the sessions of this workspace, the open ones, those that were closed and those that agents keep. */
export function openSession(services: CommandServices): Command {
  const { sessions, pool, catalog, pages } = services;
  const show = (key: SessionKey) => pages.withPage((page) => page.show(key));

  async function open({ key, agentId, agentName }: StoredListing): Promise<void> {
    if (pool.sessions.some((session) => session.key === key)) return show(key);
    const spec = catalog.find(agentId);
    const stored = await sessions.read(key);
    if (!stored) throw new Error(l10n.t('What was stored of this session cannot be read.'));
    if (!spec) {
      throw new Error(l10n.t('There is no agent named “{0}”. The setting parley.agents names your agents.', agentName));
    }
    pool.restoreSession(spec, stored);
    return show(key);
  }

  async function rename({ key, title: value }: StoredListing): Promise<void> {
    const live = pool.sessions.find((session) => session.key === key);
    const title = await vscode.window.showInputBox({ value, prompt: l10n.t('Name of the session') });
    if (title === undefined || title.trim() === '') return;
    if (live) live.rename(title.trim());
    else await sessions.rename(key, title.trim());
  }

  async function carryOut(wish: SessionWish, choice: SessionChoice): Promise<void> {
    if (choice.does === 'open') {
      const { listing } = choice;
      if (wish === 'open') return open(listing);
      if (wish === 'rename') return rename(listing);
      const { title, agentId, agentName, key, sessionId = '' } = listing;
      await deleteSession(services, { key, agentId, agentName, sessionId, title });
    } else if (choice.does === 'takeUp') {
      const { spec, listed } = choice;
      const { sessionId, title } = listed;
      if (wish === 'open') return show(takeUpSession(pool, spec, listed).key);
      const names = { agentId: spec.id, agentName: spec.name };
      await deleteSession(services, { ...names, sessionId, title: title === '' ? sessionId : title });
    }
  }

  return {
    id: 'parley.openSession',
    async execute() {
      await sessions.flush();
      await sessions.look();
      new SessionPicker(services, (wish, choice) => {
        carryOut(wish, choice).catch((error: unknown) =>
          vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
        );
      });
    },
  };
}
