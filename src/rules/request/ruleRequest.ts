import { guardedPlace } from '../../shared/limits/guardedPlaces';
import type { HostTarget } from '../../shared/limits/hostTarget';
import type { ToolCallEntry, ToolKind } from '../../shared/transcript/transcript';
import { chainKey, parseLine, plainLine, type FolderChain, type ShellCommand, type ShellLine } from '../line/shellLine';
import type { ShellParser } from '../line/shellParser';
import type { ShellWord } from '../line/shellWords';
import { programOf } from '../line/wrappers';
import { requestedAction, strangeAction, type AskedCall, type McpCall, type RequestedAction } from '../requestedAction';

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
  /** Set if a program of a sandboxed agent wants to connect to it, and nothing else is asked. */
  readonly host?: HostTarget;
  /**
   * Whether rules can judge the whole request. Only the user can allow unclear contents and contents that no rule can
   * express.
   */
  readonly isClear: boolean;
}

/** A request with its command lines parsed. */
export interface ParsedRequest extends RuleRequest {
  readonly lines: readonly ShellLine[];
}

/** A word of a request that may be a path. */
export interface RequestWord {
  readonly word: string;
  readonly folder: FolderChain;
  /** Whether it stands for all files that match it. */
  readonly isGlob: boolean;
}

/**
 * Returns the contents of a request. `entry` is the tool call as the user sees it, including the request; `subject` is
 * the request's own tool call. They may differ, because an agent can announce one call and request another.
 */
export function ruleRequest(
  agent: string,
  cwd: string,
  entry: ToolCallEntry,
  { fields: asked, kind, mcp, strangeParts }: AskedCall,
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
    // Another name before means that the request isn't for the call that the user saw.
    mcp: entry.name === undefined || asked.name === undefined || entry.name === asked.name ? mcp : undefined,
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

/** Parses the command lines of a request. On Windows, only lines without any shell syntax are understood. */
export function parseRequest(request: RuleRequest, parser: ShellParser | undefined, isWindows: boolean): ParsedRequest {
  const lines = linesOf(request).map((line) => (isWindows ? plainLine(line) : parseLine(line, parser)));
  return { ...request, lines };
}

/** Returns every word of a request that may be a path, with the folders that it may be relative to. */
export function requestWords({ lines, mentions, isClear }: ParsedRequest): readonly RequestWord[] {
  const words = new Map<string, RequestWord>();
  const add = (word: string, folder: FolderChain, isGlob: boolean) =>
    words.set(`${chainKey(folder)} ${word}`, { word, folder, isGlob });
  const addCommand = (command: ShellCommand): void => {
    for (const folder of command.folders) {
      for (const word of judgedWords(command))
        for (const piece of piecesOf(word)) add(piece, folder, word.form === 'glob');
    }
    command.inner.forEach(addCommand);
  };
  for (const { line, commands, redirects, problem } of lines) {
    commands.forEach(addCommand);
    for (const { target, folders } of redirects) for (const folder of folders) add(target.text, folder, false);
    // A line that isn't understood may still contain paths that a rule protects.
    if (problem) for (const word of wordsOf(line)) add(word, [], false);
  }
  // In a clear request, other mentions only repeat the command, at most with a shell around it.
  if (lines.length > 0 && !isClear) for (const word of mentions.flatMap(wordsOf)) add(word, [], false);
  return [...words.values()];
}

/** Programs that do nothing but print their arguments. */
const prints = /^(echo|printf)$/;

/** Returns the words of a command that can be paths or options: not those that are only texts. */
export function judgedWords({ words, inner, inLines }: ShellCommand): readonly ShellWord[] {
  const program = programOf(words) ?? '';
  // The words of other commands, and of lines, are judged with these.
  const isInner = (word: ShellWord) => inLines.includes(word) || inner.some((command) => command.words.includes(word));
  if (inner.length > 0) return words.filter((word) => !isInner(word));
  if (prints.test(program) && words[1]?.text !== '-v') return words.filter(({ form }) => form === 'glob');
  if (program !== 'git' || words[1]?.text !== 'commit') return words;
  const isMessage = (word: ShellWord | undefined) => word !== undefined && /^(-[a-z]*m|--message)$/.test(word.text);
  return words.filter(
    ({ text, form }, index) => form === 'glob' || !(isMessage(words[index - 1]) || text.startsWith('--message=')),
  );
}

/** Returns the parts of a word that may be paths. */
export function piecesOf({ text, form }: ShellWord): readonly string[] {
  return form === 'glob' ? [text] : wordsOf(text);
}

/** Returns the words of a command line that may be paths, without quotes and shell syntax; of an option, its value. */
export function wordsOf(line: string): readonly string[] {
  const words = line
    .replace(/["']/g, '')
    .split(/[\s=,;&|<>()`]+/)
    .flatMap((word) => (word.startsWith('-') ? attachedTo(word) : pathsIn(word)));
  return words.filter((word) => word !== '');
}

/** How many options can come before a value in one word, as in `tar -xzf/a`. */
const mostLetters = 3;

/** Returns what may be a path in the value that is attached to an option, such as in `-C.git`, `-xC.git`, or `-Isrc`. */
function attachedTo(word: string): readonly string[] {
  if (word.startsWith('--')) return /([a-z]:[\\/]|[\\/@~]|\.\.).*/is.exec(word)?.flatMap(pathsIn) ?? [];
  const found: string[] = [];
  for (let at = 2; at < word.length && /^[\w]$/.test(word[at - 1] ?? ''); at += 1) {
    const value = word.slice(at);
    // One letter before the value is usual. After more, it counts if it leads somewhere.
    const leads = /^([/~\\@]|\.|[a-z]:[\\/])/i.test(value);
    if ((at === 2 && /\D/.test(value)) || (leads && at <= mostLetters + 1) || guardedPlace(value))
      found.push(...pathsIn(value));
    if (leads) break;
  }
  return found;
}

/** Returns a word and the parts of it that may be paths: after an `@`, and between colons. */
function pathsIn(word: string): readonly string[] {
  const own = word.startsWith('@') ? [word, word.slice(1)] : [word];
  if (/^[a-z][\w+.-]*:\/\//i.test(word) || /^[a-z]:\\/i.test(word) || !word.includes(':')) return own;
  return [...own, ...word.split(':').map((part) => part.replace(/^@/, ''))];
}
