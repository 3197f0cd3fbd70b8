import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder without links in its path. Deletes it at the end of the test or, with `{ after }` of `node:test`, of the file. */
export function tempFolder(owner: { after(end: () => Promise<void>): void }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-test-')));
  // Unfinished work of a test may still write to it.
  owner.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
