import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';
import type { SandboxPolicy } from '../../shared/limits/sandbox';

/** A call by which a program wanted to change something, as the library reports it before the system decides. */
export interface TriedCall {
  readonly call: string;
  readonly path: string;
}

/** Calls that fail before anything is refused if their place is there, like each `mkdir` of `mkdir -p`. */
const makesNew = /^(?:mkdir|mknod|symlink|link)(?:at)?$/;
/** Calls that make a file, or change one that is there. */
const opens = /^(?:open|openat|openat2|creat)$/;

/**
 * Returns the place of a call that the sandbox really refused, after links; undefined if the call did nothing, failed for
 * another reason, or was allowed. The library reports every call, and compares names alone.
 */
export function refusedPlace({ call, path }: TriedCall, policy: SandboxPolicy): string | undefined {
  const folder = attempt(() => realpathSync(dirname(path)));
  // Nothing can be made or changed in a folder that isn't there.
  if (folder === undefined || attempt(() => statSync(folder).isDirectory()) !== true) return undefined;
  const place = join(folder, basename(path));
  const found = attempt(() => lstatSync(place));
  if (makesNew.test(call) ? found !== undefined : found === undefined && !opens.test(call)) return undefined;
  if (found?.isDirectory() === true && opens.test(call)) return undefined;
  const target = (opens.test(call) ? attempt(() => realpathSync(place)) : undefined) ?? place;
  const { folders, state, shared, readOnly, unreadable } = policy;
  const isHeld = isBelow(target, [...readOnly, ...unreadable]);
  return isHeld || !isBelow(target, [...folders, ...state, ...shared]) ? target : undefined;
}
