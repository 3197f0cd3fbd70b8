import { join } from 'node:path';
import { Disposable } from '../../shared/disposable';
import { loadPart, once } from '../onDemand/loadPart';
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
    // The name is that of the built file: it stays outside of the extension's bundle.
    this.get = once(async () =>
      this.register((await loadPart(() => import('./registryChunk.js'))).createRegistry(options)),
    );
  }
}
