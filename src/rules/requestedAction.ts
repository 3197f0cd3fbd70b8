import type { ToolCallContent, ToolCallLocation } from '../shared/transcript/content';
import { changedPaths } from '../shared/transcript/fileChange';
import type { ToolKind } from '../shared/transcript/transcript';
import { isRecord } from '../shared/values/isRecord';

/*
 * Determines what would happen if a permission request were allowed. The request's card and the user's rules both use
 * this module, so that a rule can't judge less than what the user would have seen. Agents pass on model output, and a
 * field with an unknown name may change everything, so it makes the request incomplete.
 */

/** The parts of a tool call that determine what it would do. */
export interface RequestedCall {
  readonly toolKind: ToolKind;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
}

/** A call of a tool of an MCP server. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
}

/** The tool call in a permission request itself. */
export interface AskedCall {
  readonly fields: Partial<RequestedCall> & { readonly title?: string; readonly name?: string };
  /** Undefined if the agent sends none, `unknown` if the protocol doesn't have it. */
  readonly kind: ToolKind | 'unknown' | undefined;
  /** The MCP server and tool, if the agent names both unambiguously. */
  readonly mcp?: McpCall;
  /** Parts that no decoder understood: unknown fields, and malformed content. */
  readonly strangeParts: readonly unknown[];
}

export interface RequestedCommand {
  /**
   * The command line for display, with arguments quoted where needed. For a common shell, only the line that it runs.
   */
  readonly line: string;
  /** The shell that runs the line, with its options, if the request contains one. */
  readonly shell?: string;
}

export interface EnvironmentAddition {
  readonly name: string;
  readonly value: string;
}

export interface RequestedAction {
  /** Contains several commands if the request does. */
  readonly commands: readonly RequestedCommand[];
  /** Other texts that may be commands, or another form of one. Only rules that ask or reject check them. */
  readonly mentions: readonly string[];
  /** Where the commands would run, if the request says so. */
  readonly folders: readonly string[];
  readonly environment: readonly EnvironmentAddition[];
  /** Every path in the request, as written. */
  readonly paths: readonly string[];
  /** Whether every field was understood. Other fields are shown unchanged, and no rule allows them. */
  readonly isComplete: boolean;
}

/** Determines what a request would do. */
export function requestedAction(call: RequestedCall): RequestedAction {
  const reading = new Reading(call.toolKind);
  for (const { path } of call.locations) reading.path(path);
  for (const item of call.content) {
    for (const path of changedPaths(item)) reading.path(path);
    if (item.type === 'unknown') reading.strange(item.raw);
    else if (item.type === 'content' && item.content.type === 'text') reading.statedFolder(item.content.text);
  }
  reading.input(call.rawInput);
  return reading.result();
}

/** Returns the contents of a value that no decoder understood, such as malformed content; never complete. */
export function strangeAction(toolKind: ToolKind, value: unknown): RequestedAction {
  const reading = new Reading(toolKind);
  reading.strange(value);
  return reading.result();
}

/** Returns the command line in a tool call's raw input, if any. */
export function commandLineOf(rawInput: unknown, toolKind: ToolKind = 'execute'): string | undefined {
  const { commands } = requestedAction({ toolKind, content: [], locations: [], rawInput });
  return commands.find(({ line }) => line.trim() !== '')?.line;
}

/** Quotes arguments so that a shell would read them back. */
export function quotedLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

type Role =
  | 'command'
  | 'commands'
  | 'arguments'
  | 'environment'
  | 'folder'
  | 'shell'
  | 'path'
  | 'pathMap'
  | 'patch'
  | 'parts'
  | 'text'
  | 'note'
  | 'pattern'
  | 'address'
  | 'elevation'
  | 'derived'
  | 'ignored';

function roles(of: Partial<Record<Role, string>>): ReadonlyMap<string, Role> {
  return new Map(
    Object.entries(of).flatMap(([role, keys]) => keys.split(/\s+/).map((key): [string, Role] => [key, role as Role])),
  );
}

