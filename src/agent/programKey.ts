import type { AgentSpec } from './agentSpec';

/** Agents are shared by sessions that would start the very same program in the very same place, and offer it the same. */
export function programKey({ command, args, env, cwd: own, clientCapabilities }: AgentSpec, cwd: string): string {
  const program = JSON.stringify([command, args, env, own, clientCapabilities]);
  const isPlaced = own !== undefined && /^([/~]|[A-Za-z]:[\\/])/.test(own) && !program.includes('${workspaceFolder}');
  return isPlaced ? program : `${program} in ${cwd}`;
}

/** All of an agent's definition that decides what runs, and who gets what it is given. */
type Definition = Pick<AgentSpec, 'command' | 'args' | 'env' | 'cwd' | 'isOfWorkspace'>;

/**
 * What a user's secrets are bound to: an agent of the same name that runs something else, or sends it elsewhere, doesn't get them.
 * `place`: the folders of the window, which count where the definition leaves it to them what runs.
 */
export function programFingerprint(definition: Definition, place: string): string {
  const { command, args, env, cwd, isOfWorkspace } = definition;
  const more = {
    ...(Object.keys(env).length > 0
      ? { env: Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1)) }
      : {}),
    ...(cwd === undefined ? {} : { cwd }),
    ...(isOfWorkspace === true ? { isOfWorkspace } : {}),
    ...(isOfWorkspace === true || isLeftToPlace(definition) ? { place } : {}),
  };
  return JSON.stringify(Object.keys(more).length === 0 ? [command, args] : [command, args, more]);
}

/** Whether the same definition runs something else in another folder. */
function isLeftToPlace({ command, args, env, cwd = '' }: Definition): boolean {
  const texts = [command, cwd, ...args, ...Object.values(env)];
  if (texts.some((text) => text.includes('${workspaceFolder'))) return true;
  const isRelative = (path: string) => !/^([/\\~$]|[A-Za-z]:)/.test(path);
  const isRelativeCommand = /[/\\]/.test(command) && isRelative(command);
  return isRelativeCommand || (cwd !== '' && isRelative(cwd)) || args.some((arg) => /^\.{1,2}[/\\]/.test(arg));
}
