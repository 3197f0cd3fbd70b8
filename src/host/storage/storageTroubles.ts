import type { StorageWindows } from './storageWindows';

/** A kind of stored data, for messages to the user. */
export type StoredKind =
  'sessions' | 'changes' | 'checkpoints' | 'restores' | 'usage' | 'proposals' | 'comments' | 'tries';

/** Receives storage problems and shows each to the user once, with what to do. */
export interface StorageTroubles {
  /** A write failed. It stays pending and is retried. */
  notSaved(kind: StoredKind, error: unknown): void;
  /** All pending writes are now on disk. */
  saved(kind: StoredKind): void;
  /** A record couldn't be read. It was moved to `path` unchanged, and nothing else was lost. */
  setAside(kind: StoredKind, path: string): void;
}

/** For data that the user need not know about. */
export const untold: StorageTroubles = { notSaved: () => undefined, saved: () => undefined, setAside: () => undefined };

/** Where a workspace's state is stored, the windows that share it, and the receiver of storage problems. */
export interface StoragePlace {
  /** One of Parley's folders. */
  readonly storage: string;
  readonly windows: StorageWindows;
  readonly troubles: StorageTroubles;
}
