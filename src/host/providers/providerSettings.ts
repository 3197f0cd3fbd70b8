import * as l10n from '@vscode/l10n';
import type { ProviderInfo } from '../../acp/decode/decodeProviders';
import { errorCodes, isAcpError, isAuthRequired } from '../../acp/base/errors';
import { createRedactor } from '../../acp/wire/redact';
import { abortable } from '../../agent/base/abortable';
import type { Agent } from '../../agent/connection/agent';
import type { AgentLease } from '../../agent/pool/agentLease';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { programFingerprint } from '../../agent/spec/programKey';
import { listProviders, refusalWords, sendProvider } from '../../agent/providers/providerRequests';
import { withoutProvider, withProvider, type StoredProvider } from '../../agent/providers/storedProviders';
import { Disposable } from '../../shared/values/disposable';
import {
  isValid,
  problemsOf,
  type ProviderDraft,
  type ProviderOutcome,
  type ProvidersShown,
  type ProviderView,
} from '../../shared/pages/modelProviders';
import { folderToAsk } from '../base/folders';
import type { ProviderStore } from './providerStore';

/**
 * The provider settings of an agent while their page is open. Keeps the agent running, and restarts it if it
 * exits.
 */
export class ProviderSettings extends Disposable {
  private readonly pool: AgentPool;
  private readonly spec: AgentSpec;
  private readonly kept: ProviderStore;
  private readonly closed = new AbortController();
  private lease: AgentLease | undefined;
  private listed: readonly ProviderInfo[] = [];

  constructor(pool: AgentPool, spec: AgentSpec, kept: ProviderStore) {
    super();
    this.pool = pool;
    this.spec = spec;
    this.kept = kept;
    this.register({
      dispose: () => {
        this.closed.abort();
        this.lease?.dispose();
      },
    });
  }

  /** Loads the providers from the agent and from storage. Never rejects. */
  async look(): Promise<ProvidersShown> {
    const { name } = this.spec;
    try {
      const agent = await this.agent();
      const stored = await this.kept.read(this.spec);
      if (!agent.can?.providers) {
        const title = l10n.t('{0} doesn’t support custom model providers.', name);
        return {
          state: 'failed',
          title,
          next: l10n.t('A newer version might. Until then, use the agent’s own settings.'),
        };
      }
      this.listed = await listProviders(agent, this.closed.signal);
      return { state: 'ready', providers: viewsOf(this.listed, stored) };
    } catch (error) {
      const title = l10n.t('Couldn’t get model providers from {0}.', name);
      return { state: 'failed', title, next: this.reasonOf(error), wantsLogin: isAuthRequired(error) };
    }
  }

  /** Sends a provider's settings to the agent, and stores them for later starts. Never rejects. */
  save(draft: ProviderDraft): Promise<ProviderOutcome> {
    return this.change(draft.providerId, (before) => {
      const known = before?.config?.headers ?? {};
      if (!isValid(problemsOf(draft, Object.keys(known)))) throw new Error(l10n.t('A field isn’t valid.'));
      const values = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
      const headers = draft.headers.map(({ name, value }) => {
        return [name.trim(), value?.trim() ?? values.get(name.trim().toLowerCase()) ?? ''] as const;
      });
      const config = {
        apiType: draft.apiType.trim(),
        baseUrl: draft.baseUrl.trim(),
        headers: Object.fromEntries(headers),
      };
      return { isOff: false, config };
    });
  }

  /** Turns off a provider in the agent, now and at later starts. Never rejects. */
  turnOff(providerId: string): Promise<ProviderOutcome> {
    return this.change(providerId, (before) => ({ isOff: true, ...(before?.config ? { config: before.config } : {}) }));
  }

  /** Deletes the stored settings of a provider. The agent keeps its current ones. Never rejects. */
  async forget(providerId: string): Promise<ProviderOutcome> {
    try {
      await this.kept.keep(this.spec, withoutProvider(await this.kept.read(this.spec), providerId));
      const next = l10n.t(
        '{0} keeps the current settings until it exits. Then its own settings apply.',
        this.spec.name,
      );
      return { providerId, isDone: true, title: l10n.t('Cleared.'), next };
    } catch (error) {
      const title = l10n.t('Couldn’t clear the saved settings.');
      return { providerId, isDone: false, title, next: this.reasonOf(error) };
    }
  }

