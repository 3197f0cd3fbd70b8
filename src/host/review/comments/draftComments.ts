import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { besideRoot, updatedComment, type DraftComment } from '../../../review/comments/draftComment';
import { lineAfter, lineOfAnchor } from '../../../review/comments/remarkLine';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import { boolean, either, fields, list, number, oneOf, optional, text } from '../../../shared/values/shape';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../../storage/jsonFiles';
import { Records } from '../../storage/records';
import type { StoragePlace } from '../../storage/storageTroubles';

const author = either(
  fields({ kind: oneOf('user') }),
  fields({ kind: oneOf('agent'), agentName: text, session: text, turn: number }),
);
const shape = fields({
  version: oneOf(1),
  window: text,
  comment: fields({
    id: text,
    uri: text,
    hunk: text,
    line: number,
    authors: list(author),
    text: text,
    seen: fields({ stamp: text, turn: number }),
    sentTo: optional(text),
    sentSession: optional(text),
    replyTo: optional(text),
    isOutdated: optional(boolean),
    isHeld: optional(boolean),
    remark: optional(
      fields({
        agentName: text,
        session: text,
        written: text,
        isChosen: boolean,
        anchor: fields({ before: list(text), line: text, after: list(text) }),
      }),
    ),
  }),
});

/** Comments on changes: the user's, and remarks of reviewing agents, in the order in which they were written. Drafts survive a reload. */
export class DraftComments extends Disposable {
  private readonly log: ReviewLog;
  private readonly place: StoragePlace;
  private readonly records: Records;
  private comments: readonly DraftComment[] = [];
  /** The lines of files with remarks when these were last followed. */
  private readonly lines = new Map<string, readonly string[]>();
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

  /** What is sent together: the user's comments except those that the user holds back, and the remarks that the user has chosen. */
  get drafts(): readonly DraftComment[] {
    return this.comments.filter(
      ({ sentTo, remark, isHeld }) => sentTo === undefined && remark?.isChosen !== false && isHeld !== true,
    );
  }

  /** The files that have remarks. */
  get remarkedFiles(): readonly string[] {
    return [...new Set(this.comments.filter(({ remark, uri }) => remark && uri !== '').map(({ uri }) => uri))];
  }

  get(id: string): DraftComment | undefined {
    return this.comments.find((one) => one.id === id);
  }

  /** Returns the comment or remark that a reply answers, or the comment itself. One whose root is gone stands for itself. */
  rootOf(comment: DraftComment): DraftComment {
    return (comment.replyTo === undefined ? undefined : this.get(comment.replyTo)) ?? comment;
  }

  /** Returns the replies to a comment or remark, in the order in which they were written. */
  repliesTo(id: string): readonly DraftComment[] {
    return this.comments.filter(({ replyTo }) => replyTo === id);
  }

  add(comment: Omit<DraftComment, 'id'>): DraftComment {
    const added = { ...comment, id: randomUUID().slice(0, 8) };
    this.set([...this.comments, added], [added.id]);
    return added;
  }

  /** Chooses whether a comment or remark is sent with the others. */
  choose(id: string, isChosen: boolean): void {
    const comment = this.get(id);
    if (!comment) return;
    this.change(id, comment.remark ? { remark: { ...comment.remark, isChosen } } : { isHeld: !isChosen });
  }

  /** Moves the remarks in a file to where their lines are in its text. */
  followText(uri: string, text: string): void {
    if (!this.comments.some((one) => one.remark && one.uri === uri)) return;
    const now = text.split(/\r?\n/);
    const before = this.lines.get(uri);
    this.lines.set(uri, now);
    const moved = new Set<string>();
    const comments = this.comments.map((one) => {
      if (!one.remark || one.uri !== uri) return one;
      const line = before ? lineAfter(before, now, one.line) : lineOfAnchor(now, one.remark.anchor, one.line);
      if (line === one.line) return one;
      moved.add(one.id);
      return { ...one, line };
    });
    if (moved.size > 0) this.set(comments, [...moved]);
  }

  change(
    id: string,
    fields: Partial<Pick<DraftComment, 'text' | 'sentTo' | 'sentSession' | 'remark' | 'isHeld'>>,
  ): void {
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
    for (const uri of this.remarkedFiles) {
      const current = this.log.file(uri)?.current;
      if (current?.kind === 'text') this.followText(uri, current.text);
    }
    const moved = new Set<string>();
    const update = (comment: DraftComment) => {
      const now = updatedComment(comment, this.log.file(comment.uri));
      if (now !== comment) moved.add(comment.id);
      return now ? [now] : [];
    };
    // A reply is where the comment is that it answers, and ends with it if it was sent, too.
    const comments = this.comments.flatMap((comment) => {
      const root = this.rootOf(comment);
      return root === comment || !updatedComment(root, this.log.file(root.uri)) ? update(comment) : [comment];
    });
    if (moved.size > 0) this.set(comments, [...moved]);
  }

  private set(comments: readonly DraftComment[], changed: readonly string[]): void {
    const written = new Set(changed);
    this.comments = comments.map((comment) => {
      const root = comment.replyTo === undefined ? undefined : comments.find(({ id }) => id === comment.replyTo);
      const placed = root ? besideRoot(comment, root) : comment;
      if (placed !== comment) written.add(comment.id);
      return placed;
    });
    for (const id of written) {
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
  return shape(json) ? { window: json.window, comment: json.comment as unknown as DraftComment } : undefined;
}
