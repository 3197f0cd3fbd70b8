import { loadPart, once } from '../onDemand/loadPart';
import type { McpServers, McpServersOptions } from './mcpServers';

/** MCP servers, loaded with the first session that may have some. */
export class LazyMcpServers {
  /** The same each time. */
  readonly get: () => Promise<McpServers>;

  constructor(options: McpServersOptions) {
    // The name is that of the built file: it stays outside of the extension's bundle.
    this.get = once(async () => (await loadPart(() => import('./mcpChunk.js'))).createMcpServers(options));
  }
}
