import { quotedLine } from '../requestedAction';
import type { ShellNode, ShellParser } from './shellParser';
import { WordReader, type ShellWord } from './shellWords';
import { separatedWords, usualName } from './programs';
import { innerOf, programOf, type WrapperNeeds } from './wrappers';

/** A folder that a command may run in: the arguments of each `cd` before it. */
export type FolderChain = readonly string[];

/** A program with its words. */
export interface ShellCommand {
  /** The program and its arguments, quoted in one way; what rules are matched with. */
  readonly text: string;
  /** The same as the line contains it. */
  readonly written: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  /** Every folder it may run in. */
  readonly folders: readonly FolderChain[];
  /** Commands that it runs. */
  readonly inner: readonly ShellCommand[];
  /** Which rules it needs, if it runs other commands. */
  readonly needs: WrapperNeeds;
  /** Its words that are command lines, which are judged as the commands inside it. */
  readonly inLines: readonly ShellWord[];
  /** Whether another command runs it for each of many files. */
  readonly isForMany: boolean;
  /** The commands whose output it reads. */
  readonly readsFrom: readonly ShellCommand[];
  /** The text that the line passes to its standard input. */
  readonly input: string | undefined;
}

export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
  /** As the line contains it. */
  readonly written: string;
}

/** A file that the shell opens for a command. */
export interface ShellRedirect {
  readonly target: ShellWord;
  readonly isWrite: boolean;
  /** Whether nothing is left of the file: it is emptied, also before its own contents are read. */
  readonly isEmptying: boolean;
  /** Whether the file's contents are replaced. */
  readonly isReplacing: boolean;
  readonly folders: readonly FolderChain[];
}

/** Why no rule can allow a line. */
export interface ShellProblem {
  /** `unparsed`: it isn't understood. `dynamic`: it depends on what is only known when it runs. */
  readonly kind: 'unparsed' | 'dynamic';
  readonly text: string;
}

/** A command line with its commands. */
export interface ShellLine {
  readonly line: string;
  /** All commands that the line runs, in order, without the ones inside others. */
  readonly commands: readonly ShellCommand[];
  /** Variables that the line sets for its later commands. */
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  readonly problem: ShellProblem | undefined;
}

/** Maximum length of lines and texts that rules judge. */
export const longestLine = 4096;
const wordTypes =
  /^(word|number|string|raw_string|ansi_c_string|translated_string|concatenation|simple_expansion|expansion|extglob_pattern|brace_expression|command_substitution|arithmetic_expansion)$/;
const mustBeSeen =
  /(_statement|_command|_redirect|_assignment|_assignments|_definition|_substitution|^command|^list|^pipeline|^subshell)$/;
const deepestLine = 4;
const mostFolders = 6;
const deepestFolder = 8;
const mostCommands = 200;
/** How many commands of one launcher are read without a parser. */
const mostLaunched = 3;

/** Programs that pass on their standard input or search in it. Others may run it. */
const readsData = /^(cat|tee|grep|egrep|fgrep|rg|head|tail|wc|sort|uniq|tr|cut|jq|column|nl|fold|less|more)$/;
/** Programs that change the meaning of later commands. */
const changesMeaning =
  /^(alias|unalias|trap|enable|hash|shopt|coproc|pushd|popd|chdir|typeset|local|read|mapfile|readarray|getopts)$/;

/** Parses a command line. Without a parser, nothing is known of it. */
export function parseLine(line: string, parser: ShellParser | undefined): ShellLine {
  if (!parser || line.length > longestLine) return unparsed(line);
  return new LineReader(line, parser, 0).read([[]]);
}

