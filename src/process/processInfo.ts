/** A running process. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Session id. Only on Linux. */
  readonly session?: number;
  /** Start time in the system's format. Equal pids and start times mean the same process. */
  readonly started: string;
}
