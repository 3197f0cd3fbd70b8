import { guardedPlace } from '../../shared/guardedPlaces';
import type { PermissionOption } from '../../shared/transcript';
import { matchesGlob, matchesWildcards } from './patterns';
import { expressionOf, isExpression, type PermissionRule, type RuleAnswer } from './permissionRule';
import { linesOf, withoutTicks, wordsOf, type RuleRequest } from './ruleRequest';

/** A place that a request names; both absolute, with forward slashes. */
export interface RulePlace {
  readonly path: string;
  /** With every link followed. */
  readonly realPath: string;
}

/** A request with its places looked up. */
export interface PlacedRequest extends RuleRequest {
  readonly places: readonly RulePlace[];
  /** Each word that may be run or handed to what is run, taken as a path. */
  readonly words: readonly (RulePlace & { readonly word: string })[];
  /** The folders of the workspace, links followed. */
  readonly roots: readonly string[];
  /** The same as they are written. */
  readonly writtenRoots: readonly string[];
  readonly home: string;
  readonly isWindows: boolean;
  /** Whether the system takes paths in any case; all of these are in lower case then. */
  readonly ignoresCase: boolean;
}

/** The rule that answers, its place in the list, and the option that it chooses; without one the user is asked. */
export interface Ruling {
  readonly rule: PermissionRule;
  readonly index: number;
  readonly option: PermissionOption | undefined;
}

/** Longer texts are not for rules to judge. */
const longest = 4096;
const mostPlaces = 100;
/** What a person would not see in a text, or would see elsewhere. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** With these a command line can be more than the one program that it begins with, or other than what it says. */
const shellSigns = /[;&|<>()`${}!#*?[\]~]/;
/** What stands before a command without being it. */
const wrapper = /^(?:sudo|env|command|exec|nohup|time|then|do|else|!|[A-Za-z_]\w*=\S*)\s+/;
/** More parts of a line are not looked at one by one; the line as a whole is. */
const mostParts = 200;

/** The first rule that matches; undefined when none does. */
export function findRuling(
  rules: readonly PermissionRule[],
  request: PlacedRequest,
  options: readonly PermissionOption[],
): Ruling | undefined {
  for (const [index, rule] of rules.entries()) {
    const matches = rule.answer === 'allow_once' ? matchesAll(rule, request) : matchesAny(rule, request);
    if (matches) return { rule, index, option: optionFor(rule.answer, options) };
  }
  return undefined;
}

/** The option of that kind. Several that allow are a question of their own. */
function optionFor(answer: RuleAnswer, options: readonly PermissionOption[]): PermissionOption | undefined {
  const found = options.filter(({ kind }) => kind === answer);
  return answer === 'reject_once' || found.length === 1 ? found[0] : undefined;
}

/** Whether a rule that asks or rejects matches: anything of the request is enough. */
function matchesAny(rule: PermissionRule, request: PlacedRequest): boolean {
  const { titles, commands, mentions, places, words } = request;
  const { agent, kinds, title, command, paths, where } = rule;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  if (kinds && !(request.kind && kinds.includes(request.kind))) return false;
  // Titles are what some agents have for a command.
  const isCommand = commands.length > 0 || request.kind === 'execute';
  const texts = commands.length > 0 ? commands : titles.map(withoutTicks);
  const lines = isCommand ? [...texts, ...mentions].flatMap(withParts) : texts;
  if (title !== undefined && !titles.some((text) => matchesLoosely(title, text))) return false;
  if (command !== undefined && !lines.some((text) => matchesLoosely(command, text))) return false;
  const named = [...places, ...words];
  const isListed = (path: string) => paths === undefined || isNamed(paths, path, request);
  if (paths && !named.some(({ path, realPath }) => isListed(path) || isListed(realPath))) return false;
  return !where || named.some(({ realPath }) => isInside(realPath, request) === (where === 'inside'));
}

/** Whether a rule that allows matches everything that the request names, and the request is plainly what it says. */
function matchesAll(rule: PermissionRule, request: PlacedRequest): boolean {
  const { kind, titles, commands, places, words } = request;
  const { agent, kinds, title, command, paths, where } = rule;
  if (!request.isClear || !kind || (kinds && !kinds.includes(kind))) return false;
  // Such a request may be anything, a question to the user or a plan among it.
  if ((kind === 'other' || kind === 'switch_mode') && !kinds) return false;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  if (places.length + words.length > mostPlaces || !titles.every(isPlain)) return false;
  if (title !== undefined && !titles.every((text) => matchesText(title, text))) return false;
  const isCommand = kind === 'execute' || commands.length > 0;
  const lines = linesOf(request);
  if (isCommand && !(lines.length === 1 && lines.every((line) => isSimple(line, request)))) return false;
  if (command !== undefined && !(commands.length === 1 && commands.every((line) => matchesText(command, line))))
    return false;
  // Whoever touches files must say which.
  if (!isCommand && places.length === 0 && /^(read|edit|delete|move)$/.test(kind)) return false;
  const named = wordsOf(command ?? title ?? '');
  const isOwn = ({ realPath }: RulePlace) => isAllowed(realPath, rule, request);
  if ([...places, ...words].some((place) => isGuarded(place, request))) return false;
  if (!places.every(isOwn)) return false;
  if ((paths || where === 'outside') && places.length === 0) return false;
  // What the rule itself names is meant.
  return words.every((place) => isInside(place.realPath, request) || named.includes(place.word) || isOwn(place));
}

/** Places that make programs run, hold these very rules, or those of another tool: nobody is allowed them by a rule. */
function isGuarded({ path, realPath }: RulePlace, { roots, writtenRoots }: PlacedRequest): boolean {
  const isIn = (place: string) => (root: string) => place === root || place.startsWith(`${root.replace(/\/$/, '')}/`);
  const guarded = (place: string, folders: readonly string[]) =>
    guardedPlace(
      place,
      [...folders].sort((a, b) => b.length - a.length).find((root) => root !== '' && isIn(place)(root)),
    ) !== undefined;
  return guarded(path, [...writtenRoots, ...roots]) || guarded(realPath, roots);
}

/** A line, and the commands in it: what is rejected is rejected wherever it stands. */
function withParts(line: string): readonly string[] {
  const parts = line.slice(0, longest * 4).split(/[;&|\n`(){}]+/, mostParts);
  const inner = parts.map((part) => {
    let text = part.trim();
    for (let count = 0; count < 5 && wrapper.test(text); count++) text = text.replace(wrapper, '');
    return text;
  });
  return [line, ...inner.filter((part) => part !== '')];
}

