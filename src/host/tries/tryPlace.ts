import { copyAround } from '../../git/copyPlaces';

/** Returns the repository with the note about a try: the one that all its worktrees share, or Parley's own about a copy. */
export function commonOf({ common }: { readonly common: string }, { path }: { readonly path: string }): string {
  return copyAround(path)?.git ?? common;
}
