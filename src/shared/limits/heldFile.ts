import type { SandboxPolicy } from './sandbox';
import { isBelow } from './isBelow';

/**
 * Returns what a sandbox does with a file, after links: it hides it, or keeps it as it is. Undefined if the agent can read
 * and change it inside as far as this list goes.
 */
export function heldFile(
  { unreadable, stillReadable = [], readOnly }: Pick<SandboxPolicy, 'unreadable' | 'stillReadable' | 'readOnly'>,
  realPath: string,
): 'hidden' | 'readOnly' | undefined {
  // The place nearest to the file decides.
  const nearest = (places: readonly string[]) =>
    Math.max(-1, ...places.filter((place) => isBelow(realPath, [place])).map(({ length }) => length));
  if (nearest(unreadable) > nearest(stillReadable)) return 'hidden';
  return isBelow(realPath, readOnly) ? 'readOnly' : undefined;
}
