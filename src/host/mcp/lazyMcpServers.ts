import type { McpServers, McpServersOptions } from './mcpServers';

/** MCP servers, loaded with the first session that may have some. */
export class LazyMcpServers {
  private readonly options: McpServersOptions;
  private loaded: Promise<McpServers> | undefined;

  constructor(options: McpServersOptions) {
    this.options = options;
  }

  /** The same each time. */
  get(): Promise<McpServers> {
    // The name is that of the built file: it stays outside of the extension's bundle.
    return (this.loaded ??= import('./mcpChunk.js').then((chunk) => chunk.createMcpServers(this.options)));
  }
}
