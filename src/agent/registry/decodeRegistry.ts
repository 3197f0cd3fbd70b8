import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import { toEnvironment, toStrings } from '../base/settingValues';
import { archiveKind, isAllowedUrl } from './archiveUrl';
import { isSafeFolderName, safeEntryPath } from './entryPath';
import { pinnedPackage } from '../spec/pinnedPackage';
import { isRecord } from '../../shared/values/isRecord';
import type { BinaryTarget, DecodedRegistry, Invocation, PackageDistribution, RegistryAgent } from './registryAgent';

/** Upper limits. A registry that exceeds them is an attack. */
const limits = {
  agents: 2000,
  problems: 50,
  name: 100,
  version: 64,
  description: 1000,
  args: 64,
  text: 4096,
  url: 2048,
};

const npmPackage = /^(@[\w~-][\w.~-]*\/)?[\w~][\w.~-]*(@[\w.+-]+)?$/;
const pythonPackage = /^[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?((==|@)[\w.+!-]+)?$/;
/** Line breaks, terminal control characters, and bidirectional characters. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Why an entry, or a part of one, is skipped; `message` follows a colon. */
class BadEntry extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a registry. Skips and reports invalid entries and ignores unknown keys; throws if the value isn't a registry.
 */
export function decodeRegistry(value: unknown): DecodedRegistry {
  if (!isRecord(value) || !Array.isArray(value['agents'])) throw new Error(l10n.t('not a list of agents'));
  const agents = new Map<string, RegistryAgent>();
  const problems: string[] = [];
  const leaveOut = (what: string, error: unknown) => {
    if (!(error instanceof BadEntry)) throw error;
    if (problems.length < limits.problems)
      problems.push(l10n.t('Skipped {0} in the registry: {1}.', what, error.message));
  };
  for (const [index, entry] of (value['agents'] as unknown[]).slice(0, limits.agents).entries()) {
    const label = labelOf(entry, index);
    try {
      const agent = decodeAgent(entry, (part, error) => leaveOut(`${label} (${part})`, error));
      if (agents.has(agent.id)) throw new BadEntry(l10n.t('another entry has the same id'));
      agents.set(agent.id, agent);
    } catch (error) {
      leaveOut(label, error);
    }
  }
  return { agents: [...agents.values()], problems };
}

function labelOf(entry: unknown, index: number): string {
  const id = isRecord(entry) ? entry['id'] : undefined;
  return typeof id === 'string' && id !== '' ? plain(id, 60) : l10n.t('entry {0}', index + 1);
}

function decodeAgent(entry: unknown, leaveOut: (part: string, error: unknown) => void): RegistryAgent {
  if (!isRecord(entry)) throw new BadEntry(l10n.t('must be an object'));
  const id = text(entry, 'id', limits.version);
  if (!/^[a-z][a-z0-9-]*$/.test(id) || !isSafeFolderName(id)) throw new BadEntry(l10n.t('invalid “id”'));
  const version = text(entry, 'version', limits.version);
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version) || !isSafeFolderName(version)) {
    throw new BadEntry(l10n.t('“version” must look like 1.2.3'));
  }
  const name = plain(text(entry, 'name', limits.text), limits.name);
  if (name === '') throw new BadEntry(l10n.t('missing “{0}”', 'name'));
  const distribution = entry['distribution'];
  if (!isRecord(distribution)) throw new BadEntry(l10n.t('missing “{0}”', 'distribution'));
  const part = <T>(key: string, decode: (fields: Fields) => T, fields: unknown): T | undefined => {
    if (fields === undefined || fields === null) return undefined;
    try {
      if (!isRecord(fields)) throw new BadEntry(l10n.t('must be an object'));
      return decode(fields);
    } catch (error) {
      leaveOut(key, error);
      return undefined;
    }
  };
  const npx = part('npx', (fields) => decodePackage('npx', fields, npmPackage, version), distribution['npx']);
  const uvx = part('uvx', (fields) => decodePackage('uvx', fields, pythonPackage, version), distribution['uvx']);
  const binary = new Map<string, BinaryTarget>();
  const targets = isRecord(distribution['binary']) ? Object.entries(distribution['binary']) : [];
  for (const [platform, fields] of targets.slice(0, limits.args)) {
    if (!/^(darwin|linux|windows)-(aarch64|x86_64)$/.test(platform)) continue;
    const target = part(platform, decodeTarget, fields);
    if (target) binary.set(platform, target);
  }
  if (!npx && !uvx && binary.size === 0) throw new BadEntry(l10n.t('nothing to run'));
  return {
    id,
    name,
    version,
    binary,
    description: plain(optionalText(entry, 'description'), limits.description),
    license: plain(optionalText(entry, 'license'), limits.name),
    ...(npx && { npx }),
    ...(uvx && { uvx }),
  };
}

