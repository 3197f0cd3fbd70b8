import * as l10n from '@vscode/l10n';
import { showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { textAttachment } from '../attachments/attach';
import { matching, shortWord, type FoundMention, type MentionSource } from './mentionSource';
import { textLimit } from '../attachments/readContext';

/** A session whose conversation can be attached. */
export interface MentionableSession {
  readonly key: string;
  readonly title: string;
  readonly agentName: string;
}

/** The sessions of this window and earlier ones. */
export interface MentionableSessions {
  /** Newest first. */
  list(): readonly MentionableSession[];
  /** Resolves to the conversation as text, or undefined if it isn't available. */
  textOf(key: string): Promise<string | undefined>;
}

/** Maximum number of sessions that are offered. */
const shown = 40;

/** Finds sessions. */
export class SessionMentions implements MentionSource {
  private readonly sessions: MentionableSessions;

  constructor(sessions: MentionableSessions) {
    this.sessions = sessions;
  }

  find(typed: string): Promise<readonly FoundMention[]> {
    return matching(
      this.sessions.list().map((session) => this.mention(session)),
      typed,
      shown,
    );
  }

  private mention({ key, title, agentName }: MentionableSession): FoundMention {
    const label = showHiddenOnOneLine(title) || l10n.t('Untitled session');
    return {
      id: `session:${key}`,
      kind: 'session',
      group: 'session',
      label,
      insert: shortWord(label),
      detail: showHiddenOnOneLine(agentName),
      icon: 'comment-discussion',
      take: async () => {
        const text = await this.sessions.textOf(key);
        if (text === undefined) throw new Error(l10n.t('Couldn’t read the session “{0}”.', label));
        return [textAttachment(`${label.replaceAll('/', '-')}.md`, lastPart(text))];
      },
    };
  }
}

/** Returns the end of a long conversation, which matters most, from the beginning of a line. */
function lastPart(text: string): string {
  if (text.length <= textLimit) return text;
  const end = text.slice(-textLimit);
  return end.slice(end.indexOf('\n') + 1);
}
