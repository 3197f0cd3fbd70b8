import type { Attachment } from '../../../shared/transcript/content';
import type { Mention } from '../../../shared/pages/messages';
import { bestMatches } from '../search/fuzzyMatch';

/** Maximum length of a mention in the message. */
const longestWord = 40;

/** Something that can be mentioned, and how its attachments are made. */
export interface FoundMention extends Mention {
  /** Rejects with a sentence. */
  readonly take?: () => Promise<readonly Attachment[]>;
}

/** Finds mentions of one kind. */
export interface MentionSource {
  /** Returns mentions for what is typed after the kind, best first. `folder` is that of the session, if it's in a worktree. */
  find(typed: string, folder?: string): Promise<readonly FoundMention[]>;
}

/** Returns the mentions whose label or detail matches what is typed, best first, or all in their order. */
export async function matching(
  mentions: readonly FoundMention[],
  typed: string,
  limit: number,
): Promise<readonly FoundMention[]> {
  if (typed === '') return mentions.slice(0, limit);
  const items = mentions.map((mention) => ({
    mention,
    text: `${mention.detail} ${mention.label}`,
    nameAt: mention.detail.length + 1,
  }));
  const matches = (await bestMatches(items, typed, limit)) ?? [];
  return matches.map(({ item, letters }) => ({
    ...item.mention,
    letters: letters.filter((at) => at >= item.nameAt).map((at) => at - item.nameAt),
  }));
}

/** Returns the beginning of a text as a word of the message. */
export function shortWord(text: string): string {
  return text.length > longestWord ? `${text.slice(0, longestWord - 1).trimEnd()}…` : text;
}
