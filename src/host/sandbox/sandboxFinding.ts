import * as l10n from '@vscode/l10n';
import type { MissingNeed } from '../../sandbox/missingNeed';
import type { Finding } from '../../agent/setup/check';
import { messageOf } from '../../shared/values/messageOf';
import { editorsRipgrep, keeperPath } from './enclose';

/** Resolves to what is missing for a sandbox on this machine. The code is loaded on first use. */
export async function findMissing(
  env: Readonly<Record<string, string>>,
  extensionPath: string,
): Promise<MissingNeed | undefined> {
  const { missingNeed, windowsHelper } = await import('../../sandbox/sandboxes');
  const helper = windowsHelper(keeperPath(extensionPath));
  return missingNeed({ platform: process.platform, env, helper, hasRipgrep: editorsRipgrep() !== undefined });
}

/** Finds out whether agents can run in a sandbox on this machine: a problem if they have to. Never rejects. */
export async function sandboxFinding(
  env: Readonly<Record<string, string>>,
  extensionPath: string,
  isRequired: boolean,
): Promise<Finding> {
  const name = l10n.t('Sandbox');
  const state = isRequired ? 'problem' : 'note';
  try {
    const missing = await findMissing(env, extensionPath);
    if (!missing) {
      const detail = l10n.t('Agents can run in a sandbox. Turn it on with parley.sandbox.');
      return { name, state: 'ok', summary: l10n.t('available'), detail };
    }
    const { problem, line } = missing;
    return {
      name,
      state,
      summary: l10n.t('not available'),
      detail: problem,
      ...(line === undefined ? {} : { fix: { kind: 'copy', label: l10n.t('Copy command'), line } }),
    };
  } catch (error) {
    return { name, state, summary: l10n.t('not available'), detail: messageOf(error) };
  }
}