/*
 * Keys of raw inputs by meaning, without case, hyphens, underscores, and trailing digits: those of the agents that
 * Parley was tested with, and of the tools that models know best.
 */

const everywhere = roles({
  note: 'description reason explanation justification title header timeout timeoutms timeoutseconds timeoutsecs callid toolcallid turnid approvalid requestid startedatms',
});

const places =
  'path paths file files filename filenames filepath filepaths absolutepath relativepath relativeworkspacepath target targets targetfile ' +
  'targetpath source sources sourcepath sourcefile src srcpath destination destinations destinationpath dest destpath dst from to frompath topath ' +
  'oldpath newpath movepath moveto renameto newname output outputs out outputfile outputpath outfile input inputfile inputpath infile ' +
  'notebookpath notebook uri uris dir dirs directory directories directorypath dirpath folder folders folderpath root rootpath cwd workdir ' +
  'workingdir workingdirectory basepath location locations link linkpath linktarget symlink archive';

const executing = roles({
  command: 'command cmd commandline shellcommand bashcommand script program executable',
  commands: 'commands',
  arguments: 'args arguments argv',
  environment: 'env envs environment envvars environmentvariables',
  folder: 'cwd workdir workingdir workingdirectory currentdirectory directory directorypath dir dirpath folder',
  shell: 'shell shellpath shelltype',
  note:
    'runinbackground background isbackground async detach detached wait maxwaitseconds initialwait login tty pty interactive yieldtimems ' +
    'maxoutputtokens maxoutputlength maxoutput outputbytelimit outputlimit requiresapproval sessionid prefixrule',
  elevation:
    'dangerouslydisablesandbox disablesandbox withescalatedpermissions sandboxpermissions additionalpermissions elevated sudo',
  derived: 'parsedcmd',
  // These describe the "always" options, which no rule chooses, or repeat the options.
  ignored: 'proposedexecpolicyamendment proposednetworkpolicyamendments availabledecisions',
});

const editing = roles({
  path: places,
  pathMap: 'changes filechanges files',
  patch: 'patch patches diff patchtext unifieddiff',
  parts: 'edits edit operations replacements add update delete',
  text:
    'content contents text filetext oldstring newstring oldstr newstr oldtext newtext old new newsource oldsource newcode oldcode codeedit ' +
    'replacement search replace instruction instructions instructionreminder proposedcontent aiproposedcontent insertedtext inserttext',
  note:
    'replaceall allowmultiple overwrite append create recursive force line linenumber insertline startline endline viewrange cellid cellnumber ' +
    'celltype editmode mode expectedreplacements occurrence occurrences count encoding language type kind action operation modifiedbyuser',
});

const reading = roles({
  path: places,
  note: 'encoding format viewrange pages range ranges lines type kind action operation mode',
});

const searching = roles({
  path: places,
  pattern:
    'pattern patterns query queries regex regexp glob globs include includes exclude excludes filepattern includepattern excludepattern ' +
    'filter filters ignore type outputmode mode sort symbol',
});

const fetching = roles({
  address: 'url urls uri uris address link href',
  text: 'prompt query question',
  note: 'format alloweddomains blockeddomains domains mode type',
});

const thinking = roles({
  text: 'prompt thought thoughts task message instructions',
  note: 'subagenttype agenttype agent name model resume mode runinbackground background type kind id',
  ignored: 'todos tasks items plan',
});

const byKind: Readonly<Record<ToolKind, ReadonlyMap<string, Role>>> = {
  read: reading,
  edit: editing,
  delete: editing,
  move: editing,
  search: searching,
  execute: executing,
  think: thinking,
  fetch: fetching,
  switch_mode: thinking,
  // All kinds of tools, so keys have the meaning of any kind.
  other: new Map([...fetching, ...thinking, ...searching, ...editing, ...executing]),
};