/** Reads a package with an exact version, by default the entry's, so that the user agrees to what will run later. */
function decodePackage(kind: 'npx' | 'uvx', fields: Fields, form: RegExp, version: string): PackageDistribution {
  const name = text(fields, 'package', 300);
  // The name must not be a path, a URL, or an option.
  if (!form.test(name)) throw new BadEntry(l10n.t('invalid package name'));
  const cmd = optionalText(fields, 'cmd');
  if (cmd !== '' && !/^[\w@][\w.@/-]*$/.test(cmd)) throw new BadEntry(l10n.t('“cmd” must be a program name'));
  const program = cmd === '' ? undefined : cmd;
  return {
    package: pinnedPackage(kind, name, version, program),
    ...compact({ cmd: program }),
    ...decodeInvocation(fields),
  };
}

function decodeTarget(fields: Fields): BinaryTarget {
  const archive = text(fields, 'archive', limits.url);
  if (!isAllowedUrl(archive)) throw new BadEntry(l10n.t('“archive” must be an https URL'));
  const kind = archiveKind(archive);
  if (!kind) throw new BadEntry(l10n.t('“archive” is an installer or an unknown type'));
  const sha256 = optionalText(fields, 'sha256')
    .toLowerCase()
    .replace(/^sha256:/, '');
  // The whole entry is skipped, because a download that should be verified and can't be is never run.
  if (sha256 !== '' && !/^[0-9a-f]{64}$/.test(sha256)) throw new BadEntry(l10n.t('invalid SHA-256'));
  const written = text(fields, 'cmd', limits.text);
  const cmd = safeEntryPath(written);
  if (cmd === undefined || cmd === '') throw new BadEntry(l10n.t('“cmd” points outside its folder'));
  const mayBeOfSystem = /^[^/\\]+$/.test(written);
  return { archive, kind, cmd, mayBeOfSystem, ...(sha256 !== '' && { sha256 }), ...decodeInvocation(fields) };
}

function decodeInvocation(fields: Fields): Invocation {
  const args = toStrings(fields['args']);
  if (!args || args.length > limits.args || !args.every(isArgument)) {
    throw new BadEntry(l10n.t('“args” must be an array of strings'));
  }
  const env = toEnvironment(fields['env']);
  const isGood =
    env && Object.keys(env).length <= limits.args && Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (!isGood || !Object.values(env).every(isArgument))
    throw new BadEntry(l10n.t('“env” must be an object with string values'));
  return { args, env };
}

function isArgument(value: string): boolean {
  return value.length <= limits.text && !/[\0\r\n]/.test(value);
}

function text(fields: Fields, key: string, limit: number): string {
  const value = fields[key];
  if (typeof value !== 'string' || value.trim() === '') throw new BadEntry(l10n.t('missing “{0}”', key));
  if (value.length > limit) throw new BadEntry(l10n.t('“{0}” is too long', key));
  return value.trim();
}

function optionalText(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns one line of at most `limit` characters, without characters that could make it look like something else. */
function plain(value: string, limit: number): string {
  const line = value
    .slice(0, 4 * limit)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
