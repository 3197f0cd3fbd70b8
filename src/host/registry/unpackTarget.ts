import { createWriteStream } from 'node:fs';
import { chmod, cp, link, lstat, mkdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as l10n from '@vscode/l10n';
import { safeEntryPath, staysInside } from '../../agent/registry/entryPath';
import { RegistryError } from './registryFailures';

const maxEntries = 100_000;
const maxBytes = 4_000_000_000;
/** Programs compress to a third or a tenth. A ratio above this means an archive made to fill the disk. */
const maxRatio = 100;
/** Allowed from any archive, in bytes, because small texts compress well. */
const freeBytes = 50_000_000;

/**
 * The folder that an archive is unpacked into. Rejects entries outside it. Creates links last, so that nothing is ever
 * written through one.
 */
export class UnpackTarget {
  private readonly folder: string;
  private readonly signal: AbortSignal;
  private readonly links = new Map<string, string>();
  private readonly hardLinks = new Map<string, string>();
  private readonly limit: number;
  private readonly makeLink: typeof symlink;
  private entries = 0;
  private bytes = 0;

  /** `archiveBytes` is the size of the archive file. `makeLink` defaults to the system's. */
  constructor(folder: string, archiveBytes: number, signal: AbortSignal, makeLink = symlink) {
    this.makeLink = makeLink;
    this.folder = folder;
    this.signal = signal;
    this.limit = Math.min(maxBytes, Math.max(freeBytes, maxRatio * archiveBytes));
  }

  /** Counts unpacked bytes. Throws if there are too many. */
  count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limit) throw new RegistryError(l10n.t('The archive is too large for an agent.'));
  }

  async addFolder(name: string): Promise<void> {
    await mkdir(join(this.folder, this.pathOf(name)), { recursive: true });
  }

  async addFile(name: string, mode: number, content: Readable): Promise<void> {
    const path = this.pathOf(name);
    if (path === '') throw refused(name);
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    // At most the user's own permissions, and no write access for others.
    const permissions = mode & 0o111 ? 0o755 : 0o644;
    await pipeline(content, createWriteStream(file, { mode: permissions }), { signal: this.signal });
    // The mode above is subject to the umask, and doesn't apply to a file that exists already.
    await chmod(file, permissions);
  }

  addLink(name: string, target: string): void {
    const path = this.pathOf(name);
    if (path === '' || !staysInside(path, target)) throw refused(name);
    this.links.set(path, target);
  }

  /** `target` is the name of another entry. */
  addHardLink(name: string, target: string): void {
    const [path, source] = [this.pathOf(name), this.pathOf(target)];
    if (path === '' || source === '') throw refused(name);
    this.hardLinks.set(path, source);
  }

  /** Rejects an entry that agents don't need, such as a device or a pipe. */
  refuse(name: string): never {
    throw refused(name);
  }

  /** Creates the links. Rejects if a link leads outside the folder. */
  async finish(): Promise<void> {
    for (const [path, source] of this.hardLinks) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await link(join(this.folder, source), join(this.folder, path));
    }
    for (const path of [...this.links.keys(), ...this.hardLinks.keys()]) {
      const parts = path.split('/');
      const passesLink = parts.some((_part, end) => end > 0 && this.links.has(parts.slice(0, end).join('/')));
      if (passesLink) throw refused(path);
    }
    const refusedLinks: (readonly [path: string, target: string])[] = [];
    for (const [path, target] of this.links) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      // Without the right to create links, Windows doesn't say that something is there.
      const taken = await lstat(join(this.folder, path)).catch(() => undefined);
      if (taken !== undefined) throw refused(path);
      try {
        await this.makeLink(target, join(this.folder, path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
        refusedLinks.push([path, target]);
      }
    }
    await this.copyInstead(refusedLinks);
    const root = (await realpath(this.folder)) + sep;
    for (const path of this.links.keys()) {
      const end = await realpath(join(this.folder, path)).catch(() => undefined);
      // A dangling link can't be checked and has no use.
      if (end === undefined) await rm(join(this.folder, path), { force: true });
      else if (!`${end}${sep}`.startsWith(root)) throw refused(path);
    }
  }

  /** Windows lets only some users create links. The others get copies of the files and folders that links lead to. */
  private async copyInstead(links: readonly (readonly [path: string, target: string])[]): Promise<void> {
    let left = links;
    for (let before = Infinity; left.length < before;) {
      before = left.length;
      const waiting: (readonly [string, string])[] = [];
      for (const link of left) {
        const [from, to] = [join(this.folder, dirname(link[0]), link[1]), join(this.folder, link[0])];
        const isThere = await stat(from).then(
          () => true,
          () => false,
        );
        // A link may lead to another one that has no copy yet. A folder can't be copied into itself.
        if (!isThere) waiting.push(link);
        else if (!`${to}${sep}`.startsWith(`${from}${sep}`)) await this.copy(from, to);
      }
      left = waiting;
    }
  }

  private async copy(from: string, to: string): Promise<void> {
    const filter = async (source: string) => {
      this.signal.throwIfAborted();
      this.count((await stat(source)).size);
      return true;
    };
    await cp(from, to, { recursive: true, filter });
  }

  private pathOf(name: string): string {
    this.signal.throwIfAborted();
    this.entries += 1;
    if (this.entries > maxEntries) throw new RegistryError(l10n.t('The archive is too large for an agent.'));
    const path = safeEntryPath(name, process.platform === 'win32');
    if (path === undefined) throw refused(name);
    return path;
  }
}

function refused(name: string): RegistryError {
  const shown = JSON.stringify(name.slice(0, 200));
  return new RegistryError(
    l10n.t(
      'The archive was rejected: its entry {0} points outside the agent’s folder or isn’t a regular file. Nothing was installed.',
      shown,
    ),
  );
}
