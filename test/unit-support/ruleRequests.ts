// Permission requests as rules see them, with a file system that the test defines.
import { posix, resolve } from 'node:path';
import { toolCallSubject } from '../../src/acp/v1/permission';
import { loadBashParser } from '../../src/host/permissions/bashParser';
import type { PlacedRequest } from '../../src/rules/request/placedRequest';
import { parseRequest, requestWords, ruleRequest } from '../../src/rules/request/ruleRequest';
import { chainKey } from '../../src/rules/line/shellLine';
import type { ShellParser } from '../../src/rules/line/shellParser';
import type { EntryId, ToolCallId } from '../../src/shared/values/ids';
import type { PermissionOption, ToolCallEntry } from '../../src/shared/transcript/transcript';

/** Loads the parser that ships. */
export function loadParser(): Promise<ShellParser> {
  return loadBashParser(resolve('node_modules/@vscode/tree-sitter-wasm/wasm'));
}

export interface Asked {
  readonly entry?: Partial<ToolCallEntry>;
  readonly toolCall?: object;
  readonly options?: readonly PermissionOption[];
  readonly agent?: string;
  /** The targets of links, by path. Empty if unknown. */
  readonly links?: Readonly<Record<string, string>>;
  /** The files that words with wildcards stand for. */
  readonly globs?: Readonly<Record<string, readonly string[]>>;
  readonly roots?: readonly string[];
  readonly isWindows?: boolean;
}

/** Returns a request as rules see it. */
export function requestOf(asked: Asked, parser: ShellParser | undefined): PlacedRequest {
  const { entry = {}, toolCall = {}, agent = 'Codex', links = {}, roots = ['/ws', '/second'] } = asked;
  const { isWindows = false } = asked;
  const call: ToolCallEntry = {
    kind: 'tool_call',
    id: 'tool_call:c' as EntryId,
    turn: 1,
    toolCallId: 'c' as ToolCallId,
    title: 'Do it',
    toolKind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    permission: { state: 'none' },
    startedAt: 0,
    ...entry,
  };
  const read = ruleRequest(agent, roots[0]!, call, toolCallSubject({ toolCallId: 'c', ...toolCall }));
  const request = parseRequest(read, parser, isWindows);
  const place = (folder: string) => (written: string) => {
    const word = written.replace(/^~/, '/home/me');
    const path = posix.resolve(folder, word);
    return { path, realPath: links[path] ?? path };
  };
  const folder = request.folders[0] === undefined ? roots[0]! : place(roots[0]!)(request.folders[0]).path;
  return {
    ...request,
    roots,
    writtenRoots: roots,
    home: '/home/me',
    isWindows,
    ignoresCase: isWindows,
    places: request.paths.map(place(roots[0]!)),
    words: requestWords(request).flatMap(({ word, folder: chain, isGlob }) => {
      const base = chain.reduce((from, next) => place(from)(next).realPath, folder);
      const names = isGlob ? (asked.globs?.[word] ?? [word]) : [word];
      return names.map((name) => ({ word, folder: chainKey(chain), ...place(base)(name) }));
    }),
  };
}
