import { isSameButLineBreaks } from '../../review/lines';
import { knownAfterReading, type ReadRange } from '../../review/partialRead';
import type { SessionKey } from '../../shared/ids';

/** What a session knows of a file. */
export interface KnownText {
  readonly text: string;
  /** Whether the agent reads this file through the editor. If not, what it knows may come from the disk instead. */
  readonly isReadHere: boolean;
}

/**
 * What the agent read here, if its content is a change of that. One that writes exactly what it read wants that text
 * back: something else has changed the file, and nobody writes a file to leave it as it is.
 */
export function textReadHere(known: KnownText | undefined, content: string): string | undefined {
  if (known?.isReadHere !== true || isSameButLineBreaks(known.text, content)) return undefined;
  return known.text;
}

/** Texts kept per session, in UTF-16 units; the files used longest ago are forgotten first. */
const defaultLimit = 32 * 1024 * 1024;

/** Remembers the text of each file as a session last read or wrote it, to tell its changes from the user's. */
export class ReadMemory {
  private readonly sessions = new Map<SessionKey, Map<string, KnownText>>();
  private readonly limit: number;

  constructor(limit = defaultLimit) {
    this.limit = limit;
  }

  get(session: SessionKey, key: string): KnownText | undefined {
    return this.sessions.get(session)?.get(key);
  }

  /** `text` is all of the file, of which the session was given `range`. */
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
