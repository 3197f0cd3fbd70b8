import type { TriedFile } from './triedFiles';

/** What one try did to a file. */
export interface TryCell {
  readonly kind: TriedFile['kind'];
  /** The path before a rename. */
  readonly from?: string;
  readonly added?: number;
  readonly removed?: number;
  /** The first other try with the same content. */
  readonly sameAs?: number;
}

/** A file that at least one try changed. `cells` has an entry for each try, undefined if it left the file as it was. */
export interface TryRow {
  readonly path: string;
  readonly cells: readonly (TryCell | undefined)[];
}

/** Returns the files of several tries, in the order of their paths. */
export function tryRows(tries: readonly (readonly TriedFile[])[]): readonly TryRow[] {
  const paths = [...new Set(tries.flatMap((files) => files.map(({ path }) => path)))].sort();
  const byPath = tries.map((files) => new Map(files.map((file) => [file.path, file])));
  return paths.map((path) => {
    const files = byPath.map((of) => of.get(path));
    return { path, cells: files.map((file, at) => file && cellOf(file, files.slice(0, at))) };
  });
}

function cellOf(file: TriedFile, before: readonly (TriedFile | undefined)[]): TryCell {
  const { kind, from, added, removed } = file;
  const sameAs = before.findIndex((other) => other?.kind === kind && other.content === file.content);
  return {
    kind,
    ...(from === undefined ? {} : { from }),
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
    ...(sameAs < 0 ? {} : { sameAs }),
  };
}
