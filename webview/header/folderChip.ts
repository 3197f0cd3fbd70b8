import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { FolderAction, SessionFolder } from '../../src/shared/pages/messages';
import { icon } from '../base/icon';
import { hasOpenMenu, openMenu } from '../base/menu';

/** Returns where a session works: “harbor · retry-uploads”, or with the host of a remote agent. Empty if unknown. */
export function folderWords(folder: SessionFolder | undefined): string {
  if (!folder) return '';
  const { name, branch, host, isCopy } = folder;
  return [name, isCopy ? l10n.t('Own copy') : '', branch, host].filter(Boolean).join(' · ');
}

/** Renders where the session works. A click offers to open the folder, a terminal in it, or its path. */
export function folderChip(folder: SessionFolder, use: (action: FolderAction) => void): TemplateResult {
  const words = folderWords(folder);
  const open = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement) || hasOpenMenu(currentTarget)) return;
    const local = [
      { label: l10n.t('Open folder'), run: () => use('open') },
      { label: l10n.t('Open in terminal'), run: () => use('terminal') },
    ];
    // A remote agent's folder is on another computer.
    // What starts in a copy, such as the prompt of a shell, would run what the agent has configured there.
    const items = folder.host === undefined && !folder.isCopy ? local : [];
    const commit = { label: l10n.t('Commit and keep branch…'), run: () => use('commit') };
    const changes = [
      { label: l10n.t('Bring changes here'), run: () => use('bringChanges') },
      { label: l10n.t('Merge branch…'), run: () => use('mergeBranch') },
      commit,
      { label: l10n.t('Discard worktree…'), run: () => use('discardWorktree') },
    ];
    const ofCopy = [
      { label: l10n.t('Bring changes here'), run: () => use('bringChanges') },
      { label: l10n.t('Fetch branch…'), run: () => use('fetchBranch') },
      { label: l10n.t('Discard copy…'), run: () => use('discardWorktree') },
    ];
    const canMove = folder.branch !== undefined && folder.host === undefined;
    const move = { label: l10n.t('Move to worktree…'), run: () => use('moveToWorktree') };
    const ofWorktree = folder.isCopy
      ? ofCopy
      : folder.canBring
        ? changes
        : folder.isWorktree
          ? [commit]
          : canMove
            ? [move]
            : [];
    openMenu(currentTarget, words, [
      ...ofWorktree,
      ...items,
      { label: l10n.t('Copy path'), run: () => use('copyPath') },
    ]);
  };
  // That the session works elsewhere is said on narrow pages, too.
  const { branch, isWorktree, isCopy, host } = folder;
  const isApart = isWorktree === true || isCopy === true;
  const glyph =
    host !== undefined
      ? 'globe'
      : isWorktree
        ? 'worktree'
        : isCopy
          ? 'copy'
          : branch !== undefined
            ? 'git-branch'
            : 'folder';
  return html`<button
    type="button"
    class="chip where ${isApart ? '' : 'w-md'}"
    aria-haspopup="menu"
    aria-expanded="false"
    aria-label=${l10n.t('Folder: {0}', words)}
    title=${`${folder.path}${branch === undefined ? '' : `\n${branch}`}`}
    @click=${open}
  >
    ${icon(glyph)}<span class="clip ${isApart ? 'w-md' : ''}">${words}</span>
  </button>`;
}
