import { isSameButLineBreaks } from '../../review/lines/lines';
import { knownAfterReading, type ReadRange } from '../../review/lines/partialRead';
import type { SessionKey } from '../../shared/values/ids';

/** A session's last known text of a file. */
export interface KnownText {
  readonly text: string;
  /** True if the agent reads this file through the editor. If false, its text may come from the disk. */
  readonly isReadHere: boolean;
}

/**
 * Returns the text that the agent read through the editor, if `content` changes it. An agent that writes exactly what
 * it read means to restore that text, because something else has changed the file.
 */
export function textReadHere(known: KnownText | undefined, content: string): string | undefined {
  if (known?.isReadHere !== true || isSameButLineBreaks(known.text, content)) return undefined;
  return known.text;
}

/** Maximum size of the texts stored per session, in UTF-16 units. The least recently used files are forgotten first. */
const defaultLimit = 32 * 1024 * 1024;

/** Stores each file's text as a session last read or wrote it, to distinguish the session's changes from the user's. */
export class ReadMemory {
  private readonly sessions = new Map<SessionKey, Map<string, KnownText>>();
  private readonly limit: number;

  constructor(limit = defaultLimit) {
    this.limit = limit;
  }

  get(session: SessionKey, key: string): KnownText | undefined {
    return this.sessions.get(session)?.get(key);
  }

  /** `text` is the whole file. The session received `range` of it. */
  didRead(session: SessionKey, key: string, text: string, range: ReadRange = {}): void {
    const known = this.get(session, key);
    const seen = known === undefined ? text : knownAfterReading(known.text, text, range);
    this.set(session, key, { text: seen, isReadHere: true });
  }

  didWrite(session: SessionKey, key: string, text: string): void {
    this.set(session, key, { text, isReadHere: this.get(session, key)?.isReadHere ?? false });
  }

  forget(session: SessionKey): void {
    this.sessions.delete(session);
  }

  clear(): void {
    this.sessions.clear();
  }

  private set(session: SessionKey, key: string, known: KnownText): void {
    const files = this.sessions.get(session) ?? new Map<string, KnownText>();
    this.sessions.set(session, files);
    files.delete(key);
    files.set(key, known);
    let size = 0;
    for (const { text } of files.values()) size += text.length;
    for (const [oldest, { text }] of files) {
      if (size <= this.limit || oldest === key) break;
      files.delete(oldest);
      size -= text.length;
    }
  }
}
