import assert from 'node:assert/strict';
import { lstat, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until as untilHolds } from './poll';

/** Waits until something is so; fails with what `told` says when that takes too long. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  told: () => Promise<string> | string,
): Promise<void> {
  const deadline = Date.now() + 25_000;
  await untilHolds(async () => {
    if (await isSo()) return true;
    if (Date.now() > deadline) assert.fail(await told());
    return false;
  });
}

/** The bytes of a file, null where there is none. */
export async function bytes(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null);
}

/** The permission bits of a file. */
export async function mode(path: string): Promise<number> {
  return (await lstat(path)).mode & 0o777;
}

/** Undoes all changes as soon as they are known, without opening a file, until all files hold these bytes. */
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
