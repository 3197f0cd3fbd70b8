import { guardedPlace } from '../../shared/limits/guardedPlaces';
import type { HostTarget } from '../../shared/limits/hostTarget';
import { withParts } from '../line/lineParts';
import { matchesHost } from './hostPattern';
import { matchesGlob, matchesWildcards } from './patterns';
import { expressionOf, isExpression, type PermissionRule } from './permissionRule';
import { isInside, type PlacedRequest, type RulePlace } from '../request/placedRequest';
import { projectCommand } from '../line/launchers';
import { seenCommand, usualName, type SeenCommand } from '../line/programs';
import { withInner } from '../request/risk';
import { withoutTicks } from '../request/ruleRequest';
import { longestLine, looseCommand, looseWords } from '../line/shellLine';

/** Characters that are invisible or reorder the text. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Returns whether an asking or rejecting rule matches. Any part of the request is enough. */
export function matchesAny(rule: PermissionRule, request: PlacedRequest): boolean {
  return [request, ...editsOf(request)].some((part) => matchesPart(rule, part));
}

/** Returns the files that the shell writes for a command line, as requests to edit them. */
export function editsOf(request: PlacedRequest): readonly PlacedRequest[] {
  const targets = request.lines.flatMap(({ redirects }) => redirects.filter(({ isWrite }) => isWrite));
  return targets.map(({ target }) => {
    const places = request.words.filter(({ word }) => word === target.text);
    return { ...request, kind: 'edit', commands: [], mentions: [], lines: [], words: [], places };
  });
}

function matchesPart(rule: PermissionRule, request: PlacedRequest): boolean {
  const { titles, commands, mentions, places, words } = request;
  const { agent, kinds, title, command, paths, where } = rule;
  if (agent !== undefined && !matchesWildcards(agent, request.agent)) return false;
  if (request.host) return matchesConnection(rule, request.host);
  if (rule.host !== undefined) return false;
  if (kinds && !(request.kind && kinds.includes(request.kind))) return false;
  // Some agents put the command into the title.
  const isCommand = commands.length > 0 || request.kind === 'execute';
  const texts = commands.length > 0 ? commands : titles.map(withoutTicks);
  const parsed = request.lines.flatMap((line) => line.commands.flatMap(withInner));
  const own = isCommand
    ? [
        ...[...texts, ...mentions].flatMap(withParts),
        ...parsed.flatMap((part) => [part.text, part.written]),
        ...seenIn(request).flatMap((seen) => seen.texts),
      ]
    : texts;
  const lines = isCommand && request.ignoresCase ? [...own, ...own.map(usualProgram)] : own;
  if (title !== undefined && !titles.some((text) => matchesLoosely(title, text))) return false;
  if (command !== undefined && !lines.some((text) => matchesLoosely(command, text))) return false;
  const named = [...places, ...words];
  const isListed = (path: string) => paths === undefined || isNamed(paths, path, request);
  if (!matchesTool(rule, request)) return false;
  if (paths && !named.some(({ path, realPath }) => isListed(path) || isListed(realPath))) return false;
  return !where || named.some(({ realPath }) => isInside(realPath, request) === (where === 'inside'));
}

/** Returns whether an asking or rejecting rule is for a connection. It has nothing but its host, and loads something from the network. */
function matchesConnection(
  { host, kinds, title, command, paths, where, mcpServer, mcpTool }: PermissionRule,
  target: HostTarget,
): boolean {
  if (host !== undefined) return matchesHost(host, target, false);
  if ([title, command, paths, where, mcpServer, mcpTool].some((field) => field !== undefined)) return false;
  return kinds === undefined || kinds.includes('fetch');
}

