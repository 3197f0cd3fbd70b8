import { History, kinds, type Kind } from './history';

/** Plays histories, each with a seed of its own. Rejects with what happened in the first that lost something. */
export async function playHistories({
  count,
  seed,
  root,
  kind: only,
  onFailure,
  findsFolders = false,
}: {
  readonly count: number;
  readonly seed: number;
  readonly root: string;
  /** Without it, the kinds take turns. */
  readonly kind?: Kind;
  /** Without it, the first failure ends the run. */
  readonly onFailure?: (error: Error) => void;
  /** See `History`. */
  readonly findsFolders?: boolean;
}): Promise<void> {
  for (let at = 0; at < count; at++) {
    const kind = only ?? kinds[(seed + at) % kinds.length] ?? 'folder';
    const history = new History(seed + at, kind, root, findsFolders);
    try {
      await history.run();
    } catch (error) {
      const words = `seed ${seed + at}, ${kind}\n${history.done.join('\n')}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
      const failure = new Error(words, { cause: error });
      if (!onFailure) throw failure;
      onFailure(failure);
    }
  }
}
