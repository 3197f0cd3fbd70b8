/** Why agents can't run in a sandbox here, and the command line that helps, if one does. */
export interface MissingNeed {
  readonly problem: string;
  readonly line?: string;
}
