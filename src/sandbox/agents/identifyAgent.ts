import { realpathSync } from 'node:fs';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';
import { knownAgents, type KnownAgent } from './knownAgents';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** Programs that load another one from a registry of packages, and the words that say so. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npx: [''],
  bunx: [''],
  pnpx: [''],
  uvx: [''],
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  pipx: ['run'],
};

/** Programs that run a script. */
const interpreters = new Set(['node', 'bun', 'deno', 'python', 'python3', 'electron']);

/** Whether a program loads packages, or the agent itself, from a registry. */
export function isPackageRunner(program: string): boolean {
  return nameOf(program) in runners;
}

/**
 * Returns the known agent that is started: by the package that a runner loads, the package that a script or a program is part of, or the
 * program's own name. Never by another word of a command line, which anybody can choose, and never by the name of a program in `folders`,
 * where the agent itself can write.
 */
export function identifyAgent(
  commands: readonly CommandLine[],
  folders: readonly string[] = [],
): KnownAgent | undefined {
  for (const command of commands) {
    const agent = identify(command, folders);
    if (agent) return agent;
  }
  return undefined;
}

function identify([program, ...args]: CommandLine, folders: readonly string[]): KnownAgent | undefined {
  const name = nameOf(program);
  const loaded = loadedPackages(name, args);
  if (loaded) {
    const [first, ...others] = loaded.map((one) => ofPackage(one));
    return others.every((one) => one === first) ? first : undefined;
  }
  const script = interpreters.has(name) ? args.find((arg) => !arg.startsWith('-')) : undefined;
  const path = script ?? program;
  const real = attempt(() => realpathSync(path)) ?? path;
  if ([path, real].some((one) => isBelow(one, folders))) return undefined;
  const inPackage = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(real)?.[1];
  if (inPackage !== undefined) return ofPackage(inPackage.replaceAll('\\', '/'));
  return script === undefined ? knownAgents.find(({ programs }) => programs.includes(name)) : undefined;
}

/** Returns the names of the packages that a runner loads. Undefined if it isn't one, or loads none. */
function loadedPackages(runner: string, args: readonly string[]): readonly string[] | undefined {
  const words = runners[runner];
  if (!words) return undefined;
  const needsWord = !words.includes('');
  const rest = [...args];
  const named: string[] = [];
  let hasWord = !needsWord;
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, option, value] = /^(-p|--package|--from|--spec)(?:=(.*))?$/.exec(arg) ?? [];
    if (option !== undefined) named.push(value ?? rest.shift() ?? '');
    else if (arg === '--' || arg.startsWith('-')) continue;
    else if (!hasWord) {
      if (!words.includes(arg)) return undefined;
      hasWord = true;
    } else {
      // What is named runs a program of those packages.
      return (named.length > 0 ? named : [arg]).map((one) => packageName(one));
    }
  }
  return named.length > 0 ? named.map((one) => packageName(one)) : undefined;
}

/** Returns the name in `name@version`. Empty for addresses, folders, and names that stand for another package. */
function packageName(spec: string): string {
  return /^((?:@[\w.-]+\/)?[\w.-]+)(?:@[\w.^~<>=*+-]+)?$/.exec(spec)?.[1] ?? '';
}

function ofPackage(name: string): KnownAgent | undefined {
  // A package for one system, beside the one that selects it.
  const common = name.startsWith('@')
    ? name.replace(/-(?:linux|darwin|win32|windows)-(?:x64|arm64)(?:-musl)?$/, '')
    : name;
  return knownAgents.find(({ packages }) => packages.includes(name) || packages.includes(common));
}

function nameOf(program: string): string {
  const last = program.split(/[\\/]/).at(-1) ?? '';
  return last.toLowerCase().replace(/\.(?:cmd|exe|ps1|bat)$/, '');
}