  private async change(
    providerId: string,
    make: (before: StoredProvider | undefined) => Pick<StoredProvider, 'isOff' | 'config'>,
  ): Promise<ProviderOutcome> {
    const { name } = this.spec;
    let isAccepted = false;
    try {
      const agent = await this.agent();
      const stored = await this.kept.read(this.spec);
      const isNamedById = this.listed.some((one) => one.providerId === providerId && one.isNamedById);
      const wanted = { providerId, isNamedById, ...make(stored.find((one) => one.providerId === providerId)) };
      await sendProvider(agent, wanted, this.closed.signal);
      isAccepted = true;
      await this.kept.keep(this.spec, withProvider(stored, wanted));
      const refused = await this.updateOthers(agent, wanted);
      const title = wanted.isOff ? l10n.t('Turned off.') : l10n.t('Saved.');
      const next = l10n.t('Open sessions may keep the previous settings. New sessions use these.');
      return { providerId, isDone: true, title, next: [next, ...refused].join('\n') };
    } catch (error) {
      const title = isAccepted
        ? l10n.t('{0} accepted the change, but it couldn’t be saved for the next start.', name)
        : l10n.t('{0} didn’t accept the change. Your input is still here.', name);
      return { providerId, isDone: false, title, next: this.reasonOf(error), wantsLogin: isAuthRequired(error) };
    }
  }

  /**
   * Sends the setting to the agent's other processes, because each has its own. Resolves to their errors, as sentences.
   */
  private async updateOthers(updated: Agent, wanted: StoredProvider): Promise<readonly string[]> {
    const others = this.pool.running.filter(
      ({ agent, spec }) => agent !== updated && this.isSame(spec) && agent.can?.providers === true,
    );
    const answers = await Promise.allSettled(
      others.map(({ agent }) => sendProvider(agent, wanted, this.closed.signal)),
    );
    return answers.some(({ status }) => status === 'rejected')
      ? [
          l10n.t(
            'Another running process of this agent rejected the change. It will use the new settings after a restart.',
          ),
        ]
      : [];
  }

  private async agent(): Promise<Agent> {
    const { pool, spec, closed } = this;
    closed.signal.throwIfAborted();
    if (!this.lease || this.lease.agent.hasExited) {
      this.lease?.dispose();
      const running = pool.running.find((one) => this.isSame(one.spec) && one.agent.can?.providers);
      this.lease = pool.lease(running?.spec ?? spec, running?.cwd ?? folderToAsk());
    }
    const { lease } = this;
    await abortable(lease.ready, closed.signal);
    return lease.agent;
  }

  /** Returns true if this is the same program. Another program with the same name gets no settings. */
  private isSame(other: AgentSpec): boolean {
    return other.id === this.spec.id && programFingerprint(other, '') === programFingerprint(this.spec, '');
  }

  private reasonOf(error: unknown): string {
    if (isAcpError(error) && error.code === errorCodes.methodNotFound) {
      return l10n.t('It reports support for this but doesn’t recognize the request. A newer version might.');
    }
    return refusalWords(this.spec.name, this.lease?.agent, error);
  }
}

/** The secrets of other parts aren't known here, so redact only what looks like a secret. */
const patterns = createRedactor([]);

function viewsOf(listed: readonly ProviderInfo[], stored: readonly StoredProvider[]): readonly ProviderView[] {
  const gone = stored.filter(({ providerId }) => !listed.some((one) => one.providerId === providerId));
  const unlisted = gone.map(({ providerId, isNamedById }) => {
    return { providerId, isNamedById, supported: [], isRequired: false };
  });
  return [...listed, ...unlisted].map((provider: ProviderInfo) => {
    const { providerId, supported, isRequired, current } = provider;
    const kept = stored.find((one) => one.providerId === providerId);
    const shown = current && { ...current, baseUrl: patterns.redactText(current.baseUrl) };
    const from = kept?.config ?? (shown?.baseUrl === current?.baseUrl ? current : undefined);
    return {
      providerId,
      supported,
      isRequired,
      isListed: listed.includes(provider),
      ...(shown ? { current: shown } : {}),
      stored: kept === undefined ? 'nothing' : kept.isOff ? 'off' : 'config',
      initial: {
        apiType: from?.apiType || (supported[0] ?? ''),
        baseUrl: from?.baseUrl ?? '',
        headerNames: Object.keys(kept?.config?.headers ?? {}),
      },
    };
  });
}
