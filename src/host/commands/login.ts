import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/agentSpec';
import type { Session } from '../../session/session';
import { choicesOf } from '../../session/loginCard';
import { tellUntrusted } from '../agents/trust';
import { plainLabel } from '../../shared/plainText';
import { createSession } from '../chat/intents';
import type { Command, CommandServices } from './command';
import { showError, showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** Logs in to an agent by one of the ways that it offers, in a session with it; one is opened when there is none. */
export function login(services: CommandServices): Command {
  const { pool, catalog } = services;
  return {
    id: 'parley.login',
    async execute() {
      if (!vscode.workspace.isTrusted) return tellUntrusted();
      const running = new Set(pool.running.map(({ spec }) => spec.id));
      // An agent that runs and offers nothing has nothing to log in to; what the others offer they tell when they run.
      const silent = new Set(
        pool.running.filter(({ agent }) => agent.authMethods.length === 0).map(({ spec }) => spec.id),
      );
      const specs = catalog.all.filter(({ id, source }) => source !== 'builtin' && !silent.has(id));
      const spec = await pickAgent(
        specs.sort((one, other) => Number(running.has(other.id)) - Number(running.has(one.id))),
        l10n.t('Select an agent to log in to'),
        l10n.t('No agents support logging in.'),
      );
      if (!spec) return;
      await logInTo(services, spec);
    },
  };
}

/** Logs in to this agent by a way of the user's choice, in a session with it; one is opened when there is none. */
export async function logInTo(services: CommandServices, spec: AgentSpec): Promise<void> {
  const { pages, logins } = services;
  const session = sessionWith(services, spec) ?? createSession(services, { agent: spec.id });
  if (!session) return;
  const methodId = await pickMethod(services, session);
  // Not before: the page takes the focus, and a list without it closes.
  await pages.withPage((page) => page.show(session.key));
  if (methodId === undefined) return;
  if (!session.login.isAsked) session.askLogin();
  await logins.login(session, methodId);
}

/** Logs out of an agent that understands it, and forgets what was typed for it. */
export function logout({ pool, catalog, logins, loginSecrets }: CommandServices): Command {
  return {
    id: 'parley.logout',
    async execute() {
      const able = new Map(
        pool.running.filter(({ agent }) => agent.can?.logout === true).map(({ spec }) => [spec.id, spec]),
      );
      for (const spec of catalog.all) {
        if (Object.keys(await loginSecrets.variablesOf(spec)).length > 0) able.set(spec.id, spec);
      }
      const none = l10n.t('None of the running agents supports logging out. Start a session first.');
      const spec = await pickAgent([...able.values()], l10n.t('Select an agent to log out of'), none);
      if (!spec) return;
      try {
        await logins.logout(spec);
        void showInformation(l10n.t('Logged out of {0}', spec.name));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        void showError(l10n.t('{0} couldn’t log out: {1}', spec.name, reason));
      }
    },
  };
}

async function pickAgent(
  specs: readonly AgentSpec[],
  placeHolder: string,
  none: string,
): Promise<AgentSpec | undefined> {
  if (specs.length === 0) void showInformation(none);
  const items = specs.map((spec) => ({ label: spec.name, spec }));
  return items.length === 0 ? undefined : (await pickOne(items, { placeHolder }))?.spec;
}

/** The session used last if it is with this agent, else the newest one that is. */
function sessionWith({ pool, pages }: CommandServices, spec: AgentSpec): Session | undefined {
  const fits = (session: Session | undefined) => session && pool.specOf(session)?.id === spec.id;
  return fits(pages.activeSession) ? pages.activeSession : pool.sessions.findLast(fits);
}

async function pickMethod({ pool }: CommandServices, session: Session): Promise<string | undefined> {
  const { agentName } = session.transcript.view;
  const gone = new AbortController();
  const watch = pool.onDidChangeSessions(() => {
    if (session.isClosed) gone.abort();
  });
  try {
    const { agent } = await pool.agentOf(session, gone.signal);
    if (agent.authMethods.length === 0) {
      void showInformation(l10n.t('{0} doesn’t support logging in.', agentName));
      return undefined;
    }
    const items = choicesOf(agent.authMethods).map(({ methodId, name, description, command }) => ({
      label: plainLabel(name),
      detail: plainLabel(command ?? description ?? ''),
      methodId,
    }));
    const placeHolder = l10n.t('Select how to log in to {0}', agentName);
    return (await pickOne(items, { placeHolder }))?.methodId;
  } catch {
    // It did not start, which its session tells, or the session was closed.
    return undefined;
  } finally {
    watch.dispose();
  }
}
