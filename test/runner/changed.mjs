// @ts-check
// Remembers on which inputs test files passed on this machine, so that `--changed` can leave them out. A new copy of the project knows it, too.
import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inProduct, inRoot, root } from '../root.mjs';
import { filesUnder } from './files.mjs';
import { sourceGraph } from './sourceGraph.mjs';
import { noteKey, readsOf } from './passed.mjs';

/** What ships, apart from the packed file itself. */
const product = ['dist', 'media', 'l10n', 'package.json', 'package.nls.json'];

/** Finds what has changed since test files passed. */
export class Changes {
  constructor() {
    /** @type {Map<string, Promise<string>>} */
    this.digests = new Map();
    /** When the first file was read, in milliseconds. */
    this.since = Infinity;
  }

  /**
   * The key of each file: a digest of the runner, of the packages, of all that the file imports, and of the product if it needs that.
   * @param {string} layer
   * @param {readonly string[]} files absolute paths
   * @param {{ product: boolean, external?: readonly string[] }} options
   * @returns {Promise<Map<string, string>>}
   */
  async keys(layer, files, options) {
    if (files.length === 0) return new Map();
    const reachOf = await sourceGraph(files, options.external);
    const common = await this.commonKey(options.product);
    const keys = await Promise.all(
      files.map(async (one) => {
        const reach = reachOf(one);
        const hash = createHash('sha256').update(`${layer}\0${common}`);
        for (const path of [...reach.files].sort()) hash.update(`\0${path}\0${await this.digest(path)}`);
        // What the bundler reads, it reads in a process of its own.
        if (reach.packages.has('esbuild')) hash.update(await this.digest('src'));
        return /** @type {const} */ ([one, hash.digest('hex')]);
      }),
    );
    return new Map(keys);
  }

  /**
   * Whether the file passed on the very same inputs.
   * @param {string} layer
   * @param {string} path absolute
   * @param {string | undefined} key
   */
  async hasPassed(layer, path, key) {
    const reads = key === undefined ? undefined : await readsOf(nameOf(layer, path), key);
    if (reads === undefined) return false;
    const same = await Promise.all(
      Object.entries(reads).map(async ([read, digest]) => (await this.digest(read)) === digest),
    );
    return same.every(Boolean);
  }

  /**
   * Notes that files passed, unless something they read has changed since this run began.
   * @param {string} layer
   * @param {ReadonlyMap<string, string>} keys by absolute path
   * @param {readonly string[]} reads relative paths, of all of them
   */
  async note(layer, keys, reads) {
    const newest = await Promise.all(reads.map((read) => newestBelow(inRoot(read))));
    if (Math.max(...newest) > this.since) return;
    const digests = await Promise.all(
      reads.map(async (read) => /** @type {const} */ ([read, await this.digest(read)])),
    );
    for (const [path, key] of keys) await noteKey(nameOf(layer, path), key, Object.fromEntries(digests));
  }

  /** @param {boolean} withProduct */
  async commonKey(withProduct) {
    const tools = await filesUnder(inRoot('test'), '.mjs');
    const runner = tools
      .map((path) => relative(root, path))
      .filter((path) => !path.startsWith(join('test', 'fixtures')));
    const parts = [
      ...runner,
      join('node_modules', '.package-lock.json'),
      ...(withProduct ? [...product.map((name) => relative(root, inProduct(name))), join('test', 'fixtures')] : []),
    ];
    const digests = await Promise.all(parts.map((path) => this.digest(path)));
    return [process.version, process.platform, process.arch, ...digests].join('\0');
  }

  /** Of a file, or of all files below a folder; read once in a run. @param {string} path relative */
  digest(path) {
    this.since = Math.min(this.since, Date.now());
    let digest = this.digests.get(path);
    if (!digest) this.digests.set(path, (digest = digestOf(inRoot(path))));
    return digest;
  }
}

/** @param {string} path @returns {Promise<string>} */
async function digestOf(path) {
  const hash = createHash('sha256');
  try {
    if (!(await stat(path)).isDirectory()) return hash.update(await readFile(path)).digest('hex');
    for (const name of (await readdir(path)).sort()) {
      if (!name.endsWith('.vsix')) hash.update(`${name}\0${await digestOf(join(path, name))}\0`);
    }
    return hash.digest('hex');
  } catch {
    return 'missing';
  }
}

/** When a file, or the newest file below a folder, was last changed; 0 if there is none. @param {string} path @returns {Promise<number>} */
async function newestBelow(path) {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) return info?.mtimeMs ?? 0;
  const names = await readdir(path);
  return Math.max(info.mtimeMs, ...(await Promise.all(names.map((name) => newestBelow(join(path, name))))));
}

/** @param {string} layer @param {string} path */
function nameOf(layer, path) {
  return `${layer} ${relative(root, path)}`;
}
