import type { TerminalId } from './ids';

/**
 * What messages and tool calls are made of, after decoding: the protocol's content blocks
 * (https://agentclientprotocol.com/protocol/content), with wire `null` removed and anything unknown kept as `unknown`.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string; readonly audience?: readonly string[] }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string; readonly uri?: string }
  /** `uri`: the user's own file. */
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string; readonly uri?: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | { readonly type: 'resource'; readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly type: 'resource_blob'; readonly uri: string; readonly mimeType?: string; readonly blob: string }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** What the user sends along with a message: files, lines of files, pictures and sound. */
export type Attachment =
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      readonly mimeType: string;
      readonly name: string;
      /** Where the file is; agents that do not take its bytes get that. */
      readonly uri?: string;
    };

/** Content whose bytes can be saved. */
export type SavableBlock = Extract<ContentBlock, { type: 'image' | 'audio' | 'resource_blob' }>;

/** What a tool call shows. A diff without `oldText` creates its file. Paths are absolute. */
export type ToolCallContent =
  | { readonly type: 'content'; readonly content: ContentBlock }
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly oldText?: string;
      readonly newText: string;
      /** The line of the file that both texts begin at, counted from 1; 0 when that was looked up and not found. Agents never say it. */
      readonly line?: number;
    }
  | { readonly type: 'terminal'; readonly terminalId: TerminalId }
  | { readonly type: 'unknown'; readonly raw: unknown };

/** A place a tool call touches: absolute path, line counted from 1. */
export interface ToolCallLocation {
  readonly path: string;
  readonly line?: number;
}
