import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCheckpointsJson, toCheckpointsJson } from '../../review/checkpointData';
import type { Checkpoint } from '../../review/checkpoints';

/** Whose checkpoints they are: a session as its agent names it. */
export interface SessionName {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Checkpoints on disk, a file per session. What is written is whole or not there. */
export class CheckpointFiles {
  private readonly folder: string;

  /** `folder` is created when something is written. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** A session without checkpoints has no file. */
  async write(name: SessionName, checkpoints: readonly Checkpoint[]): Promise<void> {
    const file = this.fileOf(name);
    if (checkpoints.length === 0) {
      await rm(file, { force: true });
      return;
    }
    await mkdir(this.folder, { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    const json = toCheckpointsJson(name.agentId, name.sessionId, checkpoints);
    await writeFile(draft, JSON.stringify(json), { mode: 0o600 });
    await rename(draft, file);
  }

  /** Undefined when there are none, or what is there cannot be read. */
  async read(name: SessionName): Promise<readonly Checkpoint[] | undefined> {
    return (await this.readFile(this.fileOf(name)))?.checkpoints;
  }

  /** All of them, the longest unused first. */
  async all(): Promise<readonly { readonly name: SessionName; readonly checkpoints: readonly Checkpoint[] }[]> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const dated = await Promise.all(
      names.map(async (name) => {
        const file = join(this.folder, name);
        return {
          file,
          usedAt: await stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        };
      }),
    );
    dated.sort((a, b) => a.usedAt - b.usedAt);
    const read = await Promise.all(dated.map(({ file }) => this.readFile(file)));
    return read.filter((one) => one !== undefined);
  }

  private async readFile(file: string) {
    try {
      const json = JSON.parse(await readFile(file, 'utf8')) as Partial<SessionName>;
      const checkpoints = fromCheckpointsJson(json);
      const { agentId, sessionId } = json;
      if (!checkpoints || typeof agentId !== 'string' || typeof sessionId !== 'string') return undefined;
      return { name: { agentId, sessionId }, checkpoints };
    } catch {
      // Not there, or damaged: as good as none.
      return undefined;
    }
  }

  private fileOf({ agentId, sessionId }: SessionName): string {
    const hash = createHash('sha256').update(`${agentId}\n${sessionId}`).digest('hex');
    return join(this.folder, `${hash.slice(0, 32)}.json`);
  }
}
