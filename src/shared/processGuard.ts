/** Ends the process groups it was told about if this extension host dies without ending them itself. */
export interface ProcessGuard {
  /** Guards the process group led by `pid`. */
  add(pid: number): void;
  remove(pid: number): void;
}
