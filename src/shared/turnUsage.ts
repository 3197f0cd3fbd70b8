/**
 * The tokens of a session's last turn, as its agent counted them (unstable `usage` in the response to
 * `session/prompt`). The parts don't always add up to the total.
 */
export interface TurnUsage {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cachedRead?: number;
  readonly cachedWrite?: number;
}
