import type { PrepareSession } from '../../agent/sessionSetup';
import { workspaceRoots } from '../folders';
import type { LazyMcpServers } from '../mcp/lazyMcpServers';

/** Sessions get all folders of the workspace, whichever they work in, and the user's MCP servers. */
export function prepareSession(mcp: LazyMcpServers): PrepareSession {
  return async (session, spec, can, signal) => {
    const { cwd } = session.transcript.view;
    const additionalDirectories = workspaceRoots().filter((folder) => folder !== cwd);
    if (spec.mcp === false) return { additionalDirectories, mcpServers: [], leftOut: [], secrets: [] };
    const capabilities = { mcpHttp: can?.mcpHttp ?? false, mcpSse: can?.mcpSse ?? false };
    const folders = [cwd, ...additionalDirectories];
    const { servers, leftOut, secrets } = await (await mcp.get()).get(spec, capabilities, folders, signal);
    return { additionalDirectories, mcpServers: servers, leftOut, secrets };
  };
}
