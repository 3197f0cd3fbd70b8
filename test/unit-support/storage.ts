import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { StoragePlace, StorageTroubles } from '../../src/host/storage/storageTroubles';
import { patiently, patientlyNow } from '../../src/disk/patiently';
import { StorageWindows, thisMachine, type Processes } from '../../src/host/storage/storageWindows';

/** Windows as processes that a test starts and ends. */
export class FakeMachine {
  private readonly began = new Map<number, number>();
  private made = 0;

  /** Starts a window in its own process. */
  window(storage: string): { readonly windows: StorageWindows; readonly end: () => void } {
    const pid = ++this.made;
    this.began.set(pid, pid);
    const processes: Processes = {
      pid,
      host: thisMachine.host,
      lives: (one) => this.began.has(one),
      beganAt: (one) => String(this.began.get(one) ?? ''),
    };
    return { windows: new StorageWindows(storage, processes), end: () => void this.began.delete(pid) };
  }

  /** Reuses the last process's id for another process. */
  reuse(): void {
    this.began.set(this.made, Number.MAX_SAFE_INTEGER);
  }
}

/** Fails on any problem. */
export const noTroubles: StorageTroubles = {
  notSaved: (_kind, error) => assert.fail(String(error)),
  saved: () => undefined,
  setAside: (_kind, path) => assert.fail(path),
};

/** Records the problems in order. */
export function heardTroubles(): StorageTroubles & { readonly heard: string[]; readonly paths: string[] } {
  const heard: string[] = [];
  const paths: string[] = [];
  return {
    heard,
    paths,
    notSaved: (kind, error) => void heard.push(`${kind} not saved: ${(error as NodeJS.ErrnoException).code ?? ''}`),
    saved: (kind) => void heard.push(`${kind} saved`),
    setAside: (kind, path) => {
      heard.push(`${kind} set aside`);
      paths.push(path);
    },
  };
}

/** Returns the place of one window. */
export function placeOf(storage: string, windows: StorageWindows, troubles = noTroubles): StoragePlace {
  return { storage, windows, troubles };
}

/** A disk that can be full, and whose files another program can hold as on Windows. */
export class FakeDisk {
  isFull = false;
  /** How many of the next attempts to replace a file fail. */
  held = 0;
  /** Called instead of waiting between two attempts. */
  onPause: () => void = () => undefined;
  private readonly patience = { platform: 'win32', pause: () => this.onPause() } as const;
  readonly inTime = {
    mkdir,
    rename: async (from: string, to: string) => {
      this.assertFree();
      await rename(from, to);
    },
    rm,
    insist: (act: () => unknown) => patiently(act, this.patience),
    writeFile: (path: string, text: string, options: { readonly mode: number }) =>
      this.isFull ? Promise.reject(this.error) : writeFile(path, text, options),
  };
  readonly atOnce = {
    mkdir: mkdirSync,
    rename: (from: string, to: string) => {
      this.assertFree();
      renameSync(from, to);
    },
    rm: rmSync,
    insist: (act: () => unknown) => patientlyNow(act, this.patience),
    writeFile: (path: string, text: string, options: { readonly mode: number }) => {
      if (this.isFull) throw this.error;
      writeFileSync(path, text, options);
    },
  };

  private assertFree(): void {
    if (this.held === 0) return;
    this.held -= 1;
    throw Object.assign(new Error('operation not permitted, rename'), { code: 'EPERM' });
  }

  private get error(): Error {
    return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }
}
