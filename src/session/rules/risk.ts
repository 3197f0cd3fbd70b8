import type { PlacedRequest } from './placedRequest';
import { linesOf } from './ruleRequest';

/** What a destructive command does. Closed: the page has words for each. */
export type RiskKind =
  /** Deletes folders or many files: `rm -rf`, `find -delete`, `Remove-Item -Recurse`, `rd /s`. */
  | 'deletes'
  /** Overwrites commits on a server: `git push --force`. */
  | 'forcePush'
  /** Discards changes that aren't committed: `git reset --hard`, `git clean`, `git checkout -- .`. */
  | 'discards'
  /** Makes a package public: `npm publish`. */
  | 'publishes'
  /** Runs a script from the network: `curl … | sh`. */
  | 'runsDownload'
  /** Writes to disks: `dd`, `mkfs`, `format`. */
  | 'disk'
  /** Changes permissions or owners of many files: `chmod -R`. */
  | 'permissions'
  /** Runs with the system's permissions: `sudo`. */
  | 'elevates'
  /** Empties files: `truncate`, `shred`. */
  | 'erases'
  /** Deletes what runs elsewhere: `kubectl delete`, `terraform destroy`, `docker … prune`. */
  | 'infrastructure'
  /** Deletes data of a database: `DROP TABLE`. */
  | 'database';

export interface Risk {
  readonly kind: RiskKind;
  /** The command with the risk, as the line contains it. */
  readonly command?: string;
}

/** Returns the greatest risk of a request; undefined if it has none that Parley knows. */
export function riskOf(request: PlacedRequest): Risk | undefined {
  const command = linesOf(request).find((line) => /\brm\s+-\w*r/i.test(line));
  return command === undefined ? undefined : { kind: 'deletes', command };
}
