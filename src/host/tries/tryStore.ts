import { decodeGroup, withTry, type Try, type TryGroup } from '../../tries/tryGroup';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import type { StorageTroubles } from '../storage/storageTroubles';

/** The tasks of this workspace that have several tries, each in a file of its own. */
export class TryStore extends Disposable {
  private readonly records: Records;
  private readonly all = new Map<string, TryGroup>();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  /** Resolves once what earlier windows stored is read. */
  readonly ready: Promise<void>;

  constructor(folder: string, troubles: StorageTroubles) {
    super();
    const files = new JsonFiles(folder, (path) => troubles.setAside('tries', path));
    this.records = this.register(new Records(files, 'tries', troubles));
    this.ready = this.load();
  }

  /** The tasks, the latest first. */
  get groups(): readonly TryGroup[] {
    return [...this.all.values()].sort((a, b) => b.createdAt - a.createdAt);
  }

  get(id: string): TryGroup | undefined {
    return this.all.get(id);
  }

  /** Returns the task that a session is a try of. */
  groupOf(session: SessionKey): TryGroup | undefined {
    return [...this.all.values()].find(({ tries }) => tries.some((one) => one.session === session));
  }

  /** Stores a task, or another version of one. */
  put(group: TryGroup): void {
    const name = JsonFiles.nameOf(group.id);
    this.all.set(group.id, group);
    this.records.set(name, () => JSON.stringify({ version: 1, ...(this.all.get(group.id) ?? group) }));
    void this.records.flush();
    this.changed.fire();
  }

  /** Stores another version of a try, if its task is still there. */
  change(session: SessionKey, change: (one: Try) => Try): void {
    const group = this.groupOf(session);
    if (group) this.put(withTry(group, session, change));
  }

  /** Forgets a task. Its sessions and worktrees stay. */
  remove(id: string): void {
    if (!this.all.delete(id)) return;
    this.records.remove(JsonFiles.nameOf(id));
    void this.records.flush();
    this.changed.fire();
  }

  /** Writes synchronously from now on. */
  flushNow(): Promise<void> {
    return this.records.flushNow();
  }

  private async load(): Promise<void> {
    for (const name of await this.records.names()) {
      const group = await this.records.load(name, parse);
      if (group && !this.all.has(group.id)) this.all.set(group.id, group);
    }
    if (!this.isDisposed && this.all.size > 0) this.changed.fire();
  }
}

function parse(json: unknown): TryGroup | typeof fromLaterVersion | undefined {
  return isOfLaterVersion(json, 1) ? fromLaterVersion : decodeGroup(json);
}
