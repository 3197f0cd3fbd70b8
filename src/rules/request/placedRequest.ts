import type { ParsedRequest } from './ruleRequest';

/** A path in a request. Both forms are absolute, with forward slashes. */
export interface RulePlace {
  readonly path: string;
  /** With all links resolved. */
  readonly realPath: string;
}

/** A word as a path. A word that stands for several files has several places. */
export interface WordPlace extends RulePlace {
  readonly word: string;
  /** Where it starts from, as `chainKey` returns it. */
  readonly folder: string;
}

/** A request with its paths resolved. */
export interface PlacedRequest extends ParsedRequest {
  readonly places: readonly RulePlace[];
  /** Each word that may run or be passed to a program, interpreted as a path. */
  readonly words: readonly WordPlace[];
  /** The folders of the workspace, with links resolved. */
  readonly roots: readonly string[];
  /** The same folders as written. */
  readonly writtenRoots: readonly string[];
  readonly home: string;
  readonly isWindows: boolean;
  /** Whether the system ignores case in paths. All paths here are then in lower case. */
  readonly ignoresCase: boolean;
}

/** Returns whether a path is in the workspace. */
export function isInside(path: string, { roots }: Pick<PlacedRequest, 'roots'>): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`));
}
