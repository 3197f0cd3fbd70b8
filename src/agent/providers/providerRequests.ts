import * as l10n from '@vscode/l10n';
import { decodeProviders, type ProviderInfo } from '../../acp/decode/decodeProviders';
import { isAuthRequired, isConnectionClosed, readableError } from '../../acp/base/errors';
import { agentMethods } from '../../acp/wire/methods';
import { isFailureError } from '../../session/failures';
import type { IDisposable } from '../../shared/values/disposable';
import type { Agent } from '../connection/agent';
import type { SetupNotice } from '../connection/sessionSetup';
import { secretsOf, type StoredProvider } from './storedProviders';

/** The part of an agent for provider requests. */
export type ProviderAgent = Pick<Agent, 'ask' | 'hide' | 'redact' | 'hasExited'>;

/**
 * How long a starting agent may take for all stored providers before its sessions continue without them, in
 * milliseconds.
 */
export const sendLimit = 10_000;

/** Sends `providers/list`. Rejects as requests do. */
export async function listProviders(agent: ProviderAgent, signal: AbortSignal): Promise<readonly ProviderInfo[]> {
  return decodeProviders(await agent.ask(agentMethods.listProviders, {}, signal));
}

/**
 * Sends everything stored for a provider with `providers/set` or `providers/disable`, which replaces its earlier
 * settings. Hides the header values in the protocol log first. Rejects as requests do.
 */
export async function sendProvider(agent: ProviderAgent, stored: StoredProvider, signal: AbortSignal): Promise<void> {
  const { providerId, isNamedById, isOff, config } = stored;
  // Agents of June 2026 support only the older name of the field.
  const name = { providerId, ...(isNamedById ? { id: providerId } : {}) };
  agent.hide(secretsOf(stored));
  if (isOff) await agent.ask(agentMethods.disableProvider, name, signal);
  else if (config) {
    const { apiType, baseUrl, headers } = config;
    await agent.ask(agentMethods.setProvider, { ...name, apiType, baseUrl, headers: { ...headers } }, signal);
  }
}

/**
 * Sends the stored provider settings to a newly started agent. Refusals become a notice; rejects only if the agent has
 * exited or `signal` aborts.
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

/** Returns a notice about the model providers that couldn't be set, with each reason on its own line. */
export function notSet(name: string, reasons: readonly string[]): SetupNotice {
  const title = l10n.t('Some model provider settings weren’t applied to {0}', name);
  const next = l10n.t(
    'The previous settings stay in effect. Change or clear them with “Parley: Configure Model Providers…”.',
  );
  return { severity: 'warning', title, description: [...reasons, next].map((line) => `\n${line}`).join('') };
}

/** Returns why an agent refused, without secrets. */
export function refusalWords(name: string, agent: ProviderAgent | undefined, error: unknown): string {
  if (isAuthRequired(error)) return l10n.t('{0} needs you to log in. Log in and try again.', name);
  if (isConnectionClosed(error)) return l10n.t('The agent has exited.');
  const words = isFailureError(error)
    ? [error.failure.title, error.failure.cause]
    : [readableError(error).message, readableError(error).detail];
  const text = words.filter(Boolean).join('\n');
  return agent ? agent.redact(text) : text;
}
