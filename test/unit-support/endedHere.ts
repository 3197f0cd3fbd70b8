import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/**
 * Returns a copy of the folder as it would be if this process were ended now: continuations of settled promises have run, but pending disk
 * writes haven't.
 */
export async function endedHere(t: TestContext, folder: string): Promise<string> {
  await new Promise((resolve) => process.nextTick(resolve));
  const copy = mkdtempSync(join(tmpdir(), 'parley-ended-'));
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  if (existsSync(folder)) cpSync(folder, copy, { recursive: true });
  return copy;
}