/** Returns every command in a request as its program reads it, also those in lines that can't be parsed. */
function seenIn(request: PlacedRequest): readonly SeenCommand[] {
  const { commands, titles, mentions, lines } = request;
  if (commands.length === 0 && request.kind !== 'execute') return [];
  const texts = commands.length > 0 ? commands : titles.map(withoutTicks);
  const parsed = lines.flatMap((line) => line.commands.flatMap(withInner));
  const loose = [...texts, ...mentions]
    .flatMap((text) => withParts(text).slice(1))
    .flatMap((part) => withInner(looseCommand(looseWords(part), part)));
  return [...parsed, ...loose].flatMap(({ words }) => {
    const own = words.map(({ text }) => text);
    const given = own[0] ?? '';
    if (!request.ignoresCase && given !== given.toLowerCase() && given.replace(/^.*\//s, '') !== usualName(given))
      return [];
    const project = projectCommand(own);
    return [seenCommand(own), ...(project ? [seenCommand(project)] : [])];
  });
}

/**
 * Returns whether a command may be what an asking or rejecting rule is for, although it doesn't look so: because of an
 * alias, or an option before the verb that isn't known.
 */
export function mayMatch(rule: PermissionRule, request: PlacedRequest): boolean {
  const { command: pattern, ...others } = rule;
  if (pattern === undefined || isExpression(pattern)) return false;
  const program = usualName(pattern.trim().split(/\s+/)[0] ?? '');
  const isMeant = seenIn(request).some((seen) => seen.isUnsure && seen.program === program);
  return isMeant && matchesPart(others, request);
}

/** Returns a command with its program's usual name, because `GIT.EXE push` runs git where files ignore case. */
function usualProgram(line: string): string {
  return line.replace(/^\s*("[^"]*"|'[^']*'|\S+)/, (program) =>
    program
      .replace(/["']/g, '')
      .replace(/^.*[\\/]/s, '')
      .replace(/\.(exe|com|cmd|bat)\s*$/i, '')
      .trim()
      .toLowerCase(),
  );
}

/** Returns whether the request is a call of a tool that the rule lists, or the rule lists none. */
export function matchesTool({ mcpServer, mcpTool }: PermissionRule, { mcp }: PlacedRequest): boolean {
  if (mcpServer === undefined && mcpTool === undefined) return true;
  if (!mcp) return false;
  return matchesWildcards(mcpServer ?? '*', mcp.server) && matchesWildcards(mcpTool ?? '*', mcp.tool);
}

/**
 * Returns whether a place makes programs run or contains these rules or those of another tool. No rule may allow these.
 */
export function isGuarded({ path, realPath }: RulePlace, { roots, writtenRoots }: PlacedRequest): boolean {
  const isIn = (place: string) => (root: string) => place === root || place.startsWith(`${root.replace(/\/$/, '')}/`);
  const guarded = (place: string, folders: readonly string[]) =>
    guardedPlace(
      place,
      [...folders].sort((a, b) => b.length - a.length).find((root) => root !== '' && isIn(place)(root)),
    ) !== undefined;
  return guarded(path, [...writtenRoots, ...roots]) || guarded(realPath, roots);
}

export function isAllowed(path: string, { paths, where }: PermissionRule, request: PlacedRequest): boolean {
  // A place that isn't known may be anywhere.
  if (path === '') return false;
  if (where && isInside(path, request) !== (where === 'inside')) return false;
  if (paths) return isNamed(paths, path, request);
  return where === 'outside' || isInside(path, request);
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

/** Returns whether a text has nothing invisible. Command lines can have several lines. */
export function isPlain(text: string, isCommand = false): boolean {
  return text.length <= longestLine && !unseen.test(isCommand ? text.replace(/[\n\t]/g, ' ') : text);
}

/** Returns whether a whole text matches the pattern. */
export function matchesText(pattern: string, text: string): boolean {
  if (isExpression(pattern)) return expressionOf(pattern)?.testWhole(text) === true;
  // `npm test *` also matches plain `npm test`.
  return matchesWildcards(pattern, text) || (pattern.endsWith(' *') && matchesWildcards(pattern.slice(0, -2), text));
}

/** Matches a text that may try to evade the pattern: ignores spaces and invisible characters. */
function matchesLoosely(pattern: string, text: string): boolean {
  const tidy = text
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  // Text beyond the limit is never allowed, so the user is asked.
  if (isExpression(pattern)) return expressionOf(pattern)?.test(tidy.slice(0, longestLine)) === true;
  return matchesText(pattern, text) || matchesText(pattern, tidy);
}
