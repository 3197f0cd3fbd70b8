import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import type { FolderAction, PageState, SessionFolder } from '../../src/shared/pages/messages';
import { tourAgentId, type SessionKey } from '../../src/shared/values/ids';
import type { Transcript } from '../../src/shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { folderWords } from '../base/folderWords';
import { icon } from '../base/icon';
import type { MenuItem } from '../base/menu';
import { menuButton } from '../base/menuButton';
import { ownAgents } from '../base/ownAgents';
import { sandboxChip } from './sandboxChip';

/** What the row of a session that has begun shows. */
export interface PlaceRowState {
  /** Where it works. */
  readonly folder: SessionFolder | undefined;
  /** What its agent is held to. Undefined for one on another machine. */
  readonly sandbox: SandboxMode | undefined;
}

export interface PlaceRowActions {
  useFolder(action: FolderAction): void;
  /** Lists what the session's agent is held to, and lets the user change it. */
  showSandbox(): void;
}

/** Returns what the row below the message shows of a session that has begun. Undefined for the tour of somebody without an agent. */
export function placeRowOf(
  page: PageState,
  session: SessionKey | '',
  transcript: Transcript | undefined,
): PlaceRowState | undefined {
  const listing = page.sessions.find((one) => one.session === session);
  const view = transcript?.view;
  if (!listing || !view || (view.agentId === tourAgentId && ownAgents(page).length === 0)) return undefined;
  const { folder } = listing;
  return {
    folder,
    sandbox: view.place === 'elsewhere' ? undefined : (view.sandbox ?? 'off'),
  };
}

/** Renders the row below the message of a session that has begun: where it works, and what its agent is held to. */
export function placeRow({ folder, sandbox }: PlaceRowState, actions: PlaceRowActions): TemplateResult {
  return html`<div class="pl-where begun" role="group" aria-label=${l10n.t('Where it works')}>
    ${folder === undefined ? nothing : where(folder, actions)}
    ${sandbox === undefined ? nothing : sandboxChip(sandbox, () => actions.showSandbox())}
  </div>`;
}

function where(folder: SessionFolder, actions: PlaceRowActions): TemplateResult {
  const name = placeName(folder);
  const items = folderItems(folder, (action) => actions.useFolder(action));
  const { path, branch } = folder;
  const content = html`${icon(glyphOf(folder))}<span class="clip">${name}</span>`;
  // A menu of one entry is none.
  if (items.length < 2) return html`<span class="pl-pickr plain" title=${path}>${content}</span>`;
  return menuButton({
    label: l10n.t('Where: {0}', name),
    title: [path, branch].filter(Boolean).join('\n'),
    menu: folderWords(folder),
    className: 'pl-pickr',
    content: html`${content}${icon('chevron-down')}`,
    items: () => items,
  });
}

function placeName({ name, isHere, branch, isWorktree, isCopy, host }: SessionFolder): string {
  if (isHere) return l10n.t('In this folder');
  if (isCopy) return l10n.t('In its own copy');
  const place = host === undefined ? (isWorktree ? (branch ?? name) : name) : `${name} · ${host}`;
  return l10n.t('In {0}', showHiddenOnOneLine(place));
}

function glyphOf({ isWorktree, isCopy, host }: SessionFolder): string {
  if (host !== undefined) return 'globe';
  if (isCopy) return 'copy';
  return isWorktree ? 'worktree' : 'folder';
}

/** Returns what can be done with the folder of a session. */
function folderItems(folder: SessionFolder, use: (action: FolderAction) => void): readonly MenuItem[] {
  const item = (action: FolderAction, label: string): MenuItem => ({ label, run: () => use(action) });
  const bring = item('bringChanges', l10n.t('Bring changes here'));
  const commit = item('commit', l10n.t('Commit and keep branch…'));
  const { branch, isCopy, isWorktree, canBring, host } = folder;
  const apart = (): readonly MenuItem[] => {
    if (isCopy) {
      const fetch = item('fetchBranch', l10n.t('Fetch branch…'));
      return [bring, fetch, item('discardWorktree', l10n.t('Discard copy…'))];
    }
    if (canBring) {
      const merge = item('mergeBranch', l10n.t('Merge branch…'));
      return [bring, merge, commit, item('discardWorktree', l10n.t('Discard worktree…'))];
    }
    if (isWorktree) return [commit];
    return branch !== undefined && host === undefined ? [item('moveToWorktree', l10n.t('Move to worktree…'))] : [];
  };
  // A remote agent's folder is on another computer.
  // What starts in a copy, such as the prompt of a shell, would run what the agent has configured there.
  const local = [item('open', l10n.t('Open folder')), item('terminal', l10n.t('Open in terminal'))];
  return [...apart(), ...(host === undefined && !isCopy ? local : []), item('copyPath', l10n.t('Copy path'))];
}
