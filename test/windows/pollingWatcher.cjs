// Replaces @parcel/watcher's binary for Windows, which under Wine gets no events from subfolders of the watched folder. Polls the whole
// tree several times a second, because the tests' folders are small.
'use strict';

const { lstat, readdir } = require('node:fs/promises');
const { join, relative } = require('node:path');
// This file is copied next to it.
const { createWrapper } = require(join(__dirname, 'wrapper'));

/** Pause between two polls in milliseconds. */
const pauseMs = 200;

/** @typedef {{ ignorePaths?: string[], ignoreGlobs?: string[] }} Options */
/** @typedef {(error: Error | null, events: { type: 'create' | 'update' | 'delete', path: string }[]) => void} Listener */

/** A watched tree. */
class Watch {
  /**
   * @param {string} dir
   * @param {Listener} listener
   * @param {Options} options
   */
  constructor(dir, listener, { ignorePaths = [], ignoreGlobs = [] }) {
    this.dir = dir;
    this.listener = listener;
    this.ignoredPaths = new Set(ignorePaths);
    this.ignored = ignoreGlobs.map((source) => new RegExp(source));
    /** The state of each file or folder at the last poll, by path. @type {Map<string, string>} */
    this.known = new Map();
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined;
    this.isStopped = false;
  }

  async start() {
    this.known = await this.look();
    this.goOn();
  }

  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  goOn() {
    if (!this.isStopped) this.timer = setTimeout(() => void this.compare(), pauseMs);
  }

  async compare() {
    const present = await this.look();
    /** @type {Parameters<Listener>[1]} */
    const events = [];
    for (const [path, stamp] of present) {
      const before = this.known.get(path);
      if (before === undefined) events.push({ type: 'create', path });
      else if (before !== stamp) events.push({ type: 'update', path });
    }
    for (const path of this.known.keys()) if (!present.has(path)) events.push({ type: 'delete', path });
    this.known = present;
    if (events.length > 0 && !this.isStopped) this.listener(null, events);
    this.goOn();
  }

  /** @returns {Promise<Map<string, string>>} */
  async look() {
    const found = new Map();
    await this.lookAt(this.dir, found);
    return found;
  }

  /**
   * @param {string} folder
   * @param {Map<string, string>} found
   */
  async lookAt(folder, found) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    await Promise.all(
      entries.map(async (entry) => {
        const path = join(folder, entry.name);
        if (this.ignores(path)) return;
        if (entry.isDirectory()) {
          found.set(path, 'folder');
          await this.lookAt(path, found);
          return;
        }
        const stat = await lstat(path, { bigint: true }).catch(() => undefined);
        if (stat) found.set(path, `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino}`);
      }),
    );
  }

  /** @param {string} path */
  ignores(path) {
    if (this.ignoredPaths.has(path)) return true;
    const below = relative(this.dir, path);
    return this.ignored.some((glob) => glob.test(below));
  }
}

/** @type {Set<Watch>} */
const watches = new Set();

module.exports = createWrapper({
  /** @type {(dir: string, listener: Listener, options?: Options) => Promise<void>} */
  async subscribe(dir, listener, options = {}) {
    // Tests change only drive C. Other folders belong to this system, such as the project's `node_modules`, and take seconds to poll.
    if (!/^c:/i.test(dir)) return;
    const watch = new Watch(dir, listener, options);
    watches.add(watch);
    await watch.start();
  },
  /** @type {(dir: string, listener: Listener) => Promise<void>} */
  async unsubscribe(dir, listener) {
    for (const watch of watches) {
      if (watch.dir !== dir || watch.listener !== listener) continue;
      watch.stop();
      watches.delete(watch);
    }
  },
});
