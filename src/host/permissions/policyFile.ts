import { lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ruleProblem } from '../../rules/judge/permissionRule';
import { equalKey } from './equalKeys';
import { budgetProblem } from '../../usage/budgets';
import { isRecord } from '../../shared/values/isRecord';
import { toSandboxMode, type SandboxMode } from '../../shared/limits/sandboxMode';

/** What the administrators of this machine decided about permission rules and budgets. */
export interface RulePolicy {
  readonly takesEverything: boolean;
  readonly takesAllowRules: boolean;
  readonly rules: readonly unknown[];
  /** A budget that users can't raise. */
  readonly budget?: unknown;
  /** What agents are held to at least. */
  readonly sandbox?: SandboxMode;
  /** Why the policy can't be used. Everything that a policy can forbid is then forbidden, and its own rules only forbid, too. */
  readonly problem?: string;
}

const none: RulePolicy = { takesEverything: true, takesAllowRules: true, rules: [] };
const longest = 1_000_000;

/** Returns where the policy of this machine is. Only administrators can write there. */
export function policyPath(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/Parley/policy.json';
  // The path isn't taken from a variable, because users can set those.
  return platform === 'win32' ? 'C:\\Program Files\\Parley\\policy.json' : '/etc/parley/policy.json';
}

/**
 * Reads the policy. Without the file, nothing is forbidden. A file that can't be read, or that others than
 * administrators could have written, forbids everything that a policy can forbid. What it rejects is still rejected.
 */
export function readPolicy(
  path = policyPath(process.platform),
  isSafe: (path: string) => boolean = isOfRoot,
): RulePolicy {
  try {
    const stats = lstatSync(path);
    // To read anything else could take forever.
    if (!stats.isFile()) return strict('it is not a regular file');
    if (stats.size > longest) return strict('it is too large');
    const policy = parsePolicy(readFileSync(path, 'utf8'));
    return isSafe(path)
      ? policy
      : { ...policy, ...strict('users other than the administrator can change it', policy.rules) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? none : strict(`it can't be read (${String(code)})`);
  }
}

/** Parses the contents of the file. */
export function parsePolicy(text: string): RulePolicy {
  const json = text.replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return strict('it is not valid JSON');
  }
  if (!isRecord(value)) return strict('it is not an object');
  const twice = equalKey(json);
  const { allowEverything = true, userAllowRules = true, rules = [], budget, sandbox, ...others } = value;
  if (!Array.isArray(rules)) return strict('"rules" must be a list');
  const list = rules as readonly unknown[];
  if (twice !== undefined)
    return { ...strict(`it has "${twice}" twice`, list), ...(budget === undefined ? {} : { budget }) };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return strict(`"${unknown}" is unknown`, list);
  if (typeof allowEverything !== 'boolean') return strict('"allowEverything" must be true or false', list);
  if (typeof userAllowRules !== 'boolean') return strict('"userAllowRules" must be true or false', list);
  const mode = toSandboxMode(sandbox);
  if (sandbox !== undefined && mode === undefined) return strict('"sandbox" is unknown', list);
  // An invalid rule asks about every request, so the others stay.
  const at = list.findIndex((rule) => ruleProblem(rule) !== undefined);
  const limits = { takesEverything: allowEverything, takesAllowRules: userAllowRules };
  const policy: RulePolicy = {
    ...limits,
    rules: list,
    ...(budget === undefined ? {} : { budget }),
    ...(mode && { sandbox: mode }),
  };
  const wrong = budget === undefined ? undefined : budgetProblem(budget);
  if (wrong !== undefined) return strict(`"budget": ${wrong}`, list);
  if (at < 0) return policy;
  return { ...policy, ...strict(`rule ${String(at + 1)}: ${ruleProblem(list[at]) ?? ''}`, list) };
}

function strict(problem: string, rules: readonly unknown[] = []): RulePolicy {
  return { takesEverything: false, takesAllowRules: false, rules, problem, sandbox: 'ownCopy' };
}

/** Returns whether only administrators can change a file and its folder. On Windows, its folder ensures that. */
function isOfRoot(path: string): boolean {
  if (process.platform === 'win32') return true;
  return [path, dirname(path)].every((place) => {
    const stats = lstatSync(place);
    return !stats.isSymbolicLink() && stats.uid === 0 && (stats.mode & 0o022) === 0;
  });
}
