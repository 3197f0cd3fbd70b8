import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import { hasStrangeName, isForeignShare, plainPath, withoutStrangeNames } from '../../disk/paths';
import { findRuling, type Ruling } from '../../rules/judge/findRuling';
import type { SourcedRule } from '../../rules/judge/permissionRule';
import type { PlacedRequest, RulePlace, WordPlace } from '../../rules/request/placedRequest';
import type { PermissionCase } from '../../session/services';
import {
  parseRequest,
  requestWords,
  ruleRequest,
  type ParsedRequest,
  type RequestWord,
} from '../../rules/request/ruleRequest';
import { chainKey } from '../../rules/line/shellLine';
import type { ShellParser } from '../../rules/line/shellParser';
import { expandGlob } from './expandGlob';
import { fileKey, isInside, resolveTarget, withoutScheme } from '../base/filePaths';

/** Maximum number of paths to look up. A request with more is always asked. */
const mostLooked = 400;
const mostFolders = 5;

/** Applies the rules to a request. `folders` are the workspace folders. */
export async function judge(
  rules: readonly SourcedRule[],
  request: PermissionCase,
  folders: readonly string[],
  parser: ShellParser | undefined,
): Promise<Ruling | undefined> {
  return findRuling(rules, await placeRequest(request, folders, parser), request.options);
}

/** Resolves the paths of a request, as `findRuling`, `suggestRules`, `explainRuling`, and `risksOf` need it. */
export function placeRequest(
  { agentName, cwd, entry, subject, host }: Pick<PermissionCase, 'agentName' | 'cwd' | 'entry' | 'subject' | 'host'>,
  folders: readonly string[],
  parser: ShellParser | undefined,
): Promise<PlacedRequest> {
  const request = { ...ruleRequest(agentName, cwd, entry, subject), ...compact({ host }) };
  return place(parseRequest(request, parser, process.platform === 'win32'), folders);
}

async function place(request: ParsedRequest, folders: readonly string[]): Promise<PlacedRequest> {
  const { cwd, paths } = request;
  // The arguments of a command are relative to the folder it runs in. For a tool's paths, the folder is unknown, so all
  // are tried.
  const runsIn = request.folders.length > 0 ? request.folders.map((folder) => resolve(cwd, folder)) : [cwd];
  const places = await Promise.all(
    limited([...new Set([cwd, ...runsIn])].flatMap((folder) => paths.map((path) => placeOf(folder, path)))),
  );
  const words = await wordPlaces(runsIn, requestWords(request));
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

function limited<T>(all: readonly T[]): readonly T[] {
  return all.slice(0, mostLooked);
}

/** Resolves words as paths. Words beyond the limit have no place, so no rule allows them. */
async function wordPlaces(folders: readonly string[], words: readonly RequestWord[]): Promise<readonly WordPlace[]> {
  const all = folders.slice(0, mostFolders).flatMap((runsIn) => words.map((word) => ({ runsIn, word })));
  const found = await Promise.all(
    limited(all).map(async ({ runsIn, word: { word, folder, isGlob } }) => {
      // Each `cd` starts where the one before it ended, with links resolved.
      let base = runsIn;
      for (const next of folder) base = (await placeOf(base, next)).realPath || '/';
      const names = isGlob ? await expandGlob(base, word) : [word];
      const places = await Promise.all(names.map((name) => placeOf(base, name)));
      return places.map((place) => ({ ...place, word, folder: chainKey(folder) }));
    }),
  );
  return found.flat();
}

async function placeOf(cwd: string, written: string): Promise<RulePlace> {
  const home = process.platform === 'win32' ? /^~(?=[\\/]|$)/ : /^~(?=\/|$)/;
  const path = resolve(cwd, plainPath(withoutScheme(written).replace(home, () => homedir())));
  // The target of a link that can't be followed is unknown, so no rule can match it. Neither can a rule match what
  // programs for Windows may read as another file.
  const isUnknown = hasStrangeName(path) || isForeignShare(path, cwd);
  const realPath = isUnknown
    ? ''
    : await resolveTarget(path).then(
        ({ key }) => key,
        () => '',
      );
  return { path: forward(fileKey(withoutStrangeNames(path))), realPath: forward(realPath) };
}

function forward(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
