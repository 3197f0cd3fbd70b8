import * as l10n from '@vscode/l10n';
import { lineOf, plainGit } from './userGit';

/** Maximum number of words of a message in a branch's name. */
const maxWords = 5;
const maxLength = 40;

/** Words that say nothing about the work. */
const fillers = new Set(
  'a an the and or of to in on for with please can could you i we it is are me my our this that'.split(' '),
);

/** Suggests the name of a branch from the words of a message, and another one if it is taken. */
export function suggestBranch(words: string, taken: readonly string[]): string {
  const all = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !fillers.has(word));
  const slug = all.slice(0, maxWords).join('-').slice(0, maxLength).replace(/-+$/, '');
  const name = `parley/${slug === '' ? 'session' : slug}`;
  // Git can't have both `a` and `a/b`, and some disks ignore case.
  const names = new Set(taken.map((one) => one.toLowerCase()));
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** Resolves to the reason why a branch can't be created, as a sentence with a next step. Undefined if it can. */
export async function branchProblem(root: string, name: string, taken: readonly string[]): Promise<string | undefined> {
  if (name.trim() === '') return l10n.t('Type a name for the branch.');
  const checked = lineOf(await plainGit(root, ['check-ref-format', '--branch', name]));
  // `-` and `@{-1}` are valid, but name other branches.
  if (checked !== name) return l10n.t('“{0}” isn’t valid as the name of a branch. Choose another one.', name);
  const lower = name.toLowerCase();
  const others = taken.map((one) => one.toLowerCase());
  if (others.includes(lower)) return l10n.t('The branch “{0}” already exists. Choose another name.', name);
  const around = taken.find((_, index) => {
    const other = others[index] ?? '';
    return lower.startsWith(`${other}/`) || other.startsWith(`${lower}/`);
  });
  if (around === undefined) return undefined;
  return l10n.t('Git can’t have the branches “{0}” and “{1}” at once. Choose another name.', name, around);
}
