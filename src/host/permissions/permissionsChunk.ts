import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuling, type PlacedRequest, type RulePlace, type Ruling } from '../../session/rules/matchRules';
import { parsePermissionRules, ruleName, type PermissionRule } from '../../session/rules/permissionRule';
import { ruleRequest, wordsOf, type RuleRequest } from '../../session/rules/ruleRequest';
import type { PermissionOption, ToolCallEntry } from '../../shared/transcript';
import { fileKey, isInside, resolveTarget } from '../files/filePaths';

export { parsePermissionRules, ruleName, type PermissionRule };

/** A permission request of an agent's, with what the user sees of it. */
export interface PermissionCase {
  readonly agentName: string;
  /** Absolute path the session works in. */
  readonly cwd: string;
  readonly entry: ToolCallEntry;
  /** As the agent sent it. */
  readonly toolCall: unknown;
  readonly options: readonly PermissionOption[];
}

/** More is asked, and not looked up. */
const mostLooked = 200;

/** What the rules say to a request; `folders`: those of the workspace. */
export async function judge(
  rules: readonly PermissionRule[],
  { agentName, cwd, entry, toolCall, options }: PermissionCase,
  folders: readonly string[],
): Promise<Ruling | undefined> {
  return findRuling(rules, await place(ruleRequest(agentName, cwd, entry, toolCall), folders), options);
}

async function place(request: RuleRequest, folders: readonly string[]): Promise<PlacedRequest> {
  const { cwd, paths, commands } = request;
  const words = commands.flatMap(wordsOf).slice(0, mostLooked);
  const found = await Promise.all(words.map(async (word) => ({ word, ...(await placeOf(cwd, word)) })));
  const places = await Promise.all(paths.slice(0, mostLooked).map((path) => placeOf(cwd, path)));
  const home = await placeOf('/', homedir());
  const roots = await Promise.all([cwd, ...folders].map(async (folder) => (await placeOf('/', folder)).realPath));
  return {
    ...{ ...request, places, words: found, home: home.realPath },
    // Without a folder sessions work in the user's home, where keys and settings live: that is no workspace.
    roots: roots.filter((root) => !isInside(root, home.realPath)),
    isWindows: process.platform === 'win32',
    ignoresCase: fileKey('A') === 'a',
  };
}

async function placeOf(cwd: string, written: string): Promise<RulePlace> {
  const path = resolve(cwd, withoutScheme(written).replace(/^~(?=\/|$)/, homedir()));
  // Where a link leads that cannot be followed is not known: to nowhere that a rule could name.
  const realPath = await resolveTarget(path).then(
    ({ key }) => key,
    () => '',
  );
  return { path: forward(fileKey(path)), realPath: forward(realPath) };
}

function withoutScheme(path: string): string {
  try {
    return path.startsWith('file:') ? fileURLToPath(path) : path;
  } catch {
    // An address that is none.
    return path;
  }
}

function forward(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
