import { relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Unprotected } from '../../../baseline/baseline';
import type { Finding, Fix } from '../../../agent/setup/check';
import { showHiddenOnOneLine } from '../../../shared/text/visibleText';

/** Maximum number of files and folders in a finding. */
const shown = 5;

/** Returns the path of an unprotected file or folder as the user sees it. */
export function unprotectedName({ path, isFolder }: Unprotected, folders: readonly string[]): string {
  const below = folders.map((folder) => relative(folder, path)).find((way) => !way.startsWith('..')) ?? path;
  const name = showHiddenOnOneLine(below === '' ? path : below);
  return isFolder ? `${name}/` : name;
}

/** Returns what can't be undone in the folders of this window, with one way to protect it. */
export function protectionFinding(all: readonly Unprotected[], folders: readonly string[]): Finding {
  const name = l10n.t('Undo');
  if (all.length === 0) {
    const detail = l10n.t('Before each turn, Parley records your files or finds them in Git.');
    return { name, state: 'ok', summary: l10n.t('changes can be undone'), detail };
  }
  const names = all.slice(0, shown).map((one) => unprotectedName(one, folders));
  const rest = all.length - names.length;
  const list = rest > 0 ? l10n.t('{0}, and {1} more', names.join(', '), rest) : names.join(', ');
  const summary =
    all.length === 1
      ? l10n.t('1 file or folder isn’t protected')
      : l10n.t('{0} files and folders aren’t protected', all.length);
  if (all.every(({ reason }) => reason === 'ignored')) {
    const detail = l10n.t('Git ignores {0}. Back up what you need, or commit it to Git.', list);
    return { name, state: 'note', summary, detail };
  }
  const detail = l10n.t('Too large or too many to record: {0}. Commit them to Git so changes can be undone.', list);
  return { name, state: 'note', summary, detail, fix: fixFor(all, folders) };
}

function fixFor(all: readonly Unprotected[], folders: readonly string[]): Fix {
  const paths = all.filter(({ reason }) => reason !== 'ignored').map((one) => unprotectedName(one, folders));
  // Other names would need the quotes of the user's shell.
  if (paths.length <= shown && paths.every((path) => /^[\w][\w./-]*[\w]$/.test(path))) {
    const line = `git init; git add -- ${paths.join(' ')}; git commit -m "Before the agent"`;
    return { kind: 'copy', label: l10n.t('Copy the commands'), line };
  }
  return { kind: 'link', label: l10n.t('Open Git’s tutorial'), url: 'https://git-scm.com/docs/gittutorial' };
}
