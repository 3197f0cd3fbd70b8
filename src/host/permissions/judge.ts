import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuling, type Ruling } from '../../session/rules/findRuling';
import type { SourcedRule } from '../../session/rules/permissionRule';
import type { PlacedRequest, RulePlace } from '../../session/rules/placedRequest';
import type { PermissionCase } from '../../session/services';
import { requestWords, ruleRequest, type RuleRequest } from '../../session/rules/ruleRequest';
import { fileKey, isInside, resolveTarget } from '../base/filePaths';

/** Maximum number of paths to look up. A request with more is always asked. */
const mostLooked = 200;
const mostFolders = 5;

/** Applies the rules to a request. `folders` are the workspace folders. */
export async function judge(
  rules: readonly SourcedRule[],
  request: PermissionCase,
  folders: readonly string[],
): Promise<Ruling | undefined> {
  return findRuling(rules, await placeRequest(request, folders), request.options);
}

/** Resolves the paths of a request, as `findRuling`, `suggestRules`, `explainRuling`, and `riskOf` need it. */
export function placeRequest(
  { agentName, cwd, entry, subject }: Omit<PermissionCase, 'options'>,
  folders: readonly string[],
): Promise<PlacedRequest> {
  return place(ruleRequest(agentName, cwd, entry, subject), folders);
}

async function place(request: RuleRequest, folders: readonly string[]): Promise<PlacedRequest> {
  const { cwd, paths } = request;
  // The arguments of a command are relative to the folder it runs in. For a tool's paths, the folder is unknown, so all
  // are tried.
  const runsIn = request.folders.length > 0 ? request.folders.map((folder) => resolve(cwd, folder)) : [cwd];
  const places = await placesOf([...new Set([cwd, ...runsIn])], paths);
  const words = await placesOf(runsIn, requestWords(request));
  const home = await placeOf('/', homedir());
  const placedRoots = await Promise.all([cwd, ...folders].map((folder) => placeOf(cwd, folder)));
  // Without a folder, sessions work in the user's home, which contains keys and settings and never counts as a
  // workspace.
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

/** Resolves texts as paths, relative to each of these folders. */
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
  // The target of a link that can't be followed is unknown, so no rule can match it.
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
    // Not a valid URL.
    return path;
  }
}

function forward(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
