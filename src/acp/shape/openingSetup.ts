import type { SessionId } from '../../shared/values/ids';

/** How a session is opened: as a new one, or from one that the agent has stored. */
export type OpenMethod =
  | { readonly method: 'new' }
  /** `sessionId` of `fork` is the id of the session to copy. */
  | { readonly method: 'resume' | 'load' | 'fork'; readonly sessionId: SessionId };

/** Returns the id of an existing session, or undefined if the agent will create one. */
export function knownIdOf(how: OpenMethod): SessionId | undefined {
  return how.method === 'resume' || how.method === 'load' ? how.sessionId : undefined;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An MCP server for an agent: a program that the agent starts, a URL, or one that Parley serves in this connection. */
export type McpServer =
  | {
      readonly name: string;
      /** Absolute. */
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly NamedValue[];
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers: readonly NamedValue[];
    }
  | {
      readonly type: 'acp';
      readonly name: string;
      /** Never used for another server. */
      readonly serverId: string;
    };

/** A text for the agent's instructions. */
export interface SystemPrompt {
  readonly mode: 'append' | 'override';
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

/** The value that an option of the agent has from the start. */
export interface InitialOption {
  readonly configId: string;
  readonly value: string | boolean;
}

/** The contents of a request that opens a session, besides the session's id. Agents remember none of it. */
export interface OpeningSetup {
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Absolute. Sent only to agents that support additional folders; the others use only `cwd`. */
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly systemPrompt?: SystemPrompt;
  /** Only for agents with `sessionOptions`. They ignore what they don't offer. */
  readonly initialOptions?: readonly InitialOption[];
}
