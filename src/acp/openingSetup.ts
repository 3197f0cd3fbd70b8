import type { SessionId } from '../shared/ids';

/** How a session is opened: anew, or one that the agent knows from before. */
export type OpenMethod =
  | { readonly method: 'new' }
  /** `sessionId` of `fork`: that of the session that the new one begins as. */
  | { readonly method: 'resume' | 'load' | 'fork'; readonly sessionId: SessionId };

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An MCP server for an agent to use: a program that it starts, or an address. */
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
    };

/** A text that the agent's instructions are to hold. */
export interface SystemPrompt {
  readonly mode: 'append' | 'override';
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

/** What the request that opens a session says besides which session it is. Agents remember none of it. */
export interface OpeningSetup {
  /** Absolute path the session works in. */
  readonly cwd: string;
  /** Absolute; told to agents that understand it; the others work in `cwd` alone. */
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly systemPrompt?: SystemPrompt;
}
