import { startWith, type BroughtFile } from '../../worktree/bring/broughtBase';
import { startOf } from '../../tries/tryGroup';
import type { BringRequest } from '../merging/broughtChanges';
import type { TryStore } from './tryStore';

/** Compares a try with the user's versions of the files that its agent merges, so that the user's lines don't count as the try's. */
export async function compareWithHanded(
  store: Pick<TryStore, 'groupOf' | 'change'>,
  { session: { key }, worktree }: BringRequest,
  files: readonly BroughtFile[],
): Promise<void> {
  const one = store.groupOf(key)?.tries.find(({ session }) => session === key);
  if (!one) return;
  const start = await startWith(worktree, startOf(one), files);
  store.change(key, (before) => ({ ...before, start }));
}
