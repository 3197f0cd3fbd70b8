// Evaluates the rules of `parley.permissions` for a request, with a file system that the test defines.
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { before } from 'node:test';
import { loadBashParser } from '../../src/host/permissions/bashParser';
import { permissionSubject } from '../../src/acp/v1/permission';
import { findRuling } from '../../src/session/rules/findRuling';
import type { PlacedRequest } from '../../src/session/rules/placedRequest';
import { parsePermissionRules, type SourcedRule } from '../../src/session/rules/permissionRule';
import { parseRequest, requestWords, ruleRequest } from '../../src/session/rules/ruleRequest';
import { chainKey } from '../../src/session/rules/shellLine';
import type { ShellParser } from '../../src/session/rules/shellParser';
import type { EntryId, ToolCallId } from '../../src/shared/ids';
import type { PermissionOption, ToolCallEntry } from '../../src/shared/transcript';

export const option = (optionId: string, kind: PermissionOption['kind']): PermissionOption => ({
  optionId,
  name: optionId,
  kind,
});
const usual = [option('always', 'allow_always'), option('yes', 'allow_once'), option('no', 'reject_once')];

/** The parser that ships. */
let parser: ShellParser | undefined;
before(async () => {
  parser = await loadBashParser(resolve('node_modules/@vscode/tree-sitter-wasm/wasm'));
});

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
export function placedRequest(asked: Asked): PlacedRequest {
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
  const read = ruleRequest(agent, roots[0]!, call, permissionSubject({ toolCallId: 'c', ...toolCall }));
  const request = parseRequest(read, parser, isWindows);
  const place = (folder: string) => (written: string) => {
    const word = written.replace(/^~/, '/home/me');
    const path = new URL(`file://${word.startsWith('/') ? '' : `${folder}/`}${word}`).pathname;
    return { path, realPath: links[path] ?? path };
  };
  const folder = request.folders[0] === undefined ? roots[0]! : place(roots[0]!)(request.folders[0]).path;
  return {
    ...request,
    roots,
    writtenRoots: roots,
    home: '/home/me',
    isWindows,
    ignoresCase: false,
    places: request.paths.map(place(roots[0]!)),
    words: requestWords(request).flatMap(({ word, folder: chain, isGlob }) => {
      const base = chain.reduce((from, next) => place(from)(next).realPath, folder);
      const names = isGlob ? (asked.globs?.[word] ?? [word]) : [word];
      return names.map((name) => ({ word, folder: chainKey(chain), ...place(base)(name) }));
    }),
  };
}

/** Returns rules of the user's settings. */
export function sourced(rules: readonly object[]): readonly SourcedRule[] {
  const { rules: parsed, problems } = parsePermissionRules(rules);
  assert.deepEqual(problems, []);
  return parsed.map((rule, index) => ({ rule, scope: 'user', index }));
}

/** Returns the rules' answer: the id of an option, `ask` if a rule left the request to the user, or `none` if no rule matched. */
export function answer(rules: readonly object[], asked: Asked): string {
  const ruling = findRuling(sourced(rules), placedRequest(asked), asked.options ?? usual);
  return ruling ? (ruling.option?.optionId ?? 'ask') : 'none';
}
