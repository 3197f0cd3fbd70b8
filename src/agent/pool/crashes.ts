/** The waits before an agent is started again after it has crashed, in milliseconds. There is no further attempt. */
export const crashWaits: readonly number[] = [1000, 5000, 20_000];
/** The time in which so many crashes are too many, in milliseconds. */
const within = 10 * 60_000;

/** Decides whether an agent that has crashed is started again by itself. */
export class Crashes {
  private readonly times = new Map<string, readonly number[]>();

  /** Notes a crash of an agent and returns how long to wait before its next start; undefined if the user decides about it. */
  next(agent: string, now: number): number | undefined {
    const recent = (this.times.get(agent) ?? []).filter((time) => now - time < within);
    this.times.set(agent, [...recent, now]);
    return crashWaits[recent.length];
  }
}