/** These kinds may have any input. The call as a whole is allowed, and rules must list the kind. */
const openKinds: ReadonlySet<ToolKind> = new Set(['other', 'switch_mode']);
/** For these kinds, an unknown flag or number changes the amount, not the action. */
const countingKinds: ReadonlySet<ToolKind> = new Set(['read', 'search', 'fetch', 'think']);
/** The commands of models' edit tools; not command lines. */
const editorVerbs = /^(view|create|str_replace|insert|undo_edit|write|read|replace|delete|edit)$/;
/** Values that say whether an agent waits for its command. */
const waits: ReadonlySet<string> = new Set(['sync', 'async', 'detached', 'background', 'foreground', 'interactive']);
/** Matches keys that probably contain a path. */
const placeKey = /path|file|dir|cwd|folder|uri|root/i;
const usualFolders =
  /^(\/(usr\/(local\/)?)?s?bin\/|\/opt\/homebrew\/bin\/|[a-z]:\/(windows|program files( \(x86\))?)\/)/i;
const isPosixShell = /^(ba|z|da|k|a|fi)?sh$/;
const deepest = 8;
const most = 5000;
const longestPath = 4096;

class Reading {
  private readonly kind: ToolKind;
  private readonly isOpen: boolean;
  private readonly commands = new Map<string, RequestedCommand>();
  private readonly mentions = new Set<string>();
  private readonly folders = new Set<string>();
  private readonly environment: EnvironmentAddition[] = [];
  private readonly paths = new Set<string>();
  private readonly patchPaths = new Set<string>();
  private isComplete = true;
  private seen = 0;

  constructor(kind: ToolKind) {
    this.kind = kind;
    this.isOpen = openKinds.has(kind);
  }

  result(): RequestedAction {
    for (const path of this.patchPaths) {
      const inner = /^[ab]\/(.+)$/s.exec(path)?.[1];
      // Some tools put an absolute path after the letter.
      if (inner === undefined) this.paths.add(path);
      else if (!this.paths.has(`/${inner}`)) this.paths.add(inner);
    }
    const commands = [...this.commands.values()];
    for (const { line } of commands) this.mentions.delete(line);
    return {
      commands,
      mentions: [...this.mentions],
      folders: [...this.folders],
      environment: this.environment,
      paths: [...this.paths],
      isComplete: this.isComplete,
    };
  }

  path(path: string): void {
    if (path !== '') this.paths.add(path);
  }

  /** Adds a value that isn't understood at all. */
  strange(value: unknown): void {
    this.isComplete = false;
    this.names(value, false, 0);
  }

