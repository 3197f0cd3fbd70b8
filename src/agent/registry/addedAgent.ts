import type { AgentId } from '../../shared/values/ids';
import type { AgentSpec } from '../spec/agentSpec';
import type { CommandLine } from '../spec/commandLine';

/** An agent that the user has added from the list, with the command they agreed to. */
export interface AddedAgent extends CommandLine {
  readonly id: string;
  readonly name: string;
  /** Empty if the agent is a program of the user's whose version isn't known. */
  readonly version: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its program is unpacked; absent if npx, uvx, or the system provides it. */
  readonly folder?: string;
  /** The program was on this machine, and the user updates it. */
  readonly found?: boolean;
}

/** Converts an added agent to a spec. The id is the registry's. */
export function addedAgentSpec({ id, name, command, args, env, version }: AddedAgent): AgentSpec {
  return { id: id as AgentId, name, command, args, env, ...(version !== '' && { version }), source: 'registry' };
}

/** Reads stored agents; skips invalid ones. */
export function decodeAddedAgents(value: unknown): readonly AddedAgent[] {
  return Array.isArray(value) ? value.filter(isAddedAgent) : [];
}

function isAddedAgent(value: unknown): value is AddedAgent {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, version, command, args, env, folder, found } = value as Record<string, unknown>;
  const isText = (item: unknown): item is string => typeof item === 'string';
  return (
    [id, name, command].every((item) => isText(item) && item !== '') &&
    isText(version) &&
    (version !== '' || found === true) &&
    (found === undefined || typeof found === 'boolean') &&
    (folder === undefined || isText(folder)) &&
    Array.isArray(args) &&
    args.every(isText) &&
    typeof env === 'object' &&
    env !== null &&
    Object.values(env).every(isText)
  );
}
