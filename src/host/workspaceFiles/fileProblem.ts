/** Why a file can't be read or replaced, beyond what the system itself refuses. */
export type FileProblemKind =
  /** A folder is in its place. */
  | 'directory'
  /** A pipe, a socket, or a device, which may never end. */
  | 'special'
  | 'tooLarge'
  /** A folder on the way to it, or the file itself, leads somewhere else than a moment ago. */
  | 'moved'
  /** Somebody else changed it between being read and being replaced. */
  | 'changed'
  /** A link in its path leads out of the workspace. */
  | 'linkedAway';

/** A refusal of Parley's own; each place that shows it finds the words for its reader. */
export class FileProblem extends Error {
  readonly kind: FileProblemKind;
  readonly path: string;
  /** Bytes of a file that is too large; where a link leads. */
  readonly detail: number | string | undefined;

  constructor(kind: FileProblemKind, path: string, detail?: number | string) {
    super(`${kind}: ${path}`);
    this.kind = kind;
    this.path = path;
    this.detail = detail;
  }
}
