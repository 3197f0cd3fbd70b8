import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCheckpointsJson, toCheckpointsJson } from '../../review/checkpointData';
import type { Checkpoint } from '../../review/checkpoints';
import { JsonFiles } from '../storage/jsonFiles';

/** Whose checkpoints they are: a session as its agent names it. */
export interface SessionName {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Checkpoints on disk, a file per session. What is written is whole or not there. */
export class CheckpointFiles {
  private readonly folder: string;
  private readonly files: JsonFiles;

  /** `folder` is created when something is written. */
  constructor(folder: string) {
    this.folder = folder;
    this.files = new JsonFiles(folder);
  }

  /** See `JsonFiles`. */
  hurry(): void {
    this.files.hurry();
  }

  /** A session without checkpoints has no file. */
  async write(name: SessionName, checkpoints: readonly Checkpoint[]): Promise<void> {
    const file = fileOf(name);
    const json = toCheckpointsJson(name.agentId, name.sessionId, checkpoints);
    await (checkpoints.length === 0 ? this.files.remove(file) : this.files.write(file, JSON.stringify(json)));
  }

  /** Undefined when there are none, or what is there cannot be read. */
  async read(name: SessionName): Promise<readonly Checkpoint[] | undefined> {
    return (await this.readFile(fileOf(name)))?.checkpoints;
  }

  /** All of them, the longest unused first. */
  async all(): Promise<readonly { readonly name: SessionName; readonly checkpoints: readonly Checkpoint[] }[]> {
    const names = (await this.files.names()).filter((name) => name.endsWith('.json'));
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

  private async readFile(file: string) {
    const json = await this.files.read(file);
    const checkpoints = fromCheckpointsJson(json);
    // Not there, or damaged: as good as none.
    if (!checkpoints) return undefined;
    const { agentId, sessionId } = json as Partial<SessionName>;
    if (typeof agentId !== 'string' || typeof sessionId !== 'string') return undefined;
    return { name: { agentId, sessionId }, checkpoints };
  }
}

function fileOf({ agentId, sessionId }: SessionName): string {
  const hash = createHash('sha256').update(`${agentId}\n${sessionId}`).digest('hex');
  return `${hash.slice(0, 32)}.json`;
}
