import { editsOf, isAllowed, matchesText, matchesTool } from './matchRules';
import { matchesHost } from './hostPattern';
import { isHarmless, isUnplaced, lastingObstacle, placesOfWord, type Obstacle } from './obstacles';
import { matchesWildcards } from './patterns';
import { isExpression, type PermissionRule, type SourcedRule } from './permissionRule';
import { isInside, type PlacedRequest } from '../request/placedRequest';
import { risksOfCommand, withInner } from '../request/risk';
import { judgedWords, linesOf, wordsOf } from '../request/ruleRequest';
import type { ShellAssignment, ShellCommand, ShellLine, ShellRedirect } from '../line/shellLine';
import { programOf } from '../line/wrappers';

/** The rules that allow a request together, or why they don't. */
export type Verdict = { readonly rules: readonly [SourcedRule, ...SourcedRule[]] } | { readonly obstacle: Obstacle };

/** Files that a command line may write without a rule. */
const sinks = /^\/dev\/(null|stdout|stderr)$/;
/** Commands that change nothing but the shell that runs them. */
const ofShell = /^(true|false|:|exit|break|continue|return|wait|pwd|cd|set)$/;
const setOptions = /^([-+][euxvfo]+|errexit|nounset|pipefail|xtrace|verbose|noglob)$/;

/**
 * Returns the rules that allow a request. `rules` are those that allow. Each command of a line must be allowed, by one
 * rule or by several.
 */
export function allowingRules(rules: readonly SourcedRule[], request: PlacedRequest): Verdict {
  const lasting = lastingObstacle(request);
  if (lasting) return { obstacle: lasting };
  const [line] = request.lines;
  if (line && (request.kind === 'execute' || request.commands.length > 0))
    return new LineVerdict(rules, request, line).verdict();
  return allowedByOne(rules, request);
}

/** Other requests than commands need one rule for everything in them. */
function allowedByOne(rules: readonly SourcedRule[], request: PlacedRequest): Verdict {
  const fitting = rules.filter(({ rule }) => rule.command === undefined && fits(rule, request));
  const { places } = request;
  if (isUnplaced(request)) return { obstacle: { kind: 'unplaced' } };
  const found = fitting.find(
    ({ rule }) =>
      titleMatches(rule, request) &&
      !((rule.paths || rule.where === 'outside') && places.length === 0) &&
      places.every(({ realPath }) => isAllowed(realPath, rule, request)),
  );
  if (found) return { rules: [found] };
  const outside = places.find(({ realPath }) => !isInside(realPath, request));
  if (outside) return { obstacle: { kind: 'outside', path: outside.path } };
  return { obstacle: { kind: isOpen(request) && fitting.length === 0 ? 'openKind' : 'none' } };
}

/** Such a request may be anything, including a question to the user or a plan. */
function isOpen({ kind }: PlacedRequest): boolean {
  return kind === 'other' || kind === 'switch_mode';
}

/** Returns whether a rule is for requests like this one, apart from its texts and places. */
function fits(rule: PermissionRule, request: PlacedRequest): boolean {
  const { agent, kinds, mcpServer, mcpTool, host } = rule;
  // Only a rule for hosts allows a connection, and it allows nothing else.
  if ((host === undefined) !== (request.host === undefined)) return false;
  if (host !== undefined && request.host && !matchesHost(host, request.host, true)) return false;
  if (kinds && !(request.kind && kinds.includes(request.kind))) return false;
  if (isOpen(request) && !kinds && mcpServer === undefined && mcpTool === undefined) return false;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  return matchesTool(rule, request);
}

function titleMatches({ title }: PermissionRule, { titles }: PlacedRequest): boolean {
  return title === undefined || titles.every((text) => matchesText(title, text));
}

/** A rule with the pattern that commands are matched with; undefined if it allows any command. */
interface Candidate {
  readonly source: SourcedRule;
  readonly pattern: string | undefined;
}

class LineVerdict {
  private readonly request: PlacedRequest;
  private readonly line: ShellLine;
  private readonly all: readonly SourcedRule[];
  private readonly candidates: readonly Candidate[];
  private readonly used = new Set<SourcedRule>();

  constructor(rules: readonly SourcedRule[], request: PlacedRequest, line: ShellLine) {
    this.all = rules;
    this.request = request;
    this.line = line;
    this.candidates = rules.flatMap((source) => {
      const pattern = this.patternFor(source.rule);
      return pattern === false ? [] : [{ source, pattern }];
    });
  }

