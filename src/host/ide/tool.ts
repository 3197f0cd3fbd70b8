import type { PermissionRules, ClientContext } from '../../session/services';
import type { Language } from '../editor/languages';
import type { EditorToolRow } from '../../shared/pages/editorTools';
import type { SessionKey } from '../../shared/values/ids';
import type { ShownFile } from '../editor/shownFile';

/** The name of the server, for agents, for permission rules, and in `mcp` of an agent's settings. */
export const editorServer = 'editor';

/** A session that can use the editor's tools. */
export interface ToolSession {
  readonly context: ClientContext;
  /** The folders that the session is limited to besides its own. Undefined means all workspace folders. */
  readonly folders: readonly string[] | undefined;
}

/** What an agent gets of a session that it started. */
export interface SessionAnswer {
  readonly state: 'completed' | 'stopped' | 'failed' | 'closed' | 'waitsForUser' | 'running';
  /** What the other agent said in its last turn, or why it failed. Empty while it works. */
  readonly text: string;
}

/** Lets agents ask others. Failures are `ToolProblem`s. */
export interface AgentAsker {
  /** The names of the agents that can be asked. */
  readonly agents: readonly string[];
  /** Throws if a session can't start another one. */
  check(asking: SessionKey): void;
  /** Starts a session of an agent, which gets a message. */
  start(asking: SessionKey, agent: string, prompt: string): SessionKey;
  /** Waits until a started session has an answer, but not forever. */
  answerOf(asking: SessionKey, started: string, signal: AbortSignal): Promise<SessionAnswer>;
}

/** The parts of Parley that tools need. */
export interface ToolServices {
  readonly rules: PermissionRules;
  /** The text of a file as the user sees it. */
  readonly read: (
    context: ClientContext,
    params: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ) => Promise<string>;
  /** Whether the agent's sandbox hides a file, by its path after links. Only `read` gives it to the agent, if the user agrees. */
  readonly hides?: (context: ClientContext, realPath: string) => boolean;
  /** Performs a change of these files, which then wait for review. */
  readonly change: (context: ClientContext, paths: readonly string[], write: () => Promise<void>) => Promise<void>;
  /** See `ClientServices`. */
  readonly beforeWork?: (session: SessionKey) => Promise<void> | undefined;
  readonly asker: () => AgentAsker;
  /** The file that the user looks at. */
  readonly shown: () => ShownFile | undefined;
  readonly now: () => number;
}

/** One call of a tool. */
export interface ToolCall extends ToolSession {
  readonly services: ToolServices;
  readonly language: Language;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** The result of a call: the same for programs and as text for the model. */
export interface ToolResult {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The code that runs a tool. */
export type ToolRun = (call: ToolCall) => Promise<ToolResult>;

/** A tool as agents get it. */
export interface EditorTool extends Omit<EditorToolRow, 'words' | 'isDefault'> {
  readonly name: string;
  readonly run: ToolRun;
}

/** A failure that the model can act on. The message says what to do instead. */
export class ToolProblem extends Error {}

/** Returns a text argument, or undefined if it is missing or empty. */
export function textOf({ args }: ToolCall, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a text argument that the tool can't do without. */
export function requiredText(call: ToolCall, name: string): string {
  const value = textOf(call, name);
  if (value === undefined) throw new ToolProblem(`“${name}” is missing. Call the tool again with “${name}”.`);
  return value;
}

/** Returns a number argument of at least `least`, or `otherwise` if it is missing. */
export function countOf({ args }: ToolCall, name: string, otherwise: number, least = 0): number {
  const value = args[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= least ? value : otherwise;
}

/** One page of a list as lines, with a hint how to get the next page. */
export function paged<T>(
  call: ToolCall,
  items: readonly T[],
  most: number,
): { readonly page: readonly T[]; readonly total: number; readonly nextOffset?: number; readonly hint: string } {
  const offset = countOf(call, 'offset', 0);
  const page = items.slice(offset, offset + most);
  const next = offset + page.length;
  const isLast = next >= items.length;
  return {
    page,
    total: items.length,
    ...(isLast ? {} : { nextOffset: next }),
    hint: isLast ? '' : `\n… ${items.length - next} more. Call again with offset ${next}.`,
  };
}
