import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/**
 * What a folder holds if this process is ended as soon as it comes to something else: promises that are settled have gone on,
 * what waits for the disk has not. Answers a copy.
 */
export async function endedHere(t: TestContext, folder: string): Promise<string> {
  await new Promise((resolve) => process.nextTick(resolve));
  const copy = mkdtempSync(join(tmpdir(), 'parley-ended-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  if (existsSync(folder)) cpSync(folder, copy, { recursive: true });
  return copy;
}
