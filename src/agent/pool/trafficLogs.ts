import type { TrafficLog } from '../../acp/wire/traffic';

/** The traffic of one agent process, for `Parley: Show Protocol Log`. */
export interface AgentTraffic {
  readonly agentName: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly traffic: TrafficLog;
}

/** Number of traffic logs kept from exited agents. */
const endedLogs = 5;

/** The traffic of the running agents and of the last few that exited. */
export class TrafficLogs {
  private readonly logs: AgentTraffic[] = [];

  /** Newest first. */
  get all(): readonly AgentTraffic[] {
    return [...this.logs].reverse();
  }

  /** Adds the log of a starting agent; `running` contains the logs of running agents. */
  add(log: AgentTraffic, running: ReadonlySet<TrafficLog>): void {
    this.logs.push(log);
    const ended = this.logs.filter(({ traffic }) => !running.has(traffic) && traffic !== log.traffic);
    for (const old of ended.slice(0, Math.max(0, ended.length - endedLogs))) {
      this.logs.splice(this.logs.indexOf(old), 1);
      old.traffic.dispose();
    }
  }
}
