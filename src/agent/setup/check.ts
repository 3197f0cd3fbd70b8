/** The one thing that fixes a finding. */
export type Fix =
  /** A page in the browser. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** A command line to copy. */
  | { readonly kind: 'copy'; readonly label: string; readonly line: string }
  | { readonly kind: 'openSettings' | 'addAgent' | 'showLog' | 'manageTrust'; readonly label: string }
  /** Logs in to the agent that was checked. */
  | { readonly kind: 'logIn'; readonly label: string };

/**
 * The result of one check. `note`: worth knowing, but nothing is broken for certain. `skipped`: not checked, and the
 * detail says why.
 */
export interface Finding {
  /** What was checked, such as "Node" or an agent’s name. */
  readonly name: string;
  readonly state: 'ok' | 'note' | 'problem' | 'skipped';
  /** A few words: a version, or what is wrong. */
  readonly summary: string;
  /** A sentence or two. */
  readonly detail: string;
  readonly fix?: Fix;
}

/** Returns a duration in seconds, with one digit after the point. */
export function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
