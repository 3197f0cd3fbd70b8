import { join } from 'node:path';
import type { AgentPool } from '../../agent/pool/agentPool';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { once } from '../../shared/values/once';
import { removeLeftDrafts } from './drafts';
import type { Registry, RegistryOptions } from './registry';

export interface RegistryNeeds extends Pick<
  RegistryOptions,
  'added' | 'storage' | 'log' | 'environment' | 'importAgents' | 'act'
> {
  readonly pool: Pick<AgentPool, 'sessions' | 'specOf' | 'onDidChangeSessions' | 'retire'>;
  readonly settings: { get(key: 'registry.url'): string; readonly agentNames: ReadonlySet<string> };
}

/** Loads the agent registry when the user first needs it. */
export class LazyRegistry extends Disposable {
  /** Always returns the same instance. */
  readonly get: () => Promise<Registry>;

  private readonly loaded = this.register(new Emitter<void>());
  /** Fires when the list of agents was loaded. */
  readonly onDidLoad = this.loaded.event;

  constructor(needs: RegistryNeeds) {
    super();
    removeLeftDrafts(join(needs.storage, 'agents')).catch((error: unknown) => {
      needs.log.warn(`Registry: ${String(error)}`);
    });
    const { pool, settings, ...others } = needs;
    const options: RegistryOptions = {
      ...others,
      registryUrl: () => settings.get('registry.url'),
      settingNames: () => settings.agentNames,
      isUsed: (id) => pool.sessions.some((session) => pool.specOf(session)?.id === id),
      onDidChangeSessions: pool.onDidChangeSessions,
      retire: (id) => pool.retire(id),
      onDidLoad: () => this.loaded.fire(),
    };
    this.get = once(async () => {
      const { Registry } = await import('./registry');
      return this.register(new Registry(options));
    });
  }
}
