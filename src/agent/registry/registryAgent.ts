/** A valid agent of the registry (https://agentclientprotocol.com/rfds/acp-agent-registry). */
export interface RegistryAgent {
  /** Lowercase letters, digits, and hyphens; safe as a folder name. */
  readonly id: string;
  readonly name: string;
  /** Safe as a folder name. */
  readonly version: string;
  readonly description: string;
  /** An SPDX expression or `proprietary`; empty if missing. */
  readonly license: string;
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  /** By `<os>-<arch>`. */
  readonly binary: ReadonlyMap<string, BinaryTarget>;
}

/** The common fields of all distributions. */
export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A package that npx or uvx downloads and runs. */
export interface PackageDistribution extends Invocation {
  readonly package: string;
  /** The program in the package. Defaults to the only one or the one with the package's name. */
  readonly cmd?: string;
}

/** A program to download for one platform. */
export interface BinaryTarget extends Invocation {
  /** https, or http on this machine. */
  readonly archive: string;
  readonly kind: ArchiveKind;
  /** In lower case. */
  readonly sha256?: string;
  /** Relative to the folder it is unpacked into, without `./`. */
  readonly cmd: string;
  /** A bare name: if the archive doesn't contain it, it is a program of the system. */
  readonly mayBeOfSystem: boolean;
}

/** The format of a download; `raw` is the program itself. */
export type ArchiveKind = 'zip' | 'tar.gz' | 'tar.bz2' | 'raw';

/** The result of `decodeRegistry`: the valid agents, and one sentence per skipped item. */
export interface DecodedRegistry {
  readonly agents: readonly RegistryAgent[];
  readonly problems: readonly string[];
}
