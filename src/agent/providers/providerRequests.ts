import * as l10n from '@vscode/l10n';
import { decodeProviders, type ProviderInfo } from '../../acp/decodeProviders';
import { isAuthRequired, isConnectionClosed, readableError } from '../../acp/errors';
import { agentMethods } from '../../acp/methods';
import { isFailureError } from '../../session/failures';
import type { IDisposable } from '../../shared/disposable';
import type { Agent } from '../agent';
import type { SetupNotice } from '../sessionSetup';
import { secretsOf, type StoredProvider } from './storedProviders';

/** The part of an agent that is asked about providers. */
export type ProviderAgent = Pick<Agent, 'ask' | 'hide' | 'redact' | 'hasExited'>;

/** An agent that starts may take so long (ms) for all that it is told, before its sessions go on without. */
export const sendLimit = 10_000;

/** `providers/list`. Rejects as requests do. */
export async function listProviders(agent: ProviderAgent, signal: AbortSignal): Promise<readonly ProviderInfo[]> {
  return decodeProviders(await agent.ask(agentMethods.listProviders, {}, signal));
}

/**
 * Gives a provider all that is stored for it, with `providers/set` or `providers/disable`: nothing of what it had before stays. The
 * values of headers are hidden in the protocol log before that. Rejects as requests do.
 */
export async function sendProvider(agent: ProviderAgent, stored: StoredProvider, signal: AbortSignal): Promise<void> {
  const { providerId, isNamedById, isOff, config } = stored;
  // Agents of June 2026 know the older name of the field alone.
  const name = { providerId, ...(isNamedById ? { id: providerId } : {}) };
  agent.hide(secretsOf(stored));
  if (isOff) await agent.ask(agentMethods.disableProvider, name, signal);
  else if (config) {
    const { apiType, baseUrl, headers } = config;
    await agent.ask(agentMethods.setProvider, { ...name, apiType, baseUrl, headers: { ...headers } }, signal);
  }
}

/**
 * Gives an agent that has just started all that is stored for it. What it does not take is a notice; rejects only when the agent has
 * ended or `signal` aborts.
 */
export async function sendAgain(
  name: string,
  agent: ProviderAgent,
  stored: readonly StoredProvider[],
  schedule: (ms: number, action: () => void) => IDisposable,
  signal: AbortSignal,
): Promise<readonly SetupNotice[]> {
  const late = new AbortController();
  const timer = schedule(sendLimit, () => late.abort());
  const refused: string[] = [];
  let wantsLogin = false;
  try {
    for (const provider of stored) {
      try {
        await sendProvider(agent, provider, AbortSignal.any([signal, late.signal]));
      } catch (error) {
        if (signal.aborted || isConnectionClosed(error)) throw error;
        wantsLogin ||= isAuthRequired(error);
        const reason = late.signal.aborted
          ? l10n.t('no response within {0} s', sendLimit / 1000)
          : refusalWords(name, agent, error);
        refused.push(`${provider.providerId}: ${reason}`);
      }
    }
  } finally {
    timer.dispose();
  }
  return refused.length === 0 ? [] : [{ ...notSet(name, refused), wantsLogin }];
}

/** What of an agent's model providers was not set, each reason in a line of its own. */
export function notSet(name: string, reasons: readonly string[]): SetupNotice {
  const title = l10n.t('Some model provider settings weren’t applied to {0}', name);
  const next = l10n.t(
    'The previous settings stay in effect. Change or clear them with “Parley: Configure Model Providers…”.',
  );
  return { severity: 'warning', title, description: [...reasons, next].map((line) => `\n${line}`).join('') };
}

/** Why an agent did not do it, without secrets. */
export function refusalWords(name: string, agent: ProviderAgent | undefined, error: unknown): string {
  if (isAuthRequired(error)) return l10n.t('{0} needs you to log in. Log in and try again.', name);
  if (isConnectionClosed(error)) return l10n.t('The agent has exited.');
  const words = isFailureError(error)
    ? [error.failure.title, error.failure.cause]
    : [readableError(error).message, readableError(error).detail];
  const text = words.filter(Boolean).join('\n');
  return agent ? agent.redact(text) : text;
}
