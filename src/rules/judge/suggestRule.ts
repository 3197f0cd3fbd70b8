import { allowingRules } from './allowingRules';
import { matchesAny } from './matchRules';
import { lastingObstacle } from './obstacles';
import { offeredHosts } from './hostPattern';
import { parsePermissionRules, type PermissionRule, type SourcedRule, type WrittenRule } from './permissionRule';
import { offeredPattern } from './offeredVerbs';
import { isInside, type PlacedRequest, type RulePlace } from '../request/placedRequest';
import { risksOfCommand, withInner } from '../request/risk';
import { linesOf } from '../request/ruleRequest';
import type { ShellCommand } from '../line/shellLine';

const mostFolders = 4;

/**
 * Returns the rules to offer for requests like this one, as written in settings, the best first. Together with `rules`,
 * each of them answers this request. Undefined if no single rule does; `explainRuling` then says why.
 */
export function suggestRules(
  request: PlacedRequest,
  answer: 'allow_once' | 'reject_once',
  rules: readonly SourcedRule[] = [],
): readonly [WrittenRule, ...WrittenRule[]] | undefined {
  if (answer === 'allow_once' && lastingObstacle(request)) return undefined;
  const allowing = rules.filter(({ rule }) => rule.answer === 'allow_once');
  const offered = new Map<string, WrittenRule>();
  for (const candidate of candidates(request)) {
    const written: WrittenRule = { ...candidate, answer };
    const [rule] = parsePermissionRules([written]).rules;
    if (rule && answersBy(rule, allowing, request)) offered.set(JSON.stringify(written), written);
  }
  const [best, ...others] = offered.values();
  return best ? [best, ...others] : undefined;
}

/** Returns whether a rule answers a request, together with the rules that allow. */
export function answersBy(rule: PermissionRule, allowing: readonly SourcedRule[], request: PlacedRequest): boolean {
  if (rule.answer !== 'allow_once') return matchesAny(rule, request);
  const verdict = allowingRules([...allowing, { rule, scope: 'session', index: 0 }], request);
  return 'rules' in verdict && verdict.rules.some((source) => source.rule === rule);
}

type Candidate = Omit<WrittenRule, 'answer'>;

function candidates(request: PlacedRequest): readonly Candidate[] {
  const { kind, mcp, commands, titles } = request;
  if (request.host) return offeredHosts(request.host).map((host): Candidate => ({ host }));
  // A rule for a tool that runs commands would allow any command.
  if (kind === 'execute' && commands.length > 0) return ofCommands(request);
  if (mcp && isLiteral(mcp.server) && isLiteral(mcp.tool))
    return [{ mcpServer: mcp.server, mcpTool: mcp.tool }, { mcpServer: mcp.server }];
  if (kind === 'execute' || commands.length > 0) return ofCommands(request);
  if (!kind) return [];
  if (request.places.length > 0) return ofPlaces(request);
  const [title] = titles;
  if (kind === 'fetch') return titles.flatMap((text) => ofAddress(text));
  if (kind === 'search' || kind === 'think') return [{ kind }];
  return title !== undefined && isLiteral(title) ? [{ kind, title }] : [];
}

/** Returns whether a pattern made of this text matches only the text. */
function isLiteral(text: string): boolean {
  return text !== '' && !/[*?]/.test(text) && !text.startsWith('/');
}

function ofCommands(request: PlacedRequest): readonly Candidate[] {
  const [line, ...others] = request.lines;
  const key = request.commands.length > 0 ? 'command' : 'title';
  const exact = linesOf(request)
    .map((text) => text.trim())
    .filter(isLiteral)
    .map((text): Candidate => ({ [key]: text }));
  if (!line || others.length > 0) return exact;
  const patterns = line.commands.flatMap(withInner).flatMap(patternsOf);
  // A rule that fits more than this line is better, if it fits no more than its kind of command.
  return [...patterns.map((pattern): Candidate => ({ [key]: pattern })), ...exact];
}

function patternsOf(command: ShellCommand): readonly string[] {
  const isRisky = withInner(command).some((one) => risksOfCommand(one).length > 0);
  const pattern = isRisky ? undefined : offeredPattern(command);
  return pattern === undefined ? [] : [pattern];
}

function ofPlaces(request: PlacedRequest): readonly Candidate[] {
  const { kind, places } = request;
  if (!kind) return [];
  const paths = places.map((place) => writtenPath(place, request));
  if (!paths.every((path) => path !== undefined && !/[*?]/.test(path))) return [];
  const unique = [...new Set(paths as readonly string[])];
  const areInside = places.every(({ realPath }) => isInside(realPath, request));
  const folders = [...new Set(unique.map((path) => path.replace(/(^|\/)[^/]*$/, '')))];
  const globs = folders.map((folder) => `${folder}/${areInside ? '**' : '*'}`);
  const areFolders = folders.length <= mostFolders && folders.every((folder) => folder !== '' && folder !== '~');
  return [
    ...(unique.length <= mostFolders ? [{ kind, path: oneOrAll(unique) }] : []),
    ...(areFolders ? [{ kind, path: oneOrAll(globs) }] : []),
    ...(areInside && kind !== 'delete' ? [{ kind, where: 'inside' as const }] : []),
  ];
}

function oneOrAll(list: readonly string[]): string | readonly string[] {
  return list.length === 1 ? (list[0] ?? '') : list;
}

/** Returns a path as a rule contains it: relative to a folder of the workspace, or to the user's home, or absolute. */
function writtenPath({ realPath }: RulePlace, { roots, home }: PlacedRequest): string | undefined {
  if (realPath === '') return undefined;
  const root = roots.find((folder) => realPath.startsWith(`${folder}/`));
  if (root !== undefined) return realPath.slice(root.length + 1);
  return realPath.startsWith(`${home}/`) ? `~${realPath.slice(home.length)}` : realPath;
}

/** Returns a rule for everything on the host of an address in a title. */
function ofAddress(title: string): readonly Candidate[] {
  if (!isLiteral(title.replaceAll('?', ''))) return [];
  const start = /^[^?]*?https?:\/\/[\w.-]+(?::\d+)?\//i.exec(`${title}/`)?.[0];
  const exact = isLiteral(title) ? [{ kind: 'fetch' as const, title }] : [];
  return start === undefined || !title.startsWith(start) ? exact : [{ kind: 'fetch', title: `${start}*` }, ...exact];
}