/** Characters that can make a command line more than its first program, or different from what it appears to be. */
const shellSigns = /[;&|<>()`${}!#*?[\]~%^\n]/;

/** PowerShell reads these like `'`, `"`, and `-`. */
const typographicSigns = /[\u2018-\u201b\u201c-\u201e\u2013-\u2015]/;

/** Git Bash sets a variable for the program after it. */
const startsWithAssignment = /^\s*["'\w]+\+?=/;

/** Reads a line that is one program with its arguments, whatever the shell. */
export function plainLine(line: string): ShellLine {
  if (line.length > longestLine || shellSigns.test(line) || typographicSigns.test(line)) return unparsed(line);
  if (startsWithAssignment.test(line)) return unparsed(line);
  const words = separatedWords(line.trim().split(/\s+/)).map(looseWord);
  // Another shell than the expected one may run the line, so it must not be more for any of them.
  const inner = innerOf(words);
  const isMore = inner !== undefined && (inner === 'unknown' || !('launched' in inner) || inner.lines.length > 0);
  if (words[0]?.text.includes('=') === true || isMore || runsMore(words)) return unparsed(line);
  const command = looseCommand(words, line);
  return { line, commands: [command], assignments: [], redirects: [], problem: undefined };
}

function looseWord(written: string): ShellWord {
  return { text: written.replace(/["']/g, ''), written, form: 'literal' };
}

/** Returns words as a command with the commands that it runs, as far as that can be told without a parser. */
export function looseCommand(words: readonly ShellWord[], written: string, depth = 0, isForMany = false): ShellCommand {
  const found = depth < deepestLine ? innerOf(words) : undefined;
  const inner: ShellCommand[] = [];
  const add = (one: readonly ShellWord[], forMany: boolean) => {
    if (one.length > 0) inner.push(looseCommand(one, one.map((word) => word.written).join(' '), depth + 1, forMany));
  };
  const addLine = (line: ShellWord) => add(line.text.split(/\s+/).filter(Boolean).map(looseWord), false);
  if (found === 'unknown' || found === undefined) {
    // Nothing more is known.
  } else if ('line' in found) addLine(found.line);
  else if ('launched' in found) {
    for (const one of found.launched.slice(0, mostLaunched)) add(one, found.isForMany);
    for (const line of found.lines.slice(0, mostLaunched)) addLine(line);
  } else add(found.words, found.isForMany === true);
  return {
    text: textOfWords(words),
    written,
    words,
    assignments: [],
    folders: [[]],
    inner,
    needs: 'outer',
    inLines: [],
    isForMany,
    readsFrom: [],
    input: undefined,
  };
}

/** Returns the words of a text that isn't parsed as a command. */
export function looseWords(text: string): readonly ShellWord[] {
  return separatedWords(text.trim().split(/\s+/)).map(looseWord);
}

/** Programs of Windows that run another program, which is in their arguments. */
const windowsWrappers = /^(start|call|wsl|forfiles|pcalua|conhost|runas|cmd)$/;

function runsMore(words: readonly ShellWord[]): boolean {
  const [first, ...args] = words.map(({ text }) => text.toLowerCase());
  const program = usualName(first ?? '');
  // With anything but a file, the arguments are a line.
  if (/^(powershell|pwsh)$/.test(program))
    return !/^([-/](nop\w*|noni\w*|nol\w*|exec?\w* \w+) )*[-/]f(i(le?)?)? /.test(args.join(' '));
  return windowsWrappers.test(program);
}

function unparsed(line: string): ShellLine {
  return { line, commands: [], assignments: [], redirects: [], problem: { kind: 'unparsed', text: line } };
}

/** The folders after a command: if it succeeded, and in any case. */
interface Flow {
  readonly ok: readonly FolderChain[];
  readonly any: readonly FolderChain[];
}

/** A command whose parts aren't all known yet. */
type Draft = { -readonly [K in Exclude<keyof ShellCommand, 'inner'>]: ShellCommand[K] } & { inner: readonly Draft[] };

class LineReader {
  private readonly line: string;
  private readonly parser: ShellParser;
  private readonly depth: number;
  private readonly commands: Draft[] = [];
  private readonly assignments: ShellAssignment[] = [];
  private redirects: readonly ShellRedirect[] = [];
  private problem: ShellProblem | undefined;
  private readonly seen = new Set<ShellNode>();
  private folders: readonly FolderChain[] = [[]];
  private loops = 0;
  private drafts = 0;
  /** The last part of a list. In the tree, its redirects belong to the whole list. */
  private last = { from: 0, folders: this.folders };
  private readonly words: WordReader;

  constructor(line: string, parser: ShellParser, depth: number) {
    this.line = line;
    this.parser = parser;
    this.depth = depth;
    this.words = new WordReader(
      line,
      (node) => this.substitution(node),
      (node) => this.literalOutput(node),
      (node) => this.fail('dynamic', node),
    );
  }

  read(folders: readonly FolderChain[]): ShellLine {
    const root = this.parser.parse(this.line);
    if (!root || root.isError || !this.coversLine(root)) return unparsed(this.line);
    this.sequence(root.children, folders);
    this.checkSeen(root);
    const { line, commands, assignments, redirects, problem } = this;
    return { line, commands, assignments, redirects, problem };
  }

  /** Returns whether the tree has no errors, and nothing but spaces between its parts. */
  private coversLine(root: ShellNode): boolean {
    let at = 0;
    const isCovered = (node: ShellNode, isQuoted: boolean): boolean => {
      if (node.isError) return false;
      if (node.children.length === 0) {
        const isAdjacent = isQuoted || /^(\s|\\\n)*$/.test(this.line.slice(at, node.start));
        at = Math.max(at, node.end);
        return isAdjacent;
      }
      const isText = node.type === 'string' || node.type === 'heredoc_body' || node.type === 'heredoc_redirect';
      const isInText = isText || (isQuoted && node.type !== 'command_substitution');
      const areCovered = node.children.every((child) => isCovered(child, isInText));
      if (isText) at = Math.max(at, node.end);
      return areCovered;
    };
    return isCovered(root, false) && /^\s*$/.test(this.line.slice(at));
  }

  /** What was passed over could run without a rule. */
  private checkSeen(node: ShellNode): void {
    if (mustBeSeen.test(node.type) && !this.seen.has(node)) this.fail('unparsed', node);
    for (const child of node.children) this.checkSeen(child);
  }

  private fail(kind: ShellProblem['kind'], node: ShellNode | string): void {
    this.problem ??= { kind, text: typeof node === 'string' ? node : this.textOf(node) };
  }

  private textOf({ start, end }: ShellNode): string {
    return this.line.slice(start, end);
  }

  /** Reads statements one after the other; the signs between them don't matter. */
  private sequence(nodes: readonly ShellNode[], folders: readonly FolderChain[]): Flow {
    let flow: Flow = { ok: folders, any: folders };
    for (const node of nodes) if (node.isNamed) flow = this.statement(node, flow.any);
    return flow;
  }

  private statement(node: ShellNode, folders: readonly FolderChain[]): Flow {
    const same: Flow = { ok: folders, any: folders };
    this.folders = folders;
    this.seen.add(node);
    switch (node.type) {
      case 'comment':
        // In an interactive zsh, comments are arguments.
        if (/[^\w\s#.,:/-]/.test(this.textOf(node))) this.fail('unparsed', node);
        return same;
      case 'command':
        return this.command(node, folders);
      case 'list':
        return this.list(node, folders);
      case 'pipeline':
        return this.pipeline(node, folders);
      case 'redirected_statement':
        return this.redirected(node, folders);
      case 'subshell':
        this.sequence(node.children, folders);
        return same;
      case 'negated_command': {
        const { any } = this.sequence(node.children, folders);
        return { ok: any, any };
      }
      case 'compound_statement':
        return this.sequence(node.children, folders);
      case 'if_statement':
      case 'elif_clause':
      case 'else_clause': {
        const { any } = this.sequence(node.children, folders);
        const all = this.union(any, folders);
        return { ok: all, any: all };
      }
      case 'while_statement':
      case 'do_group':
        return this.loop(node.children, folders);
      case 'for_statement':
        return this.forLoop(node, folders);
      case 'case_statement':
      case 'case_item': {
        let any = folders;
        for (const child of node.children) {
          if (wordTypes.test(child.type)) this.words.read(child);
          else if (child.isNamed) any = this.union(any, this.statement(child, any).any);
        }
        return { ok: any, any };
      }
      case 'test_command':
        this.test(node);
        return same;
      case 'variable_assignment':
        this.assign(node);
        return same;
      case 'variable_assignments':
        for (const child of node.children) this.assign(child);
        return same;
      case 'declaration_command':
        for (const child of node.children) this.declare(child);
        return same;
      case 'unset_command':
        for (const child of node.children) if (child.isNamed) this.setVariable(child);
        return same;
      default:
        this.fail('unparsed', node);
        this.words.substitutions(node);
        return same;
    }
  }

  private substitution(node: ShellNode): void {
    this.seen.add(node);
    // Between backticks, a backslash has a meaning of its own.
    if (/^`.*\\/s.test(this.textOf(node))) this.fail('unparsed', node);
    const { folders } = this;
    this.sequence(node.children, folders);
    this.folders = folders;
  }

  private test(node: ShellNode): void {
    const [start, ...parts] = node.children;
    const inner = parts
      .slice(0, -1)
      .map((part) => this.textOf(part))
      .join(' ');
    // Without `[[`, such as in dash, its signs start commands. A subscript runs the substitutions in it, even in quotes.
    const isPlain = (start?.type === '[[' && !/[&|<>();]/.test(inner)) || start?.type === '[';
    if (!isPlain || inner.includes('[')) this.fail('unparsed', node);
    this.words.substitutions(node);
  }

  private list(node: ShellNode, folders: readonly FolderChain[]): Flow {
    const [left, right] = node.children.filter(({ isNamed, type }) => isNamed && type !== 'comment');
    const sign = node.children.find(({ isNamed }) => !isNamed)?.type;
    if (!left || !right || (sign !== '&&' && sign !== '||')) {
      this.fail('unparsed', node);
      return this.sequence(node.children, folders);
    }
    const first = this.statement(left, folders);
    this.last = { from: this.commands.length, folders: sign === '&&' ? first.ok : first.any };
    if (sign === '&&') {
      const second = this.statement(right, first.ok);
      return { ok: second.ok, any: this.union(first.any, second.any) };
    }
    const second = this.statement(right, first.any);
    return { ok: this.union(first.ok, second.ok), any: this.union(first.any, second.any) };
  }

  private pipeline(node: ShellNode, folders: readonly FolderChain[]): Flow {
    let any = folders;
    let before: readonly ShellCommand[] = [];
    for (const child of node.children) {
      if (!child.isNamed) continue;
      const [from, written] = [this.commands.length, this.redirects.length];
      any = this.union(any, this.statement(child, folders).any);
      const stage = this.commands.slice(from);
      this.redirects = this.redirects.map((redirect, index) =>
        index >= written && redirect.isReplacing && readsFile(before, redirect.target)
          ? { ...redirect, isEmptying: true }
          : redirect,
      );
      for (const command of stage) readFrom(command, before);
      before = [...before, ...stage].slice(0, mostCommands);
    }
    return { ok: any, any };
  }

  private redirected(node: ShellNode, folders: readonly FolderChain[]): Flow {
    let from = this.commands.length;
    let flow: Flow = { ok: folders, any: folders };
    let around = folders;
    for (const child of node.children) {
      if (/_redirect$/.test(child.type)) continue;
      flow = this.statement(child, folders);
      if (child.type === 'list') ({ from, folders: around } = this.last);
      else around = this.union(folders, flow.any);
    }
    const input: string[] = [];
    const own = this.commands.slice(from);
    const readsNothing = node.children.some((child) => readsNull(this.textOf(child)));
    const isNothing = own.every(({ words }) => printsNothing(words, readsNothing));
    for (const child of node.children)
      if (/_redirect$/.test(child.type)) input.push(...this.redirect(child, around, isNothing, own));
    if (input.length > 0) this.addInput(this.commands.slice(from), input.join('\n'));
    return flow;
  }

  private addInput(commands: readonly Draft[], input: string): void {
    for (const command of commands) {
      command.input = input;
      const program = programOf(command.words) ?? '';
      if (input === '') continue;
      const isCommit = /^git commit( |$)/.test(command.text);
      // Another program may run its input.
      if (!readsData.test(program) && !isCommit) this.fail('dynamic', command.written);
    }
  }

  /** Reads a redirect; returns the text that it passes to the command. */
  private redirect(
    node: ShellNode,
    folders: readonly FolderChain[],
    writesNothing = false,
    commands: readonly ShellCommand[] = [],
  ): readonly string[] {
    this.folders = folders;
    this.seen.add(node);
    if (node.type === 'herestring_redirect') {
      return node.children.filter(({ isNamed }) => isNamed).map((child) => this.words.read(child).text);
    }
    if (node.type === 'heredoc_redirect') return this.heredoc(node, folders);
    const sign = node.children.find(({ isNamed }) => !isNamed)?.type ?? '';
    let isEmpty = false;
    const targets = node.children.filter(({ isNamed, type }) => isNamed && type !== 'file_descriptor');
    for (const [index, child] of targets.entries()) {
      const target = this.words.read(child);
      // Words after the target are arguments of the command, so the line isn't what it appears to be.
      if (index > 0) this.fail('unparsed', node);
      if (/^[<>]&$/.test(sign) && /^(\d+|-)$/.test(target.text)) continue;
      if (target.form !== 'literal') this.fail('dynamic', node);
      const isReplacing = /^(&?>|>\|)$/.test(sign);
      const isEmptying = isReplacing && (writesNothing || readsFile(commands, target));
      this.redirects = [...this.redirects, { target, isWrite: sign !== '<', isEmptying, isReplacing, folders }];
      if (sign === '<' && target.text === '/dev/null') isEmpty = true;
    }
    return isEmpty ? [''] : [];
  }

  /** Reads a here-document. Other redirects and commands can follow on its first line. */
  private heredoc(node: ShellNode, folders: readonly FolderChain[]): readonly string[] {
    const bodies: string[] = [];
    if (!this.endsOnItsLine(node)) this.fail('unparsed', node);
    for (const child of node.children) {
      if (child.type === 'heredoc_body') {
        this.words.substitutions(child);
        bodies.push(this.textOf(child));
      } else if (/_redirect$/.test(child.type)) bodies.push(...this.redirect(child, folders));
      else if (child.isNamed && !/^(heredoc_start|heredoc_end|file_descriptor)$/.test(child.type)) {
        // The rest of a list or pipeline is inside of the redirect.
        this.statement(child, folders);
      }
    }
    return bodies;
  }

  /** Returns whether a here-document ends with a line that is exactly its delimiter. Otherwise, it goes on after it. */
  private endsOnItsLine(node: ShellNode): boolean {
    const start = node.children.find(({ type }) => type === 'heredoc_start');
    const end = node.children.find(({ type }) => type === 'heredoc_end');
    if (!start || !end || !/^(\w+|'\w+'|"\w+")$/.test(this.textOf(start))) return false;
    const before = this.line.slice(0, end.start);
    const isOwnLine = /\n$/.test(before) && /^(\n|$)/.test(this.line.slice(end.end));
    return isOwnLine && node.children[0]?.type === '<<' && this.textOf(end) === this.textOf(start).replace(/['"]/g, '');
  }

  private loop(nodes: readonly ShellNode[], folders: readonly FolderChain[]): Flow {
    this.loops += 1;
    const { any } = this.sequence(nodes, folders);
    this.loops -= 1;
    return { ok: any, any };
  }

  private forLoop(node: ShellNode, folders: readonly FolderChain[]): Flow {
    let flow: Flow = { ok: folders, any: folders };
    for (const child of node.children) {
      if (child.type === 'variable_name') {
        // No program reads variables with such names.
        if (!/^[a-z]{1,8}$/.test(this.textOf(child))) this.setVariable(child);
      } else if (child.type === 'do_group') flow = this.loop(child.children, folders);
      else if (child.isNamed) this.words.read(child);
    }
    return flow;
  }

  private command(node: ShellNode, folders: readonly FolderChain[]): Flow {
    const words: ShellWord[] = [];
    const assignments: ShellNode[] = [];
    const redirects: ShellNode[] = [];
    let start = node.start;
    let end = node.start - 1;
    let firstEnd = node.start;
    for (const child of node.children) {
      this.folders = folders;
      if (child.type === 'variable_assignment' && words.length === 0) {
        assignments.push(child);
        continue;
      }
      if (/_redirect$/.test(child.type)) {
        redirects.push(child);
        continue;
      }
      // Words without a space between them are one word, and signs have a meaning that isn't known here.
      if (!child.isNamed || child.start <= end) this.fail('unparsed', node);
      if (words.length === 0) start = child.start;
      end = child.end;
      firstEnd = child.end;
      const named = child.type === 'command_name' ? child.children[0] : child;
      if (named) words.push(this.words.read(named));
    }
    const readsNothing = redirects.some((child) => readsNull(this.textOf(child)));
    const isNothing = words.length === 0 || printsNothing(words, readsNothing);
    const input = redirects.flatMap((child) => this.redirect(child, folders, isNothing));
    const written = this.line.slice(start, firstEnd);
    const command = this.draft(words, written, folders);
    this.commands.push(command);
    command.assignments = assignments.flatMap((child) => this.readAssignment(child) ?? []);
    if (input.length > 0) this.addInput([command], input.join('\n'));
    if (this.commands.length > mostCommands) this.fail('unparsed', this.line);
    return this.after(command, folders);
  }

  private draft(
    words: readonly ShellWord[],
    written: string,
    folders: readonly FolderChain[],
    isForMany = false,
  ): Draft {
    const program = programOf(words);
    this.drafts += 1;
    if (this.drafts > mostCommands) this.fail('unparsed', this.line);
    if (program === undefined) this.fail('dynamic', written);
    else if (changesMeaning.test(program) || runsSubscripts(program, words)) this.fail('unparsed', written);
    const command: Draft = {
      text: textOfWords(words),
      written,
      words,
      assignments: [],
      folders,
      inner: [],
      needs: 'inner',
      inLines: [],
      isForMany,
      readsFrom: [],
      input: undefined,
    };
    const inner = this.drafts > mostCommands ? undefined : innerOf(words);
    if (inner === 'unknown') this.fail('unparsed', written);
    else if (inner && 'line' in inner) {
      command.inLines = [inner.line];
      command.inner = this.nested(inner.line, folders);
    } else if (inner && 'launched' in inner) {
      command.needs = 'outer';
      command.inLines = inner.inLines;
      command.inner = [
        ...inner.launched.map((one) => this.draft(one, writtenOf(one), folders, inner.isForMany)),
        ...inner.lines.flatMap((line) => this.nested(line, folders, inner.isForMany)),
      ];
    } else if (inner) {
      command.needs = inner.needs;
      const draft = this.draft(inner.words, writtenOf(inner.words), folders, inner.isForMany);
      draft.assignments = inner.assignments.map(({ name, value }) => ({ name, value, written: value.written }));
      // The folder of later commands would change without a `cd` that is seen.
      if (draft.words[0]?.text === 'cd') this.fail('unparsed', written);
      command.inner = [draft];
    }
    return command;
  }

  /** Parses a line that is a word of this one. */
  private nested(word: ShellWord, folders: readonly FolderChain[], isForMany = false): readonly Draft[] {
    if (word.form !== 'literal' || this.depth >= deepestLine) {
      this.fail('dynamic', word.written);
      return [];
    }
    const reader = new LineReader(word.text, this.parser, this.depth + 1);
    const { assignments, redirects, problem } = reader.read(folders);
    const { commands } = reader;
    if (problem) this.fail(problem.kind, problem.text);
    if (commands.some(({ words }) => words[0]?.text === 'cd')) this.fail('unparsed', word.written);
    this.assignments.push(...assignments);
    this.redirects = [...this.redirects, ...redirects];
    for (const command of commands) command.isForMany ||= isForMany;
    return commands;
  }

  private after({ words }: ShellCommand, folders: readonly FolderChain[]): Flow {
    const [program, folder] = words;
    if (program?.text !== 'cd') return { ok: folders, any: folders };
    const isKnown = words.length === 2 && folder?.form === 'literal' && folder.text !== '-' && folder.text !== '';
    const isTooDeep = folders.some((chain) => chain.length >= deepestFolder);
    if (!isKnown || isTooDeep || this.loops > 0) {
      this.fail('dynamic', words.map(({ written }) => written).join(' '));
      return { ok: folders, any: folders };
    }
    const ok = folders.map((chain) => [...chain, folder.text]);
    return { ok, any: this.union(ok, folders) };
  }

  private assign(node: ShellNode): void {
    const assignment = node.isNamed ? this.readAssignment(node) : undefined;
    if (assignment) this.assignments.push(assignment);
  }

  private readAssignment(node: ShellNode): ShellAssignment | undefined {
    this.seen.add(node);
    const [name, sign, value, ...more] = node.children;
    const isKnown = node.type === 'variable_assignment' && name?.type === 'variable_name' && sign?.type === '=';
    if (!isKnown || more.length > 0) {
      this.fail('unparsed', node);
      this.words.substitutions(node);
      return undefined;
    }
    const word: ShellWord = value ? this.words.read(value) : { text: '', written: '', form: 'literal' };
    return { name: this.textOf(name), value: word, written: this.textOf(node) };
  }

  private declare(node: ShellNode): void {
    if (node.type === 'variable_assignment') this.assign(node);
    else if (node.type === 'variable_name') this.setVariable(node);
    // Options can give the names another meaning.
    else if (node.isNamed || !/^(export|readonly)$/.test(node.type)) this.fail('unparsed', node);
  }

  /** Notes a variable whose value changes in another way. */
  private setVariable(node: ShellNode): void {
    const name = this.textOf(node);
    this.assignments.push({ name, value: { text: '', written: '', form: 'literal' }, written: name });
  }

  /** Returns the output of `cat` with a here-document, which agents use for texts of several lines. */
  private literalOutput(node: ShellNode): string | undefined {
    const [statement, ...more] = node.children.filter(({ isNamed }) => isNamed);
    if (statement?.type !== 'redirected_statement' || more.length > 0) return undefined;
    const [command, heredoc, ...others] = statement.children;
    if (!command || heredoc?.type !== 'heredoc_redirect' || others.length > 0) return undefined;
    if (this.textOf(command) !== 'cat') return undefined;
    const parts = heredoc.children.filter(({ isNamed }) => isNamed);
    const body = parts.find(({ type }) => type === 'heredoc_body');
    const isOnly = parts.every(({ type }) => /^heredoc_(start|body|end)$/.test(type));
    const start = parts.find(({ type }) => type === 'heredoc_start');
    const isQuoted = start !== undefined && /^(['"]).*\1$/.test(this.textOf(start));
    if (!isOnly || !isQuoted || !this.endsOnItsLine(heredoc)) return undefined;
    for (const part of [node, statement, command, heredoc]) this.seen.add(part);
    return (body ? this.textOf(body) : '').replace(/\n+$/, '');
  }

  private union(one: readonly FolderChain[], other: readonly FolderChain[]): readonly FolderChain[] {
    const all = [...new Map([...one, ...other].map((chain) => [chainKey(chain), chain])).values()];
    if (all.length > mostFolders) this.fail('dynamic', this.line);
    return all.slice(0, mostFolders);
  }
}

/** Returns whether a builtin may evaluate the subscript of a variable, and with it the substitutions in it. */
function runsSubscripts(program: string, words: readonly ShellWord[]): boolean {
  if (program === 'printf') return words.some(({ text }) => text.startsWith('-v'));
  return /^(test|let|wait|\[)$/.test(program) && words.some(({ text }) => text.includes('['));
}

/** Notes the commands whose output a command reads, and the commands that it runs with it. */
function readFrom(command: Draft, before: readonly ShellCommand[]): void {
  command.readsFrom = [...before, ...command.readsFrom];
  for (const inner of command.inner) readFrom(inner, before);
}

/** Identifies a chain of folders. */
export function chainKey(chain: FolderChain): string {
  return JSON.stringify(chain);
}

/** Returns words as a line, quoted in one way. */
export function textOfWords(words: readonly ShellWord[]): string {
  return words.map(({ text, written, form }) => (form === 'literal' ? quotedLine([text]) : written)).join(' ');
}

function writtenOf(words: readonly ShellWord[]): string {
  return words.map(({ written }) => written).join(' ');
}

/** Programs that print nothing if they read nothing. */
const filters = /^(cat|tac|head|tail|sort|uniq|grep|egrep|fgrep|sed|awk|cut|tr|nl|fold|rev|column|fmt|tee|strings|jq)$/;

/** Returns whether a command prints nothing, so that a file it is redirected to becomes empty. */
export function printsNothing(words: readonly ShellWord[], readsNothing = false): boolean {
  const [program = '', ...args] = words.map(({ text }) => text);
  const operands = args.filter((word) => !word.startsWith('-'));
  if (/^(false|test|\[|sleep|wait|cd)$/.test(program)) return true;
  if (/^(:|true|exec|set)$/.test(program)) return args.length === 0;
  if (program === 'echo') return args.every((word) => word === '' || /^-[neE]+$/.test(word));
  if (program === 'printf') return args.every((word) => word === '' || word === '%s');
  if (/^(head|tail)$/.test(program) && /(^| )(-[cn] ?|--(bytes|lines)[= ])0( |$)/.test(args.join(' '))) return true;
  return filters.test(program) && (readsNothing ? operands.length < 2 : operands.at(-1) === '/dev/null');
}

function readsNull(redirect: string): boolean {
  return /^0?<\s*\/dev\/null$/.test(redirect);
}

/** Returns whether one of these commands reads a file by its name, and doesn't only print the name. */
function readsFile(commands: readonly ShellCommand[], { text, form }: ShellWord): boolean {
  return commands.some(
    ({ words: [program, ...args] }) =>
      form === 'literal' &&
      /^(cat|tac|head|tail|sort|uniq|grep|egrep|fgrep|rg|sed|awk|gawk|cut|tr|nl|fold|rev|column|fmt|jq|yq|xmllint|perl|python3?|node|comm|join|paste|diff|iconv|expand|unexpand|base64|xxd|envsubst|prettier|sqlformat|terser)$/.test(
        program?.text ?? '',
      ) &&
      args.some((word) => word.form === 'literal' && word.text === text),
  );
}
