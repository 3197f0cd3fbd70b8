import { join } from 'node:path';
import { Disposable, type IDisposable } from '../../../shared/values/disposable';
import type { AgentId, SessionId, SessionKey } from '../../../shared/values/ids';
import { isRecord } from '../../../shared/values/isRecord';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../../storage/jsonFiles';
import { Records } from '../../storage/records';
import type { StoragePlace } from '../../storage/storageTroubles';
import { isWorktreeEnd, type WorktreeEnd } from './worktreeEnd';
import type { StorageWindows } from '../../storage/storageWindows';

/** A session in Parley, in its agent, or in both. */
interface DeletedSession {
  readonly key?: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** Empty if the agent never gave it an id. */
  readonly sessionId: SessionId | '';
  readonly title: string;
}

/** A session that the user deleted. */
export interface Deletion extends DeletedSession {
  /** Its agent was running and can delete sessions, so that it's told. */
  readonly isInAgent: boolean;
  /** What becomes of worktrees once this session is deleted. */
  readonly worktrees?: readonly WorktreeEnd[];
}

/**
 * The deletions that aren't finished, because the user can undo them for a while and agents are told only then. They are on
 * disk, so that a window that closes or is killed meanwhile doesn't bring the sessions back. Each window has a file of its own.
 */
export class Deletions extends Disposable {
  private readonly records: Records;
  private readonly windows: StorageWindows;
  private own: readonly Deletion[] = [];

  constructor({ storage, windows, troubles }: StoragePlace) {
    super();
    this.windows = windows;
    const files = new JsonFiles(join(storage, 'deletions'), (path) => troubles.setAside('sessions', path));
    this.records = this.register(new Records(files, 'sessions', troubles, () => windows.enter()));
  }

  /** The unfinished deletions of this window, and those that it has taken over. */
  get all(): readonly Deletion[] {
    return this.own;
  }

  /** Notes deletions before they are made. */
  async add(deletions: readonly Deletion[]): Promise<void> {
    this.own = [...this.own.filter((one) => !deletions.some((other) => isSame(one, other))), ...deletions];
    await this.write();
  }

  /** Forgets deletions that are finished or undone. */
  async drop(sessions: readonly DeletedSession[]): Promise<void> {
    const left = this.own.filter((one) => !sessions.some((other) => isSame(one, other)));
    if (left.length === this.own.length) return;
    this.own = left;
    await this.write();
  }

  /** Takes over the deletions of closed windows. Returns them. */
  async takeOver(): Promise<readonly Deletion[]> {
    const others = await this.windows.others();
    const found: Deletion[] = [];
    const names: string[] = [];
    for (const name of await this.records.names()) {
      const id = name.slice(0, -'.json'.length);
      if (id === this.windows.id || others.has(id)) continue;
      const read = await this.records.load(name, readDeletions);
      if (!read) continue;
      found.push(...read);
      names.push(name);
    }
    if (names.length === 0) return [];
    await this.add(found);
    for (const name of names) this.records.remove(name);
    await this.records.flush();
    return found;
  }

  /** Calls `look` when another window has closed, until the result is disposed. */
  onDidLeave(look: () => void): IDisposable {
    return this.windows.onDidLeave(look);
  }

  /** Resolves once what was noted up to now is on disk. */
  get saved(): Promise<void> {
    return this.records.flush();
  }

  private async write(): Promise<void> {
    const name = `${this.windows.id}.json`;
    if (this.own.length === 0) this.records.remove(name);
    else this.records.set(name, JSON.stringify({ version: 1, sessions: this.own }));
    await this.records.flush();
  }
}

function isSame(one: DeletedSession, other: DeletedSession): boolean {
  return one.key === other.key && one.agentId === other.agentId && one.sessionId === other.sessionId;
}

function readDeletions(json: unknown): readonly Deletion[] | typeof fromLaterVersion | undefined {
  if (isOfLaterVersion(json, 1)) return fromLaterVersion;
  const sessions = isRecord(json) ? json['sessions'] : undefined;
  return Array.isArray(sessions) && sessions.every(isDeletion) ? sessions : undefined;
}

function isDeletion(json: unknown): json is Deletion {
  if (!isRecord(json)) return false;
  const { key = '', agentId, agentName, sessionId, title, isInAgent, worktrees = [] } = json;
  return (
    [key, agentId, agentName, sessionId, title].every((text) => typeof text === 'string') &&
    typeof isInAgent === 'boolean' &&
    Array.isArray(worktrees) &&
    worktrees.every(isWorktreeEnd)
  );
}
