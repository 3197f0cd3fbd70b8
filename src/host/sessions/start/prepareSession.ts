import type { PrepareSession } from '../../../agent/connection/sessionSetup';
import type { FileBridge } from '../../files/fileBridge';
import { fileKey } from '../../base/filePaths';
import { rootsBeside, workspaceRoots } from '../../base/folders';
import type { IdeServers } from '../../ide/ideServers';
import type { McpServers } from '../../mcp/mcpServers';
import type { SettingsReview } from '../../settings/reviewSettings';
import { chosenFolders } from './chosenFolders';
import { folderChoiceKey } from './folderChoice';

const noServers = { servers: [], skipped: [], secrets: [] };

/**
 * Prepares a session's folders and MCP servers. By default, a session gets all workspace folders or those that the user
 * chose. A reopened session keeps its folders, and one that an agent started has those of the asking session.
 */
export function prepareSession(
  mcp: Pick<McpServers, 'get'>,
  memory: { get(key: string): unknown },
  files: Pick<FileBridge, 'workIn'>,
  review: Pick<SettingsReview, 'askIn'>,
  ide: Pick<IdeServers, 'offer'>,
): PrepareSession {
  return async ({ key, transcript, context }, spec, can, signal, isNew) => {
    // Comes first, because workspace settings may affect the rest.
    const ask: typeof context.ask = (question, cancelled) => context.ask(question, cancelled);
    await review.askIn(ask, signal);
    const { cwd, additionalDirectories: own, askedBy } = transcript.view;
    const all = workspaceRoots();
    const roots = rootsBeside(cwd, all);
    const others = roots.filter((folder) => fileKey(folder) !== fileKey(cwd));
    const stored = memory.get(folderChoiceKey);
    // The choice is for the user's own sessions. One that an agent started has the folders of that agent's session.
    const takesChoice = isNew && !askedBy && stored !== undefined;
    // Most windows have neither.
    const chosen = own || takesChoice ? chosenFolders({ spec, cwd, roots, own, stored, can }) : undefined;
    // In a worktree, the rest of the workspace isn't all of the workspace.
    const inside = chosen?.inside ?? (roots.length < all.length ? others : undefined);
    if (inside) files.workIn(key, inside);
    const folders = { additionalDirectories: others, ...chosen?.setup };
    const capabilities = {
      mcpStdio: can?.mcpStdio ?? false,
      mcpHttp: can?.mcpHttp ?? false,
      mcpSse: can?.mcpSse ?? false,
    };
    // Only servers of workspace folders, because a folder outside the workspace isn't trusted to start programs.
    const { servers, skipped, secrets } =
      spec.mcp === false ? noServers : await mcp.get(spec, capabilities, [cwd, ...others], ask, signal);
    const toolSession = { context, folders: inside };
    const taken = servers.map(({ name }) => name);
    const doors = { mcpHttp: capabilities.mcpHttp, mcpAcp: can?.mcpAcp ?? false };
    const offered = await ide.offer(spec, doors, toolSession, taken, signal);
    return {
      ...folders,
      mcpServers: [...servers, ...offered.servers],
      skipped: [...skipped, ...offered.skipped],
      secrets: [...secrets, ...offered.secrets],
    };
  };
}
