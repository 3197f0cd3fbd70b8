import * as l10n from '@vscode/l10n';

/** Makes something when it is first asked for, and answers the same each time; what failed is tried again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Loads another bundle; rejects with a sentence. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // Node's message goes on with the files that asked for it.
    const [cause = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    const words = l10n.t(
      'A part of Parley could not be loaded: {0}. Reload the window; if that does not help, install Parley again.',
      cause,
    );
    throw new Error(words, { cause: error });
  }
}