function isAllowed(path: string, { paths, where }: PermissionRule, request: PlacedRequest): boolean {
  if (where && isInside(path, request) !== (where === 'inside')) return false;
  if (paths) return isNamed(paths, path, request);
  return where === 'outside' || isInside(path, request);
}

function isInside(path: string, { roots }: PlacedRequest): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`));
}

function isNamed(globs: readonly string[], path: string, { roots, home, ...system }: PlacedRequest): boolean {
  return globs.some((written) => {
    const forward = system.isWindows ? written.replaceAll('\\', '/') : written;
    const glob = system.ignoresCase ? forward.normalize('NFC').toLowerCase() : forward;
    if (glob.startsWith('~/')) return matchesGlob(home + glob.slice(1), path);
    if (/^(\/|[a-z]:\/)/.test(glob)) return matchesGlob(glob, path);
    return roots.some((root) => matchesGlob(`${root.replace(/\/$/, '')}/${glob}`, path));
  });
}

function isPlain(text: string): boolean {
  return text.length <= longest && !unseen.test(text);
}

/** Whether a command line is one program with its arguments. */
function isSimple(line: string, { isWindows }: PlacedRequest): boolean {
  return isPlain(line) && !shellSigns.test(line) && !(isWindows ? /[%^]/ : /\\/).test(line);
}

/** Whether a text is as the pattern says, as a whole. */
function matchesText(pattern: string, text: string): boolean {
  if (isExpression(pattern)) return expressionOf(pattern)?.testWhole(text) === true;
  // `npm test *` is also `npm test` without more.
  return matchesWildcards(pattern, text) || (pattern.endsWith(' *') && text === pattern.slice(0, -2));
}

/** The same for a text that may try not to match: spaces and what cannot be seen make no difference. */
function matchesLoosely(pattern: string, text: string): boolean {
  const tidy = text
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // What is beyond is never allowed, and so is asked.
  if (isExpression(pattern)) return expressionOf(pattern)?.test(tidy.slice(0, longest)) === true;
  return matchesText(pattern, text) || matchesText(pattern, tidy);
}
