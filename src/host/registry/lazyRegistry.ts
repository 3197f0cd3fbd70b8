import { join } from 'node:path';
import { Disposable } from '../../shared/disposable';
import { once } from '../../shared/once';
import { removeLeftDrafts } from './drafts';
import type { Registry, RegistryOptions } from './registry';

/** Loads the agent registry when the user first needs it. */
export class LazyRegistry extends Disposable {
  /** Always returns the same instance. */
  readonly get: () => Promise<Registry>;

  constructor(options: RegistryOptions) {
    super();
    removeLeftDrafts(join(options.storage, 'agents')).catch((error: unknown) => {
      options.log.warn(`Registry: ${String(error)}`);
    });
    this.get = once(async () => this.register(new (await import('./registry')).Registry(options)));
  }
}
