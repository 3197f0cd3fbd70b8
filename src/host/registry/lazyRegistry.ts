import { join } from 'node:path';
import { Disposable } from '../../shared/disposable';
import { once } from '../../shared/once';
import { removeLeftDrafts } from './drafts';
import type { Registry, RegistryOptions } from './registry';

/** The registry of agents, loaded when the user first asks for it. */
export class LazyRegistry extends Disposable {
  /** The same each time. */
  readonly get: () => Promise<Registry>;

  constructor(options: RegistryOptions) {
    super();
    removeLeftDrafts(join(options.storage, 'agents')).catch((error: unknown) => {
      options.log.warn(`Registry: ${String(error)}`);
    });
    this.get = once(async () => this.register(new (await import('./registry')).Registry(options)));
  }
}
