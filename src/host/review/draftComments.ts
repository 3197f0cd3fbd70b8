import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { updatedComment, type DraftComment } from '../../review/draftComment';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import type { StoragePlace } from '../storage/storageTroubles';

const author = z.union([
  z.object({ kind: z.literal('user') }),
  z.looseObject({ kind: z.literal('agent'), agentName: z.string(), session: z.string(), turn: z.number() }),
]);
const shape = z.looseObject({
  version: z.literal(1),
  window: z.string(),
  comment: z.looseObject({
    id: z.string(),
    uri: z.string(),
    hunk: z.string(),
    line: z.number(),
    authors: z.array(author),
    text: z.string(),
    seen: z.object({ stamp: z.string(), turn: z.number() }),
    sentTo: z.optional(z.string()),
    isOutdated: z.optional(z.boolean()),
  }),
});

/** The user's comments on changes, in the order in which they were written. Drafts survive a reload. */
export class DraftComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly place: StoragePlace;
  private readonly records: Records;
  private comments: readonly DraftComment[] = [];
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(log: ReviewLog, place: StoragePlace) {
    super();
    this.log = log;
    this.place = place;
    const { storage, windows, troubles } = place;
    const files = new JsonFiles(join(storage, 'comments'), (path) => troubles.setAside('comments', path));
    this.records = this.register(new Records(files, 'comments', troubles, () => windows.enter()));
    this.register(log.onDidChange(() => this.follow()));
  }

  get all(): readonly DraftComment[] {
    return this.comments;
  }

  /** The comments that weren't sent. */
  get drafts(): readonly DraftComment[] {
    return this.comments.filter(({ sentTo }) => sentTo === undefined);
  }

  get(id: string): DraftComment | undefined {
    return this.comments.find((one) => one.id === id);
  }

  add(comment: Omit<DraftComment, 'id'>): DraftComment {
    const added = { ...comment, id: randomUUID().slice(0, 8) };
    this.set([...this.comments, added], [added.id]);
    return added;
  }

  change(id: string, fields: Partial<Pick<DraftComment, 'text' | 'sentTo'>>): void {
    this.set(
      this.comments.map((one) => (one.id === id ? { ...one, ...fields } : one)),
      [id],
    );
  }

  remove(id: string): void {
    this.set(
      this.comments.filter((one) => one.id !== id),
      [id],
    );
  }

  /** Loads the comments that closed windows have left. The log has their changes by then. */
  async load(): Promise<void> {
    const [names, others] = await Promise.all([this.records.names(), this.place.windows.others()]);
    const found: DraftComment[] = [];
    for (const name of names) {
      const read = await this.records.load(name, parse);
      if (read && !others.has(read.window) && !this.get(read.comment.id)) found.push(read.comment);
    }
    if (found.length === 0) return;
    const ids = found.map(({ id }) => id);
    this.set([...found, ...this.comments], ids);
    this.follow();
  }

  /** Resolves once everything up to now is on disk. */
  flush(): Promise<void> {
    return this.records.flush();
  }

  /** Writes synchronously from now on. */
  flushNow(): Promise<void> {
    return this.records.flushNow();
  }

  private follow(): void {
    const moved = new Set<string>();
    const comments = this.comments.flatMap((comment) => {
      const now = updatedComment(comment, this.log.file(comment.uri));
      if (now !== comment) moved.add(comment.id);
      return now ? [now] : [];
    });
    if (moved.size > 0) this.set(comments, [...moved]);
  }

  private set(comments: readonly DraftComment[], changed: readonly string[]): void {
    this.comments = comments;
    for (const id of changed) {
      const comment = this.get(id);
      if (!comment) this.records.remove(`${id}.json`);
      else this.records.set(`${id}.json`, JSON.stringify({ version: 1, window: this.place.windows.id, comment }));
    }
    void this.records.flush();
    this.changed.fire();
  }
}

function parse(
  json: unknown,
): { readonly window: string; readonly comment: DraftComment } | typeof fromLaterVersion | undefined {
  if (isOfLaterVersion(json, 1)) return fromLaterVersion;
  const { success, data } = shape.safeParse(json);
  return success ? { window: data.window, comment: data.comment as unknown as DraftComment } : undefined;
}
