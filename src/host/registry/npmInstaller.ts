import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CommandLine } from '../../agent/spec/commandLine';
import { decodeNpmFacts, nameAndVersion, type NpmFacts } from '../../agent/registry/npmFacts';
import { npmFailure } from '../../agent/registry/npmFailure';
import type { PackageDistribution, RegistryAgent } from '../../agent/registry/registryAgent';
import { getSentence } from '../../agent/registry/runtimes';
import { isInRange, lowestMajor } from '../../agent/registry/versionRange';
import { isRecord } from '../../shared/values/isRecord';
import { draftName } from './drafts';
import { removeDraft, replaceFolder, versionFolder } from './installer';
import { RegistryError, RuntimeError } from './registryFailures';
import { runProgram, type RunResult } from './runProgram';

export interface NpmOptions {
  /** The folder of all agents. */
  readonly root: string;
  readonly agent: Pick<RegistryAgent, 'id' | 'name' | 'version'>;
  readonly package: PackageDistribution;
  /** The environment of the user's terminal programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A package as npm knows it, and the command that its installation will run. */
export interface PlannedPackage {
  readonly facts: NpmFacts;
  readonly line: CommandLine;
}

/** One attempt more, soon: the user waits, and can try again. */
const network = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];
const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=error'];
/**
 * No scripts run while installing. Optional packages contain the programs for each platform, so a setting that omits
 * them must not apply.
 */
const installing = ['--ignore-scripts', '--no-package-lock', '--omit=dev', '--include=optional', '--location=project'];

/**
 * Asks npm about the package and checks that this machine's Node.js can run it. Downloads nothing else. Rejects with a
 * sentence for the user.
 */
export async function planPackage(options: NpmOptions): Promise<PlannedPackage> {
  const { root, agent, package: asked, env, signal } = options;
  const fields = ['name', 'version', 'bin', 'engines', 'dist.integrity'];
  const args = ['view', asked.package, ...fields, '--json', ...quiet, ...network];
  const answer = await runProgram('npm', args, { env, cwd: homedir(), signal });
  if (answer.code !== 0) throw failed(options, answer);
  const facts = decodeNpmFacts(parse(answer.stdout), asked.cmd);
  const { name, version } = nameAndVersion(asked.package);
  if (!facts || facts.name !== name || facts.version !== version) {
    throw new RegistryError(
      l10n.t('{0} isn’t a package with a program. Contact the developer of {1}.', asked.package, agent.name),
    );
  }
  await requireNode(agent.name, facts.node, env, signal);
  const program = join(versionFolder(root, agent), 'node_modules', name, facts.program);
  return { facts, line: { command: 'node', args: [program, ...asked.args] } };
}

/**
 * Installs the planned package and everything it needs into the agent's folder. The folder is complete or doesn't exist,
 * even after a failure. Resolves to what to run, which differs from the plan if the program isn't written for Node.js.
 */
export async function installPackage(
  options: NpmOptions,
  { facts, line }: PlannedPackage,
): Promise<CommandLine & { readonly folder: string }> {
  const { root, agent, package: asked, env, signal } = options;
  const folder = versionFolder(root, agent);
  const draft = join(root, agent.id, draftName());
  const content = join(draft, 'content');
  try {
    await mkdir(content, { recursive: true });
    await writeFile(join(content, 'package.json'), '{ "private": true }\n');
    const args = ['install', asked.package, '--prefix', content, ...installing, ...quiet, ...network];
    const result = await runProgram('npm', args, { env, cwd: content, signal });
    if (result.code !== 0) throw failed(options, result);
    await requireSame(content, facts, asked, agent.name);
    const isForNode = await startsWithNode(join(content, 'node_modules', facts.name, facts.program));
    signal.throwIfAborted();
    await replaceFolder(content, folder, join(draft, 'former'), agent.name);
    if (isForNode) return { ...line, folder };
    const [program = '', ...rest] = line.args;
    return { command: program, args: rest, folder };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new RegistryError(npmFailure(agent.name, asked.package, 'npm error code ENOSPC'));
    }
    throw error;
  } finally {
    await removeDraft(draft);
  }
}

async function requireNode(
  name: string,
  range: string | undefined,
  env: NpmOptions['env'],
  signal: AbortSignal,
): Promise<void> {
  if (range === undefined) return;
  const { stdout } = await runProgram('node', ['--version'], { env, cwd: homedir(), signal });
  const version = /^v(\d+\.\d+\.\d+\S*)/.exec(stdout.trim())?.[1];
  if (version === undefined || isInRange(version, range)) return;
  const major = lowestMajor(range);
  const what =
    major === undefined
      ? l10n.t('{0} needs Node.js {1}, but this machine has {2}.', name, range, version)
      : l10n.t('{0} needs Node.js {1} or later, but this machine has {2}.', name, major, version);
  throw new RuntimeError('node', `${what} ${getSentence('node', process.platform)}`);
}

/** Checks that what was installed is what the user agreed to. */
async function requireSame(content: string, facts: NpmFacts, asked: PackageDistribution, name: string): Promise<void> {
  const modules = join(content, 'node_modules');
  const installed = decodeNpmFacts(
    parse(await readFile(join(modules, facts.name, 'package.json'), 'utf8').catch(() => '')),
    asked.cmd,
  );
  const program = await stat(join(modules, facts.name, facts.program)).catch(() => undefined);
  const lock = parse(await readFile(join(modules, '.package-lock.json'), 'utf8').catch(() => ''));
  const packages = isRecord(lock) ? lock['packages'] : undefined;
  const locked = isRecord(packages) ? packages[`node_modules/${facts.name}`] : undefined;
  const integrity = isRecord(locked) ? locked['integrity'] : undefined;
  const isSame =
    installed?.version === facts.version &&
    installed.program === facts.program &&
    program?.isFile() === true &&
    (facts.integrity === undefined || integrity === undefined || integrity === facts.integrity);
  if (isSame) return;
  throw new RegistryError(
    l10n.t('The package for {0} differs from what npm announced. Nothing was installed. Try again.', name),
  );
}

async function startsWithNode(path: string): Promise<boolean> {
  if (/\.[cm]?js$/.test(path)) return true;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
    return /^#!.*\bnode\b/.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

function failed({ agent, package: asked }: NpmOptions, { stdout, stderr }: RunResult): RegistryError {
  return new RegistryError(npmFailure(agent.name, asked.package, `${stderr}\n${stdout}`));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
