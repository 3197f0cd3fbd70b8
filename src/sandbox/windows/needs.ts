import * as l10n from '@vscode/l10n';
import { asObject, type JsonObject } from '../../shared/values/decodeValue';
import { messageOf } from '../../shared/values/messageOf';
import type { MissingNeed } from '../missingNeed';
import { windowsProcessors } from './helper';

/** What the check on Windows looks at. */
export interface WindowsNeedsOptions {
  readonly arch: string;
  /** The program that makes the sandbox. */
  readonly helper: string;
  readonly exists: (path: string) => boolean;
  /** Resolves to what a program prints with these arguments. */
  readonly print: (file: string, args: readonly string[]) => Promise<string>;
}

/**
 * Resolves to what is missing for a sandbox on Windows; undefined if nothing is. There, sandboxed programs run as a local
 * account, and a filter of the system keeps that account from the network. An administrator sets up both, once.
 */
export async function windowsNeed(options: WindowsNeedsOptions): Promise<MissingNeed | undefined> {
  const { arch, helper, exists, print } = options;
  if (!windowsProcessors.has(arch)) return { problem: l10n.t('There’s no sandbox for this processor ({0}).', arch) };
  if (!exists(helper)) {
    return {
      problem: l10n.t(
        'The sandbox for Windows isn’t in this package, because it hasn’t run on Windows yet. Use Parley in WSL or in a dev container, where there is a sandbox.',
      ),
    };
  }
  let setUp: JsonObject;
  try {
    const answer = asObject(JSON.parse(await print(helper, ['user', 'status'])));
    if (!answer) throw new Error(l10n.t('no answer'));
    setUp = answer;
  } catch (error) {
    return { problem: l10n.t('The program that makes the sandbox can’t run: {0}', messageOf(error)) };
  }
  // The service that starts programs as another account, the version of the set-up, and the one that the program needs.
  const { seclogon, marker_version: made, setup_version: needed } = setUp;
  if (seclogon === 'missing') {
    return { problem: l10n.t('The Windows service “Secondary Logon”, which the sandbox needs, is missing.') };
  }
  if (seclogon === 'disabled') {
    return {
      problem: l10n.t('The Windows service “Secondary Logon”, which the sandbox needs, is turned off.'),
      line: `powershell -Command "Start-Process sc.exe -Verb RunAs -ArgumentList 'config seclogon start= demand'"`,
    };
  }
  if (asObject(setUp['user'])?.['exists'] !== true || setUp['cred_present'] !== true) {
    return {
      problem: l10n.t(
        'The sandbox is experimental on Windows. Set it up once, with an administrator’s consent: it gets an account and a filter for its network.',
      ),
      line: runLine(helper, 'install'),
    };
  }
  if (made === needed) return undefined;
  const isNewer = typeof made === 'number' && typeof needed === 'number' && made > needed;
  return {
    problem: l10n.t('The sandbox was set up by another version of its program, and has to be set up again.'),
    // The older program doesn't replace what a newer one made, unless it is told to.
    line: runLine(helper, isNewer ? 'install --force' : 'install'),
  };
}

/** Returns a line that runs a program in both of Windows' shells, whatever characters its path has. */
function runLine(file: string, args: string): string {
  return `powershell -Command "& '${file.replaceAll("'", "''")}' ${args}"`;
}
