import type { PermissionSubject } from '../../acp/dialect';
import { requestedAction, strangeAction, type RequestedAction } from '../../shared/requestedAction';
import type { ToolCallEntry, ToolKind } from '../../shared/transcript';

/** A permission request as rules see it: everything that it names, as the agent wrote it. */
export interface RuleRequest {
  readonly agent: string;
  /** Absolute path that relative ones count from. */
  readonly cwd: string;
  /** Undefined when the agent names one that the protocol does not. */
  readonly kind: ToolKind | undefined;
  readonly titles: readonly string[];
  /** Several when what is shown and what is asked for are not the same. */
  readonly commands: readonly string[];
  /** Other texts that may be commands; for rules that ask or reject. */
  readonly mentions: readonly string[];
  /** Where its commands would run, if not in `cwd`. */
  readonly folders: readonly string[];
  readonly paths: readonly string[];
  /** Whether rules can judge all of it. What isn't understood, and what no rule can name, is the user's to allow. */
  readonly isClear: boolean;
}

/**
 * What a request names. `entry` is the tool call as the user sees it with the request in it, `subject` that of the request alone: an
 * agent may announce one thing and ask for another.
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
    titles: [...new Set([entry.title, ...(title ? [title] : [])])],
    commands: all((action) => action.commands.map(({ line }) => line)),
    mentions: all((action) => action.mentions),
    folders,
    paths: all((action) => action.paths),
    isClear:
      folders.length <= 1 && actions.every(({ isComplete, environment }) => isComplete && environment.length === 0),
  };
}

/** The lines that may be run: where an agent has no input, the title is the command. */
export function linesOf({ kind, commands, titles }: RuleRequest): readonly string[] {
  return commands.length > 0 || kind !== 'execute' ? commands : titles.map(withoutTicks);
}

export function withoutTicks(title: string): string {
  return /^`([^`]+)`$/s.exec(title.trim())?.[1] ?? title;
}

/** Every word of a request that may be a path. */
export function requestWords(request: RuleRequest): readonly string[] {
  const lines = linesOf(request);
  // What else a clear request says of its command says it again, a shell around it at most.
  const mentions = lines.length === 0 || request.isClear ? [] : request.mentions;
  return [...lines, ...mentions].flatMap(wordsOf);
}

/** The words of a command line that may be paths, quotes and signs of the shell taken off; of an option its value. */
export function wordsOf(line: string): readonly string[] {
  return line
    .replace(/["']/g, '')
    .split(/[\s=,;&|<>()`]+/)
    .map((word) => (word.startsWith('-') ? (/(\/|\.\.).*/s.exec(word)?.[0] ?? '') : word))
    .filter((word) => word !== '');
}
