/** Why a file can't be read or replaced, in addition to the system's own reasons. */
export type FileProblemKind =
  /** A folder is in the file's place. */
  | 'directory'
  /** A pipe, a socket, or a device, whose data may never end. */
  | 'special'
  | 'tooLarge'
  /** The file, or a folder in its path, now leads to another place. */
  | 'moved'
  /** The file was changed between reading and replacing it. */
  | 'changed'
  /** A link in the path leads out of the workspace. */
  | 'linkedAway';

/** Parley's own refusal. Each place that shows it chooses the words. */
export class FileProblem extends Error {
  readonly kind: FileProblemKind;
  readonly path: string;
  /** The size of a file that is too large, or the target of a link. */
  readonly detail: number | string | undefined;

  constructor(kind: FileProblemKind, path: string, detail?: number | string) {
    super(`${kind}: ${path}`);
    this.kind = kind;
    this.path = path;
    this.detail = detail;
  }
}
