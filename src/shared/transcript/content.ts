import type { TerminalId } from '../values/ids';

/**
 * The decoded content of messages and tool calls: the protocol's content blocks
 * (https://agentclientprotocol.com/protocol/content), without `null` fields and with unknown blocks kept as `unknown`.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly audience?: readonly string[] }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string; readonly uri?: string }
  /** `uri` is the user's own file. */
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string; readonly uri?: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
      /** When the file was last modified, in milliseconds since the epoch. */
      readonly lastModified?: number;
      /** The agent gets the link alone, never the file's text. */
      readonly linkOnly?: true;
    }
  | { readonly type: 'resource'; readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly type: 'resource_blob'; readonly uri: string; readonly mimeType?: string; readonly blob: string }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** The user's attachments of a message: files, lines of files, folders, texts, images, and audio. */
export type Attachment =
  /** A file, some of its lines, or a folder, whose URI ends in a slash. */
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly linkOnly?: true }
  /** A text that isn't in a file that the agent can read. `uri` ends in the name. */
  | { readonly type: 'resource'; readonly uri: string; readonly name: string; readonly text: string }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      readonly mimeType: string;
      readonly name: string;
      /** The location of the file, for agents that don't support the bytes. */
      readonly uri?: string;
    };

/** Content whose bytes can be saved. */
export type SavableBlock = Extract<ContentBlock, { type: 'image' | 'audio' | 'resource_blob' }>;

/** What happens to a file, without its text. `other` is an operation of a later protocol version. */
export interface FileChange {
  readonly type: 'change';
  readonly operation: 'add' | 'delete' | 'modify' | 'move' | 'copy' | 'other';
  readonly path: string;
  /** The file that is moved or copied. */
  readonly oldPath?: string;
  readonly isBinary?: true;
}

/** The content of a tool call. A diff without `oldText` creates its file. Paths are absolute. */
export type ToolCallContent =
  | { readonly type: 'content'; readonly content: ContentBlock }
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly oldText?: string;
      readonly newText: string;
      /**
       * The line of the file where both texts begin, starting at 1; 0 if it was searched for and not found. Known from
       * the start only if the agent sent a patch.
       */
      readonly line?: number;
    }
  | FileChange
  | { readonly type: 'terminal'; readonly terminalId: TerminalId }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** A place that a tool call affects: an absolute path, and a line starting at 1. */
export interface ToolCallLocation {
  readonly path: string;
  readonly line?: number;
}
