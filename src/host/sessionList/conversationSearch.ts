import { Disposable } from '../../shared/values/disposable';
import type { FoundSession } from '../../shared/pages/sessionRows';
import { findSaid, saidIn, wordsOf } from '../sessions/stored/saidText';
import type { StoredListing } from '../sessions/stored/storedListing';
import type { WordIndex } from '../sessions/stored/wordIndex';
import type { FeedPage } from './sessionFeed';
import { ownRowId, type LiveSession } from './sessionRows';

/** Where words are searched. */
export interface SearchedSessions {
  readonly pool: { readonly sessions: readonly LiveSession[] };
  readonly sessions: { readonly stored: readonly StoredListing[] };
  readonly words: Pick<WordIndex, 'search' | 'onDidGrow'>;
}

/** Searches for words in all conversations: in open sessions as they are now, and in stored ones by their index. */
export class ConversationSearch extends Disposable {
  private readonly searched: SearchedSessions;
  /** What each page searches for. A newer search replaces an older one. */
  private readonly texts = new Map<FeedPage, string>();

  constructor(searched: SearchedSessions) {
    super();
    this.searched = searched;
    // Sessions that were indexed since may have the words, too.
    this.register(searched.words.onDidGrow(() => this.texts.forEach((text, page) => void this.answer(page, text))));
  }

  /** `text` is from a page, and anything else than a text finds nothing. */
  find(page: FeedPage, text: unknown): void {
    if (typeof text !== 'string') return;
    this.texts.set(page, text);
    void this.answer(page, text);
  }

  /** Forgets what was searched for. */
  end(): void {
    this.texts.clear();
  }

  private async answer(page: FeedPage, text: string): Promise<void> {
    const { pool, words } = this.searched;
    const live = new Set(pool.sessions.map(({ key }) => key));
    const here = pool.sessions.flatMap(({ key, transcript }): FoundSession[] => {
      const match = findSaid(saidIn(transcript.entries.values()), wordsOf(text));
      return match ? [{ id: ownRowId(key), ...match }] : [];
    });
    const stored = await words.search(text);
    if (this.texts.get(page) !== text) return;
    const closed = stored
      .filter(({ key }) => !live.has(key))
      .map(({ key, ...match }) => ({ id: ownRowId(key), ...match }));
    page.post({ type: 'foundSessions', text, found: [...here, ...closed] });
  }
}
