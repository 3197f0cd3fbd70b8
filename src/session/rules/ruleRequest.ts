import type { PermissionSubject } from '../../acp/dialect';
import { requestedAction, strangeAction, type RequestedAction } from '../../shared/requestedAction';
import type { ToolCallEntry, ToolKind } from '../../shared/transcript';

/** A call of a tool of an MCP server. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
}

/** A permission request as rules see it: all of its contents, as the agent wrote them. */
export interface RuleRequest {
  readonly agent: string;
  /** Absolute path that relative paths start from. */
  readonly cwd: string;
  /** Undefined if the agent's kind isn't in the protocol. */
  readonly kind: ToolKind | undefined;
  readonly titles: readonly string[];
  /** The MCP server and tool that would be called, if the agent names both unambiguously. */
  readonly mcp: McpCall | undefined;
  /** Contains several commands if the shown and the requested command differ. */
  readonly commands: readonly string[];
  /** Other texts that may be commands; for asking and rejecting rules. */
  readonly mentions: readonly string[];
  /** Where the commands would run, if not in `cwd`. */
  readonly folders: readonly string[];
  readonly paths: readonly string[];
  /**
   * Whether rules can judge the whole request. Only the user can allow unclear contents and contents that no rule can
   * express.
   */
  readonly isClear: boolean;
}

/**
 * Returns the contents of a request. `entry` is the tool call as the user sees it, including the request; `subject` is
 * the request's own tool call. They may differ, because an agent can announce one call and request another.
 */
export function ruleRequest(
  agent: string,
  cwd: string,
  entry: ToolCallEntry,
  { fields: asked, kind, strangeParts }: PermissionSubject,
): RuleRequest {
  const { title } = asked;
  const isKnown = kind === undefined || kind === entry.toolKind;
  const { toolKind } = entry;
  const actions: readonly RequestedAction[] = [
    requestedAction(entry),
    requestedAction({
      toolKind,
      content: asked.content ?? [],
      locations: asked.locations ?? [],
      rawInput: asked.rawInput,
    }),
    ...strangeParts.map((part) => strangeAction(toolKind, part)),
  ];
  const all = <T>(of: (action: RequestedAction) => readonly T[]): readonly T[] => [...new Set(actions.flatMap(of))];
  const folders = all((action) => action.folders);
  return {
    agent,
    cwd,
    kind: isKnown ? toolKind : undefined,
    mcp: undefined,
    titles: [...new Set([entry.title, ...(title ? [title] : [])])],
    commands: all((action) => action.commands.map(({ line }) => line)),
    mentions: all((action) => action.mentions),
    folders,
    paths: all((action) => action.paths),
    isClear:
      folders.length <= 1 && actions.every(({ isComplete, environment }) => isComplete && environment.length === 0),
  };
}

/** Returns the lines that may run. If an agent sends no input, the title is the command. */
export function linesOf({ kind, commands, titles }: RuleRequest): readonly string[] {
  return commands.length > 0 || kind !== 'execute' ? commands : titles.map(withoutTicks);
}

export function withoutTicks(title: string): string {
  return /^`([^`]+)`$/s.exec(title.trim())?.[1] ?? title;
}

/** Returns every word of a request that may be a path. */
export function requestWords(request: RuleRequest): readonly string[] {
  const lines = linesOf(request);
  // In a clear request, other mentions only repeat the command, at most with a shell around it.
  const mentions = lines.length === 0 || request.isClear ? [] : request.mentions;
  return [...lines, ...mentions].flatMap(wordsOf);
}

/** Returns the words of a command line that may be paths, without quotes and shell syntax; of an option, its value. */
export function wordsOf(line: string): readonly string[] {
  return line
    .replace(/["']/g, '')
    .split(/[\s=,;&|<>()`]+/)
    .map((word) => (word.startsWith('-') ? (/(\/|\.\.).*/s.exec(word)?.[0] ?? '') : word))
    .filter((word) => word !== '');
}