  verdict(): Verdict {
    const { line, request } = this;
    const whole = this.candidates.find(({ pattern }) => isExactly(pattern, line.line));
    const obstacle = whole ? this.wholeObstacle(whole) : this.partsObstacle();
    if (obstacle) return { obstacle };
    if (whole) this.used.add(whole.source);
    const [first, ...others] = this.used;
    if (first) return { rules: [first, ...others] };
    return { obstacle: { kind: 'command', command: linesOf(request)[0] ?? '' } };
  }

  /** Returns the pattern for commands; false if the rule isn't for this request. */
  private patternFor(rule: PermissionRule): string | undefined | false {
    const { request, line } = this;
    const { titles, commands, places } = request;
    const { command, title, paths, where } = rule;
    if (!fits(rule, request)) return false;
    if (!places.every(({ realPath }) => isAllowed(realPath, rule, request))) return false;
    if ((paths || where === 'outside') && places.length === 0) return false;
    if (command !== undefined && commands.length === 0) return false;
    if (title === undefined) return command;
    // A title that is the command is judged like a command. Another title says nothing about single commands.
    if (commands.length === 0) return titles.length === 1 ? title : false;
    const isSingle = line.commands.length === 1 && line.commands.every(({ inner }) => inner.length === 0);
    return isSingle && titleMatches(rule, request) ? command : false;
  }

  /** The user wrote this line into a rule, so it needs nothing else, except for what no rule allows. */
  private wholeObstacle(whole: Candidate): Obstacle | undefined {
    for (const command of this.line.commands.flatMap(withInner)) {
      const obstacle = this.wordsObstacle(command, whole);
      if (obstacle) return obstacle;
    }
    for (const redirect of this.line.redirects) {
      const obstacle = sinks.test(redirect.target.text) ? undefined : this.outsideObstacle(redirect, whole);
      if (obstacle) return obstacle;
    }
    return undefined;
  }

  private partsObstacle(): Obstacle | undefined {
    for (const assignment of this.line.assignments) {
      if (!isHarmless(assignment)) return { kind: 'environment', name: assignment.name };
    }
    for (const command of this.line.commands) {
      const obstacle = this.commandObstacle(command);
      if (obstacle) return obstacle;
    }
    for (const redirect of this.line.redirects) {
      const obstacle = this.redirectObstacle(redirect);
      if (obstacle) return obstacle;
    }
    return undefined;
  }

  private commandObstacle(command: ShellCommand): Obstacle | undefined {
    if (this.isOfShell(command)) return this.wordsObstacle(command, undefined);
    if (command.inner.length === 0) return this.obstacleBy(command, true);
    // A rule that has both the outer and the inner command.
    const together = this.obstacleBy(command, true);
    if (!together) return undefined;
    if (command.needs === 'named' || command.needs === 'outer') return together;
    if (command.needs === 'both') {
      const outer = this.obstacleBy(command, false);
      if (outer) return outer;
    }
    const unknown = command.assignments.find((assignment) => !isHarmless(assignment));
    if (unknown) return { kind: 'environment', name: unknown.name };
    for (const inner of command.inner) {
      const obstacle = this.commandObstacle(inner);
      if (obstacle) return obstacle;
    }
    return undefined;
  }

  private isOfShell({ words, assignments }: ShellCommand): boolean {
    const [program, ...args] = words;
    if (!program || program.form !== 'literal' || !ofShell.test(program.text) || assignments.length > 0) return false;
    return program.text !== 'set' || args.every(({ text }) => setOptions.test(text));
  }

  /** Returns why no rule allows a command. With `isWhole`, the rule must be for the commands inside it, too. */
  private obstacleBy(command: ShellCommand, isWhole: boolean): Obstacle | undefined {
    let nearest: Obstacle | undefined;
    for (const candidate of this.candidates) {
      const { pattern, source } = candidate;
      if (pattern !== undefined && !textsOf(command).some((text) => matchesText(pattern, text))) continue;
      if (isWhole && pattern !== undefined && !coversInner(pattern, command)) continue;
      const obstacle = this.obstacleWith(command, candidate, isWhole);
      if (!obstacle) {
        this.used.add(source);
        return undefined;
      }
      nearest ??= obstacle;
    }
    return nearest ?? { kind: 'command', command: command.written };
  }

  private obstacleWith(command: ShellCommand, candidate: Candidate, isWhole: boolean): Obstacle | undefined {
    const { pattern } = candidate;
    const parts = isWhole ? withInner(command) : [command];
    for (const part of parts) {
      const unknown = part.assignments.find((assignment) => !isHarmless(assignment) && !writes(pattern, assignment));
      if (unknown) return { kind: 'environment', name: unknown.name };
      const risk = risksOfCommand(part).find(({ marks }) => !namesAll(pattern, marks));
      if (risk) return { kind: 'destructive', risk: risk.kind, command: part.written };
      const obstacle = this.wordsObstacle(part, candidate);
      if (obstacle) return obstacle;
    }
    return undefined;
  }

