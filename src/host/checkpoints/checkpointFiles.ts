import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCheckpointsJson, toCheckpointsJson } from '../../review/checkpoints/checkpointData';
import type { Checkpoint } from '../../review/checkpoints/checkpoint';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import { untold, type StorageTroubles } from '../storage/storageTroubles';

/** The session that owns the checkpoints, with the agent's id for it. */
export interface SessionName {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Stores checkpoints on disk, one file per session. Writes are atomic. */
export class CheckpointFiles {
  private readonly folder: string;
  private readonly records: Records;

  /** `folder` is created on the first write. */
  constructor(folder: string, troubles: StorageTroubles = untold) {
    this.folder = folder;
    const files = new JsonFiles(folder, (path) => troubles.setAside('checkpoints', path));
    this.records = new Records(files, 'checkpoints', troubles);
  }

  /** True if a write failed and will be retried. */
  get isBehind(): boolean {
    return this.records.isBehind;
  }

  /** Schedules a write for the next flush. An empty list deletes the session's file. */
  save(name: SessionName, checkpoints: readonly Checkpoint[]): void {
    const file = fileOf(name);
    if (checkpoints.length === 0) this.records.remove(file);
    else this.records.set(file, () => JSON.stringify(toCheckpointsJson(name.agentId, name.sessionId, checkpoints)));
  }

  /** Resolves once all changes up to now are on disk or scheduled for a retry. */
  flush(): Promise<void> {
    return this.records.flush();
  }

  /** See `Records`. */
  flushNow(): Promise<void> {
    return this.records.flushNow();
  }

  dispose(): void {
    this.records.dispose();
  }

  /** Resolves to undefined if there are no checkpoints or the file can't be read. */
  async read(name: SessionName): Promise<readonly Checkpoint[] | undefined> {
    return (await this.readFile(fileOf(name)))?.checkpoints;
  }

  /** Reads all sessions, the least recently used first. */
  async all(): Promise<readonly { readonly name: SessionName; readonly checkpoints: readonly Checkpoint[] }[]> {
    const names = await this.records.names();
    const dated = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(this.folder, name)).catch(() => undefined);
        return { name, usedAt: found?.mtimeMs ?? 0 };
      }),
    );
    dated.sort((a, b) => a.usedAt - b.usedAt);
    const read = await Promise.all(dated.map(({ name }) => this.readFile(name)));
    return read.filter((one) => one !== undefined);
  }

  private readFile(file: string) {
    return this.records.load(file, (json) => {
      if (isOfLaterVersion(json, 1)) return fromLaterVersion;
      const { agentId, sessionId } = (json ?? {}) as Partial<SessionName>;
      const checkpoints = fromCheckpointsJson(json);
      if (!checkpoints || typeof agentId !== 'string' || typeof sessionId !== 'string') return undefined;
      return { name: { agentId, sessionId }, checkpoints };
    });
  }
}

function fileOf({ agentId, sessionId }: SessionName): string {
  const hash = createHash('sha256').update(`${agentId}\n${sessionId}`).digest('hex');
  return `${hash.slice(0, 32)}.json`;
}
