import { realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';
import type { KnownAgent } from './knownAgents';

/** What the programs in an agent's own folders are found by. */
export interface ProgramFacts {
  readonly agent: KnownAgent | undefined;
  /** The agent's own files and folders, which it can change. */
  readonly state: readonly string[];
  /** Programs and scripts that run inside. */
  readonly programs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns what must stay as it is in an agent's own folders: the program that the user's commands, and Parley, start from there outside of a
 * sandbox. Without that, an agent could replace itself.
 */
export function heldPrograms({ agent, state, programs, env }: ProgramFacts): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const named = folders.flatMap((folder) => (agent?.programs ?? []).map((name) => join(folder, name)));
  const found = [...programs.filter(isAbsolute), ...named].flatMap((path) => attempt(() => realpathSync(path)) ?? []);
  const own = state.map((path) => attempt(() => realpathSync(path)) ?? path);
  return [...new Set(found.filter((path) => isBelow(path, own)).map((path) => placeOf(path, own)))];
}

/** Returns the packages or the folder that a program is in, unless that is all of the agent's own. */
function placeOf(program: string, state: readonly string[]): string {
  const packages = program.indexOf(`${sep}node_modules${sep}`);
  const folder = packages === -1 ? dirname(program) : program.slice(0, packages + `${sep}node_modules`.length);
  return state.includes(folder) || !isBelow(folder, state) ? program : folder;
}
