import { compact } from '../../shared/values/decodeValue';
import type { AgentSpec } from './agentSpec';

/**
 * Returns a key for sharing agents: sessions share an agent if they would start the same program in the same folder and
 * offer it the same services and protocol versions.
 */
export function programKey(spec: AgentSpec, cwd: string): string {
  const { command, args, env, cwd: own, clientCapabilities, protocolVersion, chain, url, headers, sharesFiles } = spec;
  // A server has all its sessions in one connection, whatever their folders.
  if (url !== undefined) {
    const server = JSON.stringify([url, headers, clientCapabilities, protocolVersion, sharesFiles]);
    return server.includes('${workspaceFolder}') ? `${server} in ${cwd}` : server;
  }
  const program = JSON.stringify([command, args, env, own, clientCapabilities, protocolVersion, chain]);
  // A sandbox holds its program to the folders of one session.
  if (spec.sandbox !== undefined && spec.sandbox !== 'off') {
    return `${program} in ${cwd} in sandbox ${spec.sandbox} for ${JSON.stringify([...(spec.sandboxFolders ?? [])].sort())}`;
  }
  const isPlaced = own !== undefined && /^([/~]|[A-Za-z]:[\\/])/.test(own) && !program.includes('${workspaceFolder}');
  return isPlaced ? program : `${program} in ${cwd}`;
}

/** The parts of an agent's definition that determine what runs and what receives its data. */
type Definition = Pick<AgentSpec, 'command' | 'args' | 'env' | 'cwd' | 'isOfWorkspace' | 'chain' | 'url' | 'headers'>;

/**
 * Returns the fingerprint that a user's secrets are bound to. An agent of the same name that runs something else, or
 * sends data elsewhere, doesn't get the secrets. `place` is the window's folders, which matter if the definition
 * depends on them.
 */
export function programFingerprint(definition: Definition, place: string): string {
  const { command, args, env, cwd, isOfWorkspace, chain, url, headers = {} } = definition;
  const more = {
    ...(Object.keys(env).length > 0
      ? { env: Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1)) }
      : {}),
    ...compact({ cwd }),
    ...(url === undefined ? {} : { url, headers: Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)) }),
    ...compact({ chain }),
    ...(isOfWorkspace === true ? { isOfWorkspace } : {}),
    ...(isOfWorkspace === true || isLeftToPlace(definition) ? { place } : {}),
  };
  return JSON.stringify(Object.keys(more).length === 0 ? [command, args] : [command, args, more]);
}

/** Returns whether the same definition runs something else in another folder. */
function isLeftToPlace({ chain, ...agent }: Definition): boolean {
  const lines = [...(chain ? [chain.conductor, ...chain.proxies] : []), agent];
  return lines.some(({ command, args }) => isLineLeftToPlace({ ...agent, command, args }));
}

function isLineLeftToPlace({ command, args, env, cwd = '' }: Omit<Definition, 'chain'>): boolean {
  const texts = [command, cwd, ...args, ...Object.values(env)];
  if (texts.some((text) => text.includes('${workspaceFolder'))) return true;
  const isRelative = (path: string) => !/^([/\\~$]|[A-Za-z]:)/.test(path);
  const isRelativeCommand = /[/\\]/.test(command) && isRelative(command);
  return isRelativeCommand || (cwd !== '' && isRelative(cwd)) || args.some((arg) => /^\.{1,2}[/\\]/.test(arg));
}
