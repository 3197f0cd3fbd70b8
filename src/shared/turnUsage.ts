/**
 * The tokens of a session's last turn, as its agent counted them (unstable `usage` of the answer to `session/prompt`). The parts need
 * not add up to the total.
 */
export interface TurnUsage {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
}
