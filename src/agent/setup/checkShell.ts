import { delimiter } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ShellEnvironment } from '../launch/shellEnvironment';
import { seconds, type Finding } from './check';

/** A shell that takes longer than this delays the first agent noticeably, in milliseconds. */
const slowShell = 3000;

/** Describes how the environment of the user's shell was read, and how long that took. */
export function describeShell({ source, shell, problem }: ShellEnvironment, ms: number): Finding {
  const name = l10n.t('Shell environment');
  if (shell === undefined) {
    const detail = l10n.t('Agents use the environment VS Code was started with.');
    return { name, state: 'ok', summary: l10n.t('from VS Code'), detail };
  }
  if (source === 'process') {
    const detail = problem ?? l10n.t('Agents use the environment VS Code was started with.');
    const line = `${shell} -i -l -c env`;
    const fix = { kind: 'copy', label: l10n.t('Copy a command that shows why'), line } as const;
    return { name, state: 'problem', summary: l10n.t('couldn’t be read'), detail, fix };
  }
  if (ms > slowShell) {
    const detail = l10n.t('{0} took {1} s to start. The first agent of each window waits for it.', shell, seconds(ms));
    const fix = {
      kind: 'copy',
      label: l10n.t('Copy a command that measures it'),
      line: `time ${shell} -i -l -c exit`,
    } as const;
    return { name, state: 'note', summary: l10n.t('slow'), detail, fix };
  }
  return { name, state: 'ok', summary: l10n.t('read in {0} s', seconds(ms)), detail: shell };
}

/** Describes the PATH that agents get. `inUse` is the one that this window's agents have, if it was read before. */
export function describePath(path: string, inUse: string | undefined): Finding {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const name = 'PATH';
  if (folders.length === 0) {
    const fix = { kind: 'copy', label: l10n.t('Copy a command that shows it'), line: 'echo $PATH' } as const;
    return {
      name,
      state: 'problem',
      summary: l10n.t('empty'),
      detail: l10n.t('Without it, no programs can be found.'),
      fix,
    };
  }
  const detail = folders.join(delimiter);
  const summary = folders.length === 1 ? l10n.t('1 folder') : l10n.t('{0} folders', folders.length);
  if (inUse === undefined || inUse === path) return { name, state: 'ok', summary, detail };
  const changed = l10n.t(
    'Your shell’s PATH has changed since this window read it. Run “Developer: Reload Window” to use it.',
  );
  return { name, state: 'note', summary, detail: `${changed} ${detail}` };
}
