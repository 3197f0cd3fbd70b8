import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder without links in its path, which goes at the end of a test, or with `{ after }` of `node:test`, at the end of a file. */
export function tempFolder(owner: { after(end: () => Promise<void>): void }): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-test-')));
  // What a test leaves under way may still write.
  owner.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
