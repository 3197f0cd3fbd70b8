/** An agent of the registry, as far as its entry makes sense (https://agentclientprotocol.com/rfds/acp-agent-registry). */
export interface RegistryAgent {
  /** Lower-case letters, digits and hyphens; safe as the name of a folder. */
  readonly id: string;
  readonly name: string;
  /** Safe as the name of a folder. */
  readonly version: string;
  readonly description: string;
  /** An SPDX expression or `proprietary`; empty when the entry names none. */
  readonly license: string;
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  /** By `<os>-<arch>`. */
  readonly binary: ReadonlyMap<string, BinaryTarget>;
}

/** What every way to run an agent has. */
export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A package that npx or uvx fetches and runs. */
export interface PackageDistribution extends Invocation {
  readonly package: string;
  /** The program of the package; its only or eponymous one when absent. */
  readonly cmd?: string;
}

/** A program to download for one platform. */
export interface BinaryTarget extends Invocation {
  /** https, or http on this machine. */
  readonly archive: string;
  readonly kind: ArchiveKind;
  /** In lower case. */
  readonly sha256?: string;
  /** Below the folder it is unpacked into, without `./`. */
  readonly cmd: string;
  /** A bare name: when the archive does not hold it, it is a program of the system. */
  readonly mayBeOfSystem: boolean;
}

/** How what is downloaded is packed; `raw` is the program itself. */
export type ArchiveKind = 'zip' | 'tar.gz' | 'tar.bz2' | 'raw';

/** What `decodeRegistry` found: the usable agents, and one sentence per thing that it left out. */
export interface DecodedRegistry {
  readonly agents: readonly RegistryAgent[];
  readonly problems: readonly string[];
}
