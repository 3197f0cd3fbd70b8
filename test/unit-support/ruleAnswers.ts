// Evaluates the rules of `parley.permissions` for a request, with a file system that the test defines.
import assert from 'node:assert/strict';
import { permissionSubject } from '../../src/acp/v1/permission';
import { findRuling } from '../../src/session/rules/findRuling';
import type { PlacedRequest } from '../../src/session/rules/placedRequest';
import { parsePermissionRules } from '../../src/session/rules/permissionRule';
import { requestWords, ruleRequest } from '../../src/session/rules/ruleRequest';
import type { EntryId, ToolCallId } from '../../src/shared/ids';
import type { PermissionOption, ToolCallEntry } from '../../src/shared/transcript';

export const option = (optionId: string, kind: PermissionOption['kind']): PermissionOption => ({
  optionId,
  name: optionId,
  kind,
});
const usual = [option('always', 'allow_always'), option('yes', 'allow_once'), option('no', 'reject_once')];

export interface Asked {
  readonly entry?: Partial<ToolCallEntry>;
  readonly toolCall?: object;
  readonly options?: readonly PermissionOption[];
  readonly agent?: string;
  /** The targets of links, by path. Empty if unknown. */
  readonly links?: Readonly<Record<string, string>>;
  readonly roots?: readonly string[];
}

/** Returns the rules' answer: the id of an option, `ask` if a rule left the request to the user, or `none` if no rule matched. */
export function answer(rules: readonly object[], asked: Asked): string {
  const { entry = {}, toolCall = {}, options = usual, agent = 'Codex', links = {}, roots = ['/ws', '/second'] } = asked;
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
  const request = ruleRequest(agent, roots[0]!, call, permissionSubject({ toolCallId: 'c', ...toolCall }));
  const place = (folder: string) => (written: string) => {
    const word = written.replace(/^~/, '/home/me');
    const path = new URL(`file://${word.startsWith('/') ? '' : `${folder}/`}${word}`).pathname;
    return { path, realPath: links[path] ?? path };
  };
  const folder = request.folders[0] === undefined ? roots[0]! : place(roots[0]!)(request.folders[0]).path;
  const placed: PlacedRequest = {
    ...request,
    roots,
    writtenRoots: roots,
    home: '/home/me',
    isWindows: false,
    ignoresCase: false,
    places: request.paths.map(place(roots[0]!)),
    words: requestWords(request).map((word) => ({ word, ...place(folder)(word) })),
  };
  const { rules: parsed, problems } = parsePermissionRules(rules);
  assert.deepEqual(problems, []);
  const ruling = findRuling(
    parsed.map((rule, index) => ({ rule, scope: 'user', index })),
    placed,
    options,
  );
  return ruling ? (ruling.option?.optionId ?? 'ask') : 'none';
}
