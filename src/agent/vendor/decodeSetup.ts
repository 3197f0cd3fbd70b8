import { asList, asObject, asString } from '../../shared/values/decodeValue';

/** A longer text of an agent is cut. */
const longestText = 300;

/** Reads what an agent's own check of its setup complains about. */
export function decodePreflight(answer: unknown): readonly string[] | undefined {
  const cells = asList(asObject(answer)?.['cells'], asObject);
  return cells?.flatMap((cell) => {
    if (cell['status'] !== 'error' && cell['status'] !== 'warning') return [];
    const words = asString(cell['error']) ?? asString(cell['hint']) ?? asString(cell['kind']) ?? '';
    return words.trim() === '' ? [] : [words.trim().slice(0, longestText)];
  });
}

/** Reads how many skills an agent has, and the names of those that it can't use. */
export function decodeSkills(
  answer: unknown,
): { readonly count: number; readonly broken: readonly string[] } | undefined {
  const skills = asList(asObject(answer)?.['skills'], asObject);
  if (!skills) return undefined;
  const isBroken = ({ status }: { readonly status?: unknown }) => status === 'error' || status === 'warning';
  const broken = skills.flatMap((skill) =>
    isBroken(skill) ? [asString(skill['name'])?.slice(0, longestText) ?? ''] : [],
  );
  return { count: skills.length - broken.length, broken: broken.filter((name) => name !== '') };
}

/** Reads how many hooks an agent runs. */
export function decodeHooks(answer: unknown): number | undefined {
  const told = asObject(answer);
  const hooks = asList(told?.['hooks'], asObject);
  if (!hooks) return undefined;
  return told?.['disabled'] === true ? 0 : hooks.filter((hook) => hook['enabled'] !== false).length;
}
