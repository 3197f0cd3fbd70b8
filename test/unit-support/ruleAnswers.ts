// Evaluates the rules of `parley.permissions` for a request, with a file system that the test defines.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { findRuling } from '../../src/rules/judge/findRuling';
import type { PlacedRequest } from '../../src/rules/request/placedRequest';
import { parsePermissionRules, type SourcedRule } from '../../src/rules/judge/permissionRule';
import type { ShellParser } from '../../src/rules/line/shellParser';
import type { PermissionOption } from '../../src/shared/transcript/transcript';
import { loadParser, requestOf, type Asked } from './ruleRequests';

export type { Asked };

export const option = (optionId: string, kind: PermissionOption['kind']): PermissionOption => ({
  optionId,
  name: optionId,
  kind,
});
const usual = [option('always', 'allow_always'), option('yes', 'allow_once'), option('no', 'reject_once')];

let parser: ShellParser | undefined;
before(async () => {
  parser = await loadParser();
});

/** Returns a request as rules see it. */
export function placedRequest(asked: Asked): PlacedRequest {
  return requestOf(asked, parser);
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
