import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuling, type PlacedRequest, type RulePlace, type Ruling } from '../../session/rules/matchRules';
import { parsePermissionRules, ruleName, type PermissionRule } from '../../session/rules/permissionRule';
import type { PermissionCase } from '../../session/services';
import { requestWords, ruleRequest, type RuleRequest } from '../../session/rules/ruleRequest';
import { fileKey, isInside, resolveTarget } from '../base/filePaths';

export { parsePermissionRules, ruleName, type PermissionRule };

/** More is asked, and not looked up. */
const mostLooked = 200;
const mostFolders = 5;

/** What the rules say to a request; `folders`: those of the workspace. */
export async function judge(
  rules: readonly PermissionRule[],
  { agentName, cwd, entry, subject, options }: PermissionCase,
  folders: readonly string[],
): Promise<Ruling | undefined> {
  return findRuling(rules, await place(ruleRequest(agentName, cwd, entry, subject), folders), options);
}

async function place(request: RuleRequest, folders: readonly string[]): Promise<PlacedRequest> {
  const { cwd, paths } = request;
  // Words count from where the command runs; nobody knows which of the folders the paths of a tool count from.
  const runsIn = request.folders.length > 0 ? request.folders.map((folder) => resolve(cwd, folder)) : [cwd];
  const places = await placesOf([...new Set([cwd, ...runsIn])], paths);
  const words = await placesOf(runsIn, requestWords(request));
  const home = await placeOf('/', homedir());
  const placedRoots = await Promise.all([cwd, ...folders].map((folder) => placeOf(cwd, folder)));
  // Without a folder sessions work in the user's home, where keys and settings live: that is no workspace.
  const roots = placedRoots.filter(({ realPath }) => !isInside(realPath, home.realPath));
  return {
    ...request,
    places,
    words,
    home: home.realPath,
    roots: roots.map(({ realPath }) => realPath),
    writtenRoots: roots.map(({ path }) => path),
    isWindows: process.platform === 'win32',
    ignoresCase: fileKey('A') === 'a',
  };
}

/** Texts taken as paths, from each of these folders. */
function placesOf(
  folders: readonly string[],
  written: readonly string[],
): Promise<readonly (RulePlace & { readonly word: string })[]> {
  const all = folders.slice(0, mostFolders).flatMap((folder) => written.map((word) => ({ folder, word })));
  const looked = all.slice(0, mostLooked);
  return Promise.all(looked.map(async ({ folder, word }) => ({ word, ...(await placeOf(folder, word)) })));
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
