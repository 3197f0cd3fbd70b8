import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../../shared/values/attempt';

/** The variable in which every process of a sandbox has its folder, whose name no other program has. */
export const temporaryVariable = 'CLAUDE_CODE_TMPDIR';

/** Returns the other processes that were started with one of these folders of a sandbox in their environment, on Linux. */
export function processesOf(temporary: readonly string[]): readonly number[] {
  const marks = new Set(temporary.flatMap((path) => [`${temporaryVariable}=${path}`, `TMPDIR=${path}`]));
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    // Those of other users can't be read.
    const environment = attempt(() => readFileSync(`/proc/${name}/environ`, 'utf8')) ?? '';
    return environment.split('\0').some((variable) => marks.has(variable)) ? [pid] : [];
  });
}
