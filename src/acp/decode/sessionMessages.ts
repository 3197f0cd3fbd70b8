import { decodeContentBlock } from './decodeContent';
import { asList, asObject, asString } from '../../shared/values/decodeValue';

/** A message from one session to another. */
export interface SessionMessage {
  readonly messageId: string;
  readonly senderSessionId?: string;
  readonly recipientSessionId?: string;
  /** Its id in the sender's session, and in the recipient's. */
  readonly senderMessageId?: string;
  readonly recipientMessageId?: string;
  readonly text: string;
}

const ids = ['senderSessionId', 'recipientSessionId', 'senderMessageId', 'recipientMessageId'] as const;
/** Agents may send any number of them; the oldest are forgotten. */
const mostMessages = 100;

/**
 * The messages between sessions in one session's updates (https://agentclientprotocol.com/rfds/subagents). Their parts
 * come in any order: who they are from and for, and their content as a whole or in chunks.
 */
export class SessionMessages {
  private readonly all = new Map<string, SessionMessage>();

  /** Reads a `session_message` or a `session_message_chunk` and returns the whole message; undefined for other updates. */
  read(value: unknown): SessionMessage | undefined {
    const update = asObject(value);
    const kind = update?.['sessionUpdate'];
    const messageId = asString(update?.['messageId']);
    if (!update || !messageId || (kind !== 'session_message' && kind !== 'session_message_chunk')) return undefined;
    const before = this.all.get(messageId) ?? { messageId, text: '' };
    if (kind === 'session_message_chunk') {
      return this.keep({ ...before, text: before.text + textOf([update['content']]) });
    }
    const content = update['content'] === null ? [] : update['content'];
    const text = Array.isArray(content) ? textOf(content) : before.text;
    // An absent id stays, and null removes it.
    const known = ids.flatMap((id) => {
      const value = update[id] === null ? undefined : (asString(update[id]) ?? before[id]);
      return value === undefined ? [] : [[id, value] as const];
    });
    return this.keep({ messageId, text, ...Object.fromEntries(known) });
  }

  private keep(message: SessionMessage): SessionMessage {
    this.all.delete(message.messageId);
    this.all.set(message.messageId, message);
    const [oldest] = this.all.keys();
    if (this.all.size > mostMessages && oldest !== undefined) this.all.delete(oldest);
    return message;
  }
}

function textOf(content: readonly unknown[]): string {
  const blocks = asList([...content], decodeContentBlock) ?? [];
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
