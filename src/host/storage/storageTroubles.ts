import type { StorageWindows } from './storageWindows';

/** What is stored, in the words of who tells the user of it. */
export type StoredKind = 'sessions' | 'changes' | 'checkpoints' | 'restores';

/** Hears what went wrong with stored state, so that the user is told once, and with a way out. */
export interface StorageTroubles {
  /** The disk did not take something. It is kept, and written again when it can be. */
  notSaved(kind: StoredKind, error: unknown): void;
  /** All that the disk had not taken before is on it now. */
  saved(kind: StoredKind): void;
  /** A record could not be read. It is at `path` now, whole, and nothing else was lost. */
  setAside(kind: StoredKind, path: string): void;
}

/** For what is stored without a user who would have to know. */
export const untold: StorageTroubles = { notSaved: () => undefined, saved: () => undefined, setAside: () => undefined };

/** Where a workspace's state is stored, who else stores there, and who hears of what goes wrong. */
export interface StoragePlace {
  /** A folder of ours. */
  readonly storage: string;
  readonly windows: StorageWindows;
  readonly troubles: StorageTroubles;
}
