import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/** Folders that were removed. What still wrote to them goes when the process ends. */
const removed = new Set<string>();
/** After so many turns without a file operation, none that belongs to a chain of them is left. */
const calmTurns = 4;
const longestMs = 5000;

process.on('exit', () => {
  for (const folder of removed) rmSync(folder, { recursive: true, force: true });
});

interface Owner {
  after(end: () => Promise<void>): void;
}

/** What ends before the folders of a test are removed. */
const ends = new WeakMap<Owner, (() => unknown)[]>();

/** Ends something before the folders of a test are removed, because it would make again what is missing there. */
export function endBeforeRemoval(owner: Owner, end: () => unknown): void {
  ends.set(owner, [...(ends.get(owner) ?? []), end]);
}

/** Creates a folder without links in its path. Deletes it at the end of the test or, with `{ after }` of `node:test`, of the file. */
export function tempFolder(owner: Owner): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-test-')));
  owner.after(async () => {
    for (const end of ends.get(owner)?.splice(0) ?? []) await end();
    await removeFolder(folder);
  });
  return folder;
}

/** Removes a test's folder once the work that the test left unfinished no longer writes to it. */
export async function removeFolder(folder: string): Promise<void> {
  const start = performance.now();
  for (let calm = 0; calm < calmTurns && performance.now() - start < longestMs;) {
    await turn();
    calm = process.getActiveResourcesInfo().some((name) => /^(FSReq|FileHandle)/.test(name)) ? 0 : calm + 1;
  }
  removed.add(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
