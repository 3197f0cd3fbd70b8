import type { WrittenRule } from '../../src/shared/permissions/permissionRules';
import type { ToolKind } from '../../src/shared/transcript/transcript';

/** The fields of a rule that are typed. */
export const textFields = ['command', 'path', 'title', 'mcpServer', 'mcpTool', 'host', 'agent'] as const;
export type TextField = (typeof textFields)[number];

/** A rule while it is edited: every field as text. Absent fields aren't shown; empty ones are kept while the form is open. */
export interface RuleDraft {
  readonly answer: WrittenRule['answer'];
  /** Kinds, separated by commas; empty for every kind. */
  readonly kind: string;
  readonly where: '' | 'inside' | 'outside';
  /** Paths are separated by line breaks. */
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
}

export function draftOf({ answer, kind, where, path, ...texts }: WrittenRule): RuleDraft {
  const kinds = kind === undefined ? '' : typeof kind === 'string' ? kind : kind.join(',');
  const paths = path === undefined ? {} : { path: typeof path === 'string' ? path : path.join('\n') };
  return { answer, kind: kinds, where: where ?? '', texts: { ...texts, ...paths } };
}

/** Returns the rule of a draft. Fields that are shown but empty stay in it, so that their problem is reported. */
export function ruleOf({ answer, kind, where, texts }: RuleDraft): WrittenRule {
  const { path, ...others } = texts;
  const kinds = kind === '' ? [] : (kind.split(',') as ToolKind[]);
  const paths = path?.split('\n').filter((line, _at, all) => line !== '' || all.length === 1) ?? [];
  return {
    ...others,
    ...(kinds.length === 0 ? {} : { kind: oneOrAll(kinds) }),
    ...(path === undefined ? {} : { path: oneOrAll(paths) }),
    ...(where === '' ? {} : { where }),
    answer,
  };
}

/** Returns a draft without its empty texts. */
export function withoutEmpty(draft: RuleDraft): RuleDraft {
  const texts = Object.fromEntries(Object.entries(draft.texts).filter(([, text]) => text.trim() !== ''));
  return { ...draft, texts };
}

function oneOrAll<T>(list: readonly T[]): T | readonly T[] {
  const [first] = list;
  return list.length === 1 && first !== undefined ? first : list;
}
