import { Disposable } from '../../shared/disposable';
import type { Registry, RegistryOptions } from './registry';

/** The registry of agents, loaded when the user first asks for it. */
export class LazyRegistry extends Disposable {
  private readonly options: RegistryOptions;
  private loaded: Promise<Registry> | undefined;

  constructor(options: RegistryOptions) {
    super();
    this.options = options;
  }

  /** The same each time. */
  get(): Promise<Registry> {
    // The name is that of the built file: it stays outside of the extension's bundle.
    return (this.loaded ??= import('./registryChunk.js').then((chunk) =>
      this.register(chunk.createRegistry(this.options)),
    ));
  }
}
