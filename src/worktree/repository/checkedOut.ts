import type { GitOutput } from '../../git/git';
import { gitPlaceOf } from '../../git/gitPlace';
import { lfsContent, pointerBytes, readPointer } from '../../git/lfs';
import { partsOf, plainGit } from './userGit';

/**
 * Reads a file of a commit as git would check it out: with its line breaks, and what a pointer of Git LFS stands for if that is there. Other
 * filters aren't run, because the repository names them.
 */
export async function checkedOut(root: string, commit: string, path: string): Promise<GitOutput> {
  const output = await plainGit(root, ['cat-file', '--filters', `${commit}:${path}`]);
  const pointer = output.out.length < pointerBytes ? readPointer(output.out.toString()) : undefined;
  if (!pointer) return output;
  const [, , value] = partsOf(await plainGit(root, ['check-attr', '-z', 'filter', '--', path]));
  const place = value === 'lfs' ? await gitPlaceOf(root) : undefined;
  const content = place && (await lfsContent(place, pointer));
  return content ? { ...output, out: content } : output;
}
