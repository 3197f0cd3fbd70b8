import { guardedPlace } from '../../shared/guardedPlaces';
import { matchesGlob, matchesWildcards } from './patterns';
import { expressionOf, isExpression, type PermissionRule } from './permissionRule';
import type { PlacedRequest, RulePlace } from './placedRequest';
import { linesOf, withoutTicks, wordsOf } from './ruleRequest';

/** Maximum length of texts that rules judge. */
const longest = 4096;
const mostPlaces = 100;
/** Characters that are invisible or reorder the text. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** Characters that can make a command line more than its first program, or different from what it appears to be. */
const shellSigns = /[;&|<>()`${}!#*?[\]~]/;
/** Prefixes of a command that aren't the command itself. */
const wrapper = /^(?:sudo|env|command|exec|nohup|time|then|do|else|!|[A-Za-z_]\w*=\S*)\s+/;
/** Maximum number of parts of a line to check separately. With more, only the whole line is checked. */
const mostParts = 200;

/** Returns whether an asking or rejecting rule matches. Any part of the request is enough. */
export function matchesAny(rule: PermissionRule, request: PlacedRequest): boolean {
  const { titles, commands, mentions, places, words } = request;
  const { agent, kinds, title, command, paths, where } = rule;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  if (kinds && !(request.kind && kinds.includes(request.kind))) return false;
  // Some agents put the command into the title.
  const isCommand = commands.length > 0 || request.kind === 'execute';
  const texts = commands.length > 0 ? commands : titles.map(withoutTicks);
  const lines = isCommand ? [...texts, ...mentions].flatMap(withParts) : texts;
  if (title !== undefined && !titles.some((text) => matchesLoosely(title, text))) return false;
  if (command !== undefined && !lines.some((text) => matchesLoosely(command, text))) return false;
  const named = [...places, ...words];
  const isListed = (path: string) => paths === undefined || isNamed(paths, path, request);
  if (!matchesTool(rule, request)) return false;
  if (paths && !named.some(({ path, realPath }) => isListed(path) || isListed(realPath))) return false;
  return !where || named.some(({ realPath }) => isInside(realPath, request) === (where === 'inside'));
}

/** Returns whether an allowing rule matches everything in the request, and the request is unambiguous. */
export function matchesAll(rule: PermissionRule, request: PlacedRequest): boolean {
  const { kind, titles, commands, places, words } = request;
  const { agent, kinds, title, command, paths, where } = rule;
  if (!request.isClear || !kind || (kinds && !kinds.includes(kind))) return false;
  // Such a request may be anything, including a question to the user or a plan.
  if ((kind === 'other' || kind === 'switch_mode') && !kinds) return false;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  if (!matchesTool(rule, request)) return false;
  if (places.length + words.length > mostPlaces || !titles.every(isPlain)) return false;
  if (title !== undefined && !titles.every((text) => matchesText(title, text))) return false;
  const isCommand = kind === 'execute' || commands.length > 0;
  const lines = linesOf(request);
  if (isCommand && !(lines.length === 1 && lines.every((line) => isSimple(line, request)))) return false;
  if (command !== undefined && !(commands.length === 1 && commands.every((line) => matchesText(command, line))))
    return false;
  // A request that touches files must list them.
  if (!isCommand && places.length === 0 && /^(read|edit|delete|move)$/.test(kind)) return false;
  const named = wordsOf(command ?? title ?? '');
  const isOwn = ({ realPath }: RulePlace) => isAllowed(realPath, rule, request);
  if ([...places, ...words].some((place) => isGuarded(place, request))) return false;
  if (!places.every(isOwn)) return false;
  if ((paths || where === 'outside') && places.length === 0) return false;
  // Paths written in the rule itself are intended.
  return words.every((place) => isInside(place.realPath, request) || named.includes(place.word) || isOwn(place));
}

/** Returns whether the request is a call of a tool that the rule lists, or the rule lists none. */
function matchesTool({ mcpServer, mcpTool }: PermissionRule, { mcp }: PlacedRequest): boolean {
  if (mcpServer === undefined && mcpTool === undefined) return true;
  if (!mcp) return false;
  return matchesWildcards(mcpServer ?? '*', mcp.server) && matchesWildcards(mcpTool ?? '*', mcp.tool);
}

/**
 * Returns whether a place makes programs run or contains these rules or those of another tool. No rule may allow these.
 */
function isGuarded({ path, realPath }: RulePlace, { roots, writtenRoots }: PlacedRequest): boolean {
  const isIn = (place: string) => (root: string) => place === root || place.startsWith(`${root.replace(/\/$/, '')}/`);
  const guarded = (place: string, folders: readonly string[]) =>
    guardedPlace(
      place,
      [...folders].sort((a, b) => b.length - a.length).find((root) => root !== '' && isIn(place)(root)),
    ) !== undefined;
  return guarded(path, [...writtenRoots, ...roots]) || guarded(realPath, roots);
}

/** Returns a line and the commands in it, because a rejected command is rejected anywhere in the line. */
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

/** Returns whether a command line is one program with its arguments. */
function isSimple(line: string, { isWindows }: PlacedRequest): boolean {
  return isPlain(line) && !shellSigns.test(line) && !(isWindows ? /[%^]/ : /\\/).test(line);
}

/** Returns whether a whole text matches the pattern. */
function matchesText(pattern: string, text: string): boolean {
  if (isExpression(pattern)) return expressionOf(pattern)?.testWhole(text) === true;
  // `npm test *` also matches plain `npm test`.
  return matchesWildcards(pattern, text) || (pattern.endsWith(' *') && text === pattern.slice(0, -2));
}

/** Matches a text that may try to evade the pattern: ignores spaces and invisible characters. */
function matchesLoosely(pattern: string, text: string): boolean {
  const tidy = text
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // Text beyond the limit is never allowed, so the user is asked.
  if (isExpression(pattern)) return expressionOf(pattern)?.test(tidy.slice(0, longest)) === true;
  return matchesText(pattern, text) || matchesText(pattern, tidy);
}