  /** Returns a word that reaches something that isn't in the workspace, and that the rule doesn't list. */
  private wordsObstacle(command: ShellCommand, candidate: Candidate | undefined): Obstacle | undefined {
    // Paths written in the rule itself are intended.
    const named = wordsOf(candidate?.pattern ?? '');
    for (const word of judgedWords(command)) {
      if (word.form === 'stream') continue;
      for (const [piece, places] of placesOfWord(word, command.folders, this.request)) {
        if (places.length === 0) return { kind: 'unclear' };
        const isFine = named.includes(piece) || places.every(({ realPath }) => this.isOwn(realPath, candidate));
        if (!isFine) return { kind: 'outside', path: piece };
      }
    }
    return undefined;
  }

  private isOwn(realPath: string, candidate: Candidate | undefined): boolean {
    if (isInside(realPath, this.request)) return true;
    return candidate !== undefined && isAllowed(realPath, candidate.source.rule, this.request);
  }

  private redirectObstacle(redirect: ShellRedirect): Obstacle | undefined {
    const { target, isWrite } = redirect;
    if (sinks.test(target.text)) return undefined;
    if (!isWrite) return this.outsideObstacle(redirect, undefined);
    const edit = editsOf({ ...this.request, lines: [{ ...this.line, redirects: [redirect] }] })[0];
    const verdict = edit && allowedByOne(this.all, edit);
    if (!verdict || 'obstacle' in verdict) return { kind: 'writes', path: target.text };
    for (const rule of verdict.rules) this.used.add(rule);
    return undefined;
  }

  private outsideObstacle({ target, folders }: ShellRedirect, whole: Candidate | undefined): Obstacle | undefined {
    const named = wordsOf(whole?.pattern ?? '');
    for (const folder of folders) {
      const key = JSON.stringify(folder);
      const places = this.request.words.filter((place) => place.word === target.text && place.folder === key);
      const isFine = places.length > 0 && places.every(({ realPath }) => this.isOwn(realPath, whole));
      if (!isFine && !named.includes(target.text)) return { kind: 'outside', path: target.text };
    }
    return undefined;
  }
}

/** Returns whether a pattern without wildcards is exactly this line. */
function isExactly(pattern: string | undefined, line: string): boolean {
  return pattern !== undefined && !isExpression(pattern) && !/[*?]/.test(pattern) && pattern.trim() === line.trim();
}

/** Returns the texts of a command that a pattern can match. */
function textsOf({ text, written, assignments }: ShellCommand): readonly string[] {
  // A backslash can make a part of a word look like a word of its own.
  const texts = written.includes('\\') ? [text] : [text, written];
  if (assignments.length === 0) return texts;
  const variables = assignments.map((assignment) => assignment.written).join(' ');
  return [...texts, ...texts.map((one) => `${variables} ${one}`)];
}

/** Returns whether a pattern has the name of every program that a command runs. */
function coversInner(pattern: string, command: ShellCommand): boolean {
  // A rule for a launcher is for what it launches.
  if (command.needs === 'outer') return true;
  return command.inner.every((inner) => {
    const isLine = !command.words.some((word) => word === inner.words[0]);
    // The words of a nested line are in one word of the pattern.
    if (isLine) return isExactly(pattern, command.text) || isExactly(pattern, command.written);
    return namesAll(pattern, [programOf(inner.words) ?? '']) && coversInner(pattern, inner);
  });
}

/** Returns whether a pattern contains a variable's assignment. */
function writes(pattern: string | undefined, { name }: ShellAssignment): boolean {
  return pattern !== undefined && pattern.split(/\s+/).some((word) => word.startsWith(`${name}=`));
}

/** Returns whether a pattern has all of these words, and not only a wildcard for them. */
function namesAll(pattern: string | undefined, marks: readonly string[]): boolean {
  if (pattern === undefined) return false;
  const words = literalWords(pattern);
  return marks.every((mark) => words.some((word) => word === mark || word.endsWith(`/${mark}`)));
}

/** Returns the words of a pattern that have no wildcards. */
function literalWords(pattern: string): readonly string[] {
  if (!isExpression(pattern)) return pattern.split(/\s+/).filter((word) => !/[*?]/.test(word));
  return pattern.split(/[^\w.:/=@-]+|\/i?$/).map((word) => word.replace(/^\//, ''));
}
