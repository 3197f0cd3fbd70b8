import assert from 'node:assert/strict';
import { lstat, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until as untilHolds } from './poll';

/** Waits until a condition is true. After a timeout, fails with the message from `told`. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  told: () => Promise<string> | string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  await untilHolds(async () => {
    if (await isSo()) return true;
    if (Date.now() > deadline) assert.fail(await told());
    return false;
  });
}

/** Returns a file's bytes, or null if it doesn't exist. */
export async function bytes(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null);
}

/** Returns a file's permission bits. */
export async function mode(path: string): Promise<number> {
  return (await lstat(path)).mode & 0o777;
}

/** Undoes all changes as they appear, without opening a file, until all files contain these bytes. */
export async function undoneTo(files: Readonly<Record<string, Buffer | string | null>>): Promise<void> {
  const wrong = async () => {
    const found = await Promise.all(
      Object.entries(files).map(async ([path, expected]) => {
        const held = await bytes(path);
        return (expected === null ? held === null : held?.equals(Buffer.from(expected))) === true ? undefined : path;
      }),
    );
    return found.filter((path) => path !== undefined);
  };
  await until(
    async () => {
      await vscode.commands.executeCommand('parley.review.undoAll');
      return (await wrong()).length === 0;
    },
    async () => `these do not hold what they did: ${(await wrong()).join(', ')}`,
  );
}