  /** Adds a command's folder from its text, because one agent sends the folder only there. */
  statedFolder(text: string): void {
    if (this.kind !== 'execute') return;
    const folder = /\[current working directory ([^\]\n]+)\]/.exec(text)?.[1];
    if (folder !== undefined) this.addFolder(folder);
  }

  input(value: unknown): void {
    if (isAbsent(value)) return;
    if (isRecord(value)) {
      this.fields(value, 0);
      return;
    }
    if (!this.isOpen) this.isComplete = false;
    if (this.kind === 'execute') {
      const words = textsOf(value);
      if (typeof value === 'string') this.addLine(value);
      else if (words) this.addWords(words);
    }
    this.names(value, false, 0);
  }

  private fields(record: Readonly<Record<string, unknown>>, depth: number): void {
    if (this.isTooMuch(depth)) return;
    const commands: unknown[] = [];
    const given: unknown[] = [];
    const shells: string[] = [];
    for (const [key, value] of Object.entries(record)) {
      this.seen += 1;
      if (this.isTooMuch(depth)) break;
      if (looksLikePath(key)) this.path(key);
      if (isAbsent(value) || value === '') continue;
      const role = this.roleOf(key, value);
      if (role === 'command') commands.push(value);
      else if (role === 'arguments') given.push(value);
      else if (role === 'shell') this.readShell(value, shells, depth);
      else if (!role || !this.read(role, value, depth)) this.unknown(key, value, depth);
    }
    this.readCommands(commands, given, shells[0], depth);
  }

  private roleOf(key: string, value: unknown): Role | undefined {
    const plain = key
      .toLowerCase()
      .replace(/[-_]/g, '')
      .replace(/(?<=[a-z])\d+$/, '');
    const role = everywhere.get(plain) ?? byKind[this.kind].get(plain);
    if (this.kind === 'execute' && plain === 'mode')
      return typeof value === 'string' && waits.has(value) ? 'note' : undefined;
    if (role || this.isOpen) return role;
    // Agents choose kinds freely, so a command counts as one regardless of the kind.
    const command = executing.get(plain);
    if (command === 'command' && typeof value === 'string' && editorVerbs.test(value)) return 'note';
    return command === 'command' || command === 'commands' || command === 'environment' ? command : undefined;
  }

  /** Reads a value by its role; returns false if the value has the wrong type. */
  private read(role: Role, value: unknown, depth: number): boolean {
    switch (role) {
      case 'commands': {
        const lines = textsOf(value);
        for (const line of lines ?? []) this.addLine(line);
        return lines !== undefined;
      }
      case 'environment':
        return this.readEnvironment(value);
      case 'folder':
        if (typeof value !== 'string') return false;
        this.addFolder(value);
        return true;
      case 'path':
      case 'pathMap':
        return this.readPaths(value, role === 'pathMap', depth);
      case 'patch': {
        const patches = typeof value === 'string' ? [value] : textsOf(value);
        for (const patch of patches ?? []) this.readPatch(patch);
        return patches !== undefined;
      }
      case 'parts':
        return this.readParts(value, depth);
      case 'text':
      case 'note':
        return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
      case 'pattern':
      case 'address': {
        const texts = typeof value === 'string' ? [value] : textsOf(value);
        const isPlace = role === 'address' ? /^file:/i : /^([\\/~]|[a-z]:[\\/]|file:)|(^|[\\/])\.\.([\\/]|$)/i;
        for (const text of texts ?? []) if (isPlace.test(text)) this.path(text);
        return texts !== undefined || isScalar(value);
      }
      case 'elevation':
        return value === false || (typeof value === 'string' && /^(use_?)?default$|^none$/i.test(value));
      case 'derived':
        this.readDerived(value);
        return true;
      case 'ignored':
        if (this.isOpen) this.names(value, false, depth);
        return true;
      default:
        return false;
    }
  }

  private unknown(key: string, value: unknown, depth: number): void {
    const counts = countingKinds.has(this.kind) && (typeof value === 'boolean' || typeof value === 'number');
    if (!this.isOpen && !counts) this.isComplete = false;
    this.names(value, placeKey.test(key), depth + 1);
  }

  /** Adds everything in a value that isn't understood: paths, commands, patches. */
  private names(value: unknown, isPlace: boolean, depth: number): void {
    this.seen += 1;
    if (this.isTooMuch(depth)) return;
    if (typeof value === 'string') {
      if (value === '') return;
      if (isPlace || looksLikePath(value)) this.path(value);
      this.readPatch(value);
      this.mentions.add(value);
    } else if (Array.isArray(value)) {
      for (const item of (value as readonly unknown[]).slice(0, most)) this.names(item, isPlace, depth + 1);
      const words = textsOf(value);
      if (words?.length) this.mentions.add(words.join(' '));
    } else if (isRecord(value)) this.fields(value, depth + 1);
  }

  private isTooMuch(depth: number): boolean {
    if (depth <= deepest && this.seen <= most) return false;
    this.isComplete = false;
    return true;
  }

  private readCommands(
    commands: readonly unknown[],
    given: readonly unknown[],
    shell: string | undefined,
    depth: number,
  ): void {
    const [first] = given;
    const words = given.length === 0 ? [] : textsOf(first);
    // Arguments without a command, for two commands, or of an unknown shape can't be judged.
    if (given.length > 1 || (given.length === 1 && commands.length !== 1)) this.unknownAll(given, depth);
    if (given.length === 1 && !words && typeof first !== 'string') this.unknownAll(given, depth);
    const tail = typeof first === 'string' && given.length === 1 ? first : quotedLine(words ?? []);
    for (const command of commands) {
      const program = textsOf(command);
      if (program) this.addWords([...program, ...(words ?? (typeof first === 'string' ? [first] : []))], shell);
      else if (typeof command !== 'string') this.unknown('', command, depth);
      else if (tail === '') this.addLine(command, shell);
      else if (/\s/.test(command.trim())) {
        // A command line with separate arguments: some tools drop them, others append them.
        this.isComplete = false;
        this.mentions.add(command);
        this.addLine(`${command} ${tail}`, shell);
      } else if (words) this.addWords([command, ...words], shell);
      else this.addLine(`${command} ${tail}`, shell);
    }
  }

  private unknownAll(values: readonly unknown[], depth: number): void {
    for (const value of values) this.unknown('', value, depth);
  }

  private readShell(value: unknown, shells: string[], depth: number): void {
    if (typeof value === 'boolean') return;
    if (typeof value === 'string') {
      shells.push(value);
      if (isUsualShell(value)) return;
    }
    this.unknown('shell path', value, depth);
  }

  private addLine(line: string, shell?: string): void {
    if (line === '') return;
    this.readPatch(line);
    const known = this.commands.get(line);
    const command = shell === undefined ? { line } : { line, shell };
    if (!known || (known.shell === undefined && shell !== undefined)) this.commands.set(line, command);
  }

  /** Adds a program with its arguments. */
  private addWords(words: readonly string[], shell?: string): void {
    if (words.length === 0) return;
    const inner = shell === undefined ? shellCommand(words) : undefined;
    if (inner) this.addLine(inner.line, inner.shell);
    else this.addLine(quotedLine(words), shell);
    this.mentions.add(words.join(' '));
    // A program may run one of its arguments.
    for (const word of words) if (/\s/.test(word)) this.mentions.add(word);
  }

  private addFolder(folder: string): void {
    this.folders.add(folder);
    this.path(folder);
  }

  private readEnvironment(value: unknown): boolean {
    const add = (name: string, text: unknown): boolean => {
      if (!isScalar(text)) {
        this.names(text, false, 0);
        return false;
      }
      this.environment.push({ name, value: String(text) });
      return true;
    };
    if (Array.isArray(value)) {
      return (value as readonly unknown[])
        .map((item) => {
          if (typeof item === 'string' && item.includes('=')) {
            return add(item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1));
          }
          const { name, value: text, ...rest } = isRecord(item) ? item : {};
          return typeof name === 'string' && Object.keys(rest).length === 0 && add(name, text ?? '');
        })
        .every(Boolean);
    }
    if (!isRecord(value)) return false;
    return Object.entries(value)
      .map(([name, text]) => add(name, text ?? ''))
      .every(Boolean);
  }

  private readPaths(value: unknown, isMap: boolean, depth: number): boolean {
    if (typeof value === 'string') {
      // Some tools send a patch under this name.
      if (value.includes('\n')) {
        this.readPatch(value);
        return /^\s*\*\*\* Begin Patch/.test(value);
      }
      this.path(value);
      return true;
    }
    if (Array.isArray(value)) {
      return (value as readonly unknown[])
        .map((item) => {
          if (isRecord(item)) this.fields(item, depth + 1);
          else if (typeof item === 'string') this.path(item);
          else return false;
          return true;
        })
        .every(Boolean);
    }
    if (!isMap || !isRecord(value)) return false;
    for (const [path, item] of Object.entries(value)) {
      this.path(path);
      if (isRecord(item)) this.fields(item, depth + 1);
      else if (typeof item === 'string') this.readPatch(item);
      else if (!isAbsent(item)) this.unknown('', item, depth);
    }
    return true;
  }

  /** Reads the agent's parsed form of its command. It adds nothing to the command but may be clearer. */
  private readDerived(value: unknown): void {
    for (const part of Array.isArray(value) ? (value as readonly unknown[]) : []) {
      const { cmd, path } = isRecord(part) ? part : {};
      if (typeof cmd === 'string') this.mentions.add(cmd);
      if (typeof path === 'string') this.path(path);
    }
  }

  private readParts(value: unknown, depth: number): boolean {
    if (isScalar(value) && typeof value !== 'string') return true;
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!parts.every(isRecord)) return false;
    for (const part of parts) this.fields(part, depth + 1);
    return true;
  }

  /** Adds the files in the headers of a patch. */
  private readPatch(text: string): void {
    if (!text.includes('\n') && !/^(---|\+\+\+|\*\*\*|diff|Index:)/.test(text)) return;
    const header =
      /^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |(?:---|\+\+\+) |rename (?:from|to) |copy (?:from|to) |Index: )([^\t\r\n]+)/gm;
    for (const [, path = ''] of text.matchAll(header)) {
      const name = path.trim().replace(/^"(.*)"$/, '$1');
      if (name !== '' && name !== '/dev/null' && name.length <= longestPath) this.patchPaths.add(name);
    }
    for (const [, left = '', right = ''] of text.matchAll(/^diff --git (\S+) (\S+)\r?$/gm)) {
      this.patchPaths.add(left);
      this.patchPaths.add(right);
    }
  }
}

