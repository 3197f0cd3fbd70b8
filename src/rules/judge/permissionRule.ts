import { asObject, asOneOf, asString } from '../../shared/values/decodeValue';
import { toolKinds } from '../../shared/transcript/toolKinds';
import { parseHostPattern } from './hostPattern';
import { linearPattern, type LinearPattern } from '../../shared/text/linearPattern';
import type { RuleAnswer, RuleScope, WrittenRule } from '../../shared/permissions/permissionRules';
import type { ToolKind } from '../../shared/transcript/transcript';

export type { RuleAnswer, RuleScope, WrittenRule };

/** A rule of `parley.permissions`; absent fields match everything. */
export interface PermissionRule {
  /** Supports wildcards. */
  readonly agent?: string;
  readonly kinds?: readonly ToolKind[];
  /** Wildcards, or a regular expression between slashes. */
  readonly title?: string;
  readonly command?: string;
  /** Globs; relative ones start from the folders of the workspace. */
  readonly paths?: readonly string[];
  readonly where?: 'inside' | 'outside';
  /** Wildcards. Both match only requests whose MCP server and tool the agent names unambiguously. */
  readonly mcpServer?: string;
  readonly mcpTool?: string;
  /** A host, with or without a port. A rule with one is only for connections of sandboxed agents. */
  readonly host?: string;
  readonly answer: RuleAnswer;
}

/** A rule with its place: `index` is its position in the list of its scope. */
export interface SourcedRule {
  readonly rule: PermissionRule;
  readonly scope: RuleScope;
  readonly index: number;
  /** Its id on the page of rules. */
  readonly id?: string;
}

/** The rules in order, and a sentence for each invalid rule. */
export interface ParsedRules {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly string[];
}

/**
 * An invalid rule may have been meant to protect from the rules after it, so it asks about every request.
 */
const asksAlways: PermissionRule = { answer: 'ask' };

/** Reads the value of `parley.permissions`. An invalid rule always asks. */
export function parsePermissionRules(value: unknown): ParsedRules {
  if (value === undefined || value === null) return { rules: [], problems: [] };
  if (!Array.isArray(value))
    return { rules: [], problems: ['parley.permissions is not a list, so there are no rules.'] };
  const problems: string[] = [];
  const rules = value.map((item: unknown, index) => {
    const rule = parseRule(item);
    if (typeof rule !== 'string') return rule;
    problems.push(`Rule ${String(index + 1)} of parley.permissions can't be read, so it always asks: ${rule}.`);
    return asksAlways;
  });
  return { rules, problems };
}

/** Returns what keeps a rule from being read, as the end of a sentence; undefined if it is valid. */
export function ruleProblem(value: unknown): string | undefined {
  const rule = parseRule(value);
  return typeof rule === 'string' ? rule : undefined;
}

function parseRule(value: unknown): PermissionRule | string {
  const object = asObject(value);
  if (!object) return 'it is not an object';
  const rule: { -readonly [K in keyof PermissionRule]?: PermissionRule[K] } = {};
  for (const [key, field] of Object.entries(object)) {
    switch (key) {
      case 'agent':
      case 'mcpServer':
      case 'mcpTool':
      case 'title':
      case 'command': {
        const text = asString(field);
        if (!text) return `"${key}" must be a text`;
        if ((key === 'title' || key === 'command') && isExpression(text) && !expressionOf(text))
          return `"${key}" is no regular expression that is supported`;
        rule[key] = text;
        break;
      }
      case 'kind': {
        const kinds = texts(field)?.map((kind) => asOneOf(kind, toolKinds));
        if (!kinds?.every((kind) => kind !== undefined)) return `"kind" must be some of ${toolKinds.join(', ')}`;
        rule.kinds = kinds;
        break;
      }
      case 'path': {
        const paths = texts(field);
        if (!paths) return '"path" must be a text or a list of texts';
        rule.paths = paths;
        break;
      }
      case 'where': {
        const where = asOneOf(field, ['inside', 'outside'] as const);
        if (!where) return '"where" must be inside or outside';
        rule.where = where;
        break;
      }
      case 'host': {
        const host = asString(field);
        if (!host || !parseHostPattern(host))
          return '"host" must be a host such as example.com, *.example.com, example.com:443, or [::1]:3000';
        rule.host = host;
        break;
      }
      case 'answer': {
        const answer = asOneOf(field, ['allow_once', 'reject_once', 'ask'] as const);
        if (!answer) return '"answer" must be allow_once, reject_once or ask';
        rule.answer = answer;
        break;
      }
      default:
        return `"${key}" is unknown`;
    }
  }
  const { answer, host } = rule;
  if (host !== undefined) {
    // What a connection is for isn't known.
    const other = Object.keys(object).find((key) => !/^(host|agent|answer)$/.test(key));
    if (other !== undefined) return `"host" can't be combined with "${other}"`;
  }
  return answer ? { ...rule, answer } : 'it has no "answer"';
}

/** Reads a text or a list of texts, all nonempty; undefined for anything else. */
function texts(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isRight = list.length > 0 && list.every((item) => typeof item === 'string' && item !== '');
  return isRight ? (list as readonly string[]) : undefined;
}

/** Returns whether a pattern is a regular expression between slashes. A trailing `i` means that case is ignored. */
export function isExpression(pattern: string): boolean {
  return /^\/.+\/i?$/s.test(pattern);
}

/** Returns the expression between slashes; undefined if there is none, or it can't run in linear time. */
export function expressionOf(pattern: string): LinearPattern | undefined {
  const end = pattern.lastIndexOf('/');
  return linearPattern(pattern.slice(1, end), pattern.slice(end + 1) === 'i' ? 'i' : '');
}

/** Returns a rule's display name, made of its conditions; empty if it has none. */
export function ruleName({ host, command, title, paths, mcpServer, mcpTool, kinds, where }: PermissionRule): string {
  const tool = mcpServer === undefined ? mcpTool : `${mcpServer}/${mcpTool ?? '*'}`;
  return host ?? command ?? title ?? paths?.join(', ') ?? tool ?? kinds?.join(', ') ?? where ?? '';
}
