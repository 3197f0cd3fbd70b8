import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { decodeAgentServers, foreignSettings, type ForeignAgent } from '../../agent/found/agentServers';
import { findPrograms, type FoundProgram } from '../../agent/found/findPrograms';
import type { Searched } from '../../agent/found/places';
import { locateProgram } from '../../agent/launch/launch';
import type { CommandLine } from '../../agent/spec/commandLine';
import type { Machine } from '../../agent/registry/distribution';

type Environment = Readonly<Record<string, string>>;

/** The agents that another editor's user defined. */
export interface ForeignAgents {
  readonly editor: string;
  readonly path: string;
  readonly agents: readonly ForeignAgent[];
}

/** A found program that speaks ACP itself, and the command to start it. */
export interface FoundAgent extends CommandLine {
  readonly found: FoundProgram;
}

/** Slow folders, such as those of a network, are skipped after this time. */
const patienceMs = 2000;
/** The largest settings file that is read, in bytes. */
const maxBytes = 1_000_000;

/** Finds the known programs on this machine. */
export function findOnMachine(env: Environment): Promise<readonly FoundProgram[]> {
  return findPrograms(searched(env), AbortSignal.timeout(patienceMs));
}

/** Returns the command for a found program; undefined if it needs an adapter. */
export async function foundCommand(found: FoundProgram, env: Environment): Promise<FoundAgent | undefined> {
  const { known, path, version } = found;
  if (known.speaks.how === 'adapter') return undefined;
  // The bare name keeps working when a version manager moves the program, if it means the same program.
  const onPath = await locateProgram({ command: known.program, args: [], env, cwd: homedir() }).catch(() => undefined);
  const isSame = process.platform !== 'win32' && onPath?.command === path;
  return { found, command: isSame ? known.program : path, args: known.speaks.args(version) };
}

/** Reads the agents of other editors, except those with one of these names. */
export async function readForeignAgents(
  env: Environment,
  known: ReadonlySet<string>,
): Promise<readonly ForeignAgents[]> {
  const all = await Promise.all(
    foreignSettings(searched(env)).map(async ({ editor, path }) => {
      const agents = await readFile(path, 'utf8')
        .then((text) => (text.length > maxBytes ? [] : decodeAgentServers(text)))
        // The other editor reports a file that can't be read or parsed.
        .catch((): readonly ForeignAgent[] => []);
      return { editor, path, agents: agents.filter(({ name }) => !known.has(name)) };
    }),
  );
  return all.filter(({ agents }) => agents.length > 0);
}

/** Finds out what can run on this machine. */
export async function describeMachine(env: Environment): Promise<Machine> {
  const has = (command: string) =>
    locateProgram({ command, args: [], env, cwd: homedir() }).then(
      () => true,
      () => false,
    );
  const [hasNode, hasNpm, hasUvx] = await Promise.all([has('node'), has('npm'), has('uvx')]);
  return { platform: process.platform, arch: process.arch, hasNpm: hasNode && hasNpm, hasUvx };
}

function searched(env: Environment): Searched {
  // On Windows, other shells set HOME to paths of their own.
  const home = process.platform === 'win32' ? homedir() : (env['HOME'] ?? homedir());
  return { platform: process.platform, home, env };
}
