import type { SourcedRule } from './permissionRule';
import type { PlacedRequest } from './placedRequest';
import type { RiskKind } from './risk';

/** Why rules don't allow a request. Closed: the page has words for each. */
export type Obstacle =
  /** Contains something Parley doesn't understand, such as an unknown field. */
  | { readonly kind: 'unclear' }
  /** Sets variables that can change which programs run. */
  | { readonly kind: 'environment'; readonly name?: string }
  /** Changes a place that makes programs run or contains rules. */
  | { readonly kind: 'guarded'; readonly path: string }
  /** Reaches a path outside the workspace that no rule lists. */
  | { readonly kind: 'outside'; readonly path: string }
  /** Can't be parsed as a command line. */
  | { readonly kind: 'unparsed'; readonly line: string }
  /** Depends on what is only known when it runs, such as a variable. */
  | { readonly kind: 'dynamic'; readonly text: string }
  /** Is destructive, and no rule names it. */
  | { readonly kind: 'destructive'; readonly risk: RiskKind; readonly command: string }
  /** Also runs this command, which no rule allows. */
  | { readonly kind: 'command'; readonly command: string }
  /** A kind of request that only a rule listing the kind allows. */
  | { readonly kind: 'openKind' }
  /** Doesn't say which files it touches. */
  | { readonly kind: 'unplaced' }
  /** No rule matches. */
  | { readonly kind: 'none' };

/**
 * Returns why these rules don't allow a request; undefined if they do. With `ever`, what keeps any rule from allowing
 * it.
 */
export function explainRuling(rules: readonly SourcedRule[] | 'ever', request: PlacedRequest): Obstacle | undefined {
  if (!request.isClear) return { kind: 'unclear' };
  return rules === 'ever' ? undefined : { kind: 'none' };
}
