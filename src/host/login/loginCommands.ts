import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { messageOf } from '../../shared/values/messageOf';
import { warnUntrusted } from '../agents/trust';
import { logInTo, type LoginServices } from './logInTo';
import type { LoginSecrets } from './loginSecrets';
import { showError, showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** What logging out needs. */
export interface LogoutServices extends LoginServices {
  readonly loginSecrets: LoginSecrets;
}

/** Logs in to an agent with one of its login methods, in a session with the agent. Opens a session if there is none. */
export async function login(services: LoginServices): Promise<void> {
  const { pool, catalog } = services;
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const running = new Set(pool.running.map(({ spec }) => spec.id));
  // A running agent without login methods needs no login. Other agents report theirs when they run.
  const silent = new Set(pool.running.filter(({ agent }) => agent.authMethods.length === 0).map(({ spec }) => spec.id));
  const specs = catalog.all.filter(({ id, source }) => source !== 'builtin' && !silent.has(id));
  const spec = await pickAgent(
    specs.sort((one, other) => Number(running.has(other.id)) - Number(running.has(one.id))),
    l10n.t('Select an agent to log in to'),
    l10n.t('No agents support logging in.'),
  );
  if (!spec) return;
  await logInTo(services, spec);
}

/** Logs out of an agent that supports it, and forgets the login values entered for it. */
export async function logout({ pool, catalog, logins, loginSecrets }: LogoutServices): Promise<void> {
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
    const reason = messageOf(error);
    void showError(l10n.t('{0} couldn’t log out: {1}', spec.name, reason));
  }
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