/** Returns the command that a common shell runs, if it runs nothing else. Codex wraps its commands like this. */
function shellCommand(words: readonly string[]): RequestedCommand | undefined {
  const [program = ''] = words;
  const line = words.at(-1) ?? '';
  const options = words.slice(1, -1);
  if (line.trim() === '' || options.length === 0 || !isUsualShell(program)) return undefined;
  return passesLine(shellName(program), options) ? { line, shell: words.slice(0, -1).join(' ') } : undefined;
}

/** Returns whether a shell with these options runs the word after them as a command line, and nothing else. */
export function passesLine(shell: string, options: readonly string[]): boolean {
  const flags = options.join(' ');
  // `-C` is another option than `-c`.
  if (isPosixShell.test(shell)) return /^(-[lie]+ )*-[lie]*c$/.test(flags);
  if (shell === 'cmd') return /^(\/[ds] )*\/c$/i.test(flags);
  return /^((-noprofile|-nologo|-noninteractive) )*(-command|-c)$/i.test(flags);
}

/** Returns whether a shell is a common one in its usual location. */
function isUsualShell(program: string): boolean {
  const path = program.replaceAll('\\', '/');
  if (path.includes('..') || (path.includes('/') && !usualFolders.test(path))) return false;
  const name = shellName(path);
  return isPosixShell.test(name) || name === 'cmd' || name === 'pwsh' || name === 'powershell';
}

function shellName(program: string): string {
  const name = program.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.exe$/, '');
}

/** Returns whether a text is probably a path, whatever its key is called. */
function looksLikePath(text: string): boolean {
  if (text.length > longestPath || text.includes('\n')) return false;
  if (/^(~$|~[\\/]|\.{1,2}([\\/]|$)|[\\/]|[A-Za-z]:[\\/]|file:)/.test(text)) return true;
  if (/(^|[\\/])\.\.([\\/]|$)/.test(text)) return true;
  if (/\s/.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  return /[\\/]/.test(text) || /^\.[\w-]/.test(text) || /^[\w-][\w.-]*\.[A-Za-z]\w{0,9}$/.test(text);
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value as readonly unknown[];
  return list.every((item) => typeof item === 'string') ? list : undefined;
}

function isScalar(value: unknown): boolean {
  return isAbsent(value) || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
