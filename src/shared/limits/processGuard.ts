/** Stops the registered process groups if this extension host dies without stopping them itself. */
export interface ProcessGuard {
  /** Guards the process group led by `pid`. */
  add(pid: number): void;
  remove(pid: number): void;
}
