import * as l10n from '@vscode/l10n';
import type { FolderListing, StartPlace, StartPlaces } from '../../src/shared/pages/startChoice';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import { showHidden } from '../../src/shared/text/visibleText';
import type { MenuItem } from '../base/menu';

/** What the places depend on. */
export interface PlaceState {
  readonly folder: string;
  readonly isInRepository: boolean;
  readonly sandbox: SandboxMode;
  /** Undefined until the host has found them. */
  readonly places: StartPlaces | undefined;
  /** Whether the message is answered in several tries. */
  readonly isTry: boolean;
}

interface PlaceActions {
  askForWorktree(): void;
  tryWith(): void;
}

/** Returns a place in words, and its icon. */
export function placeWords(
  place: StartPlace,
  { sandbox, folder, places, isTry }: PlaceState,
): { readonly name: string; readonly glyph: string } {
  if (isTry) return sandbox === 'off' ? eachInWorktree() : { name: l10n.t('Each in its own copy'), glyph: 'shield' };
  switch (place.kind) {
    case 'worktree':
      return { name: l10n.t('In a worktree'), glyph: 'worktree' };
    case 'copy':
      return { name: l10n.t('In its own copy'), glyph: 'shield' };
    case 'folder':
      return { name: l10n.t('In {0}', showHidden(nameOf(place.path, places))), glyph: 'folder' };
    case 'here':
      if (sandbox === 'ownCopy') return { name: l10n.t('In its own copy'), glyph: 'shield' };
      return { name: folder === '' ? l10n.t('In an empty folder') : l10n.t('In this folder'), glyph: 'folder' };
  }
}

function eachInWorktree() {
  return { name: l10n.t('Each in a worktree'), glyph: 'worktree' };
}

function nameOf(path: string, places: StartPlaces | undefined): string {
  const all = places ? [...places.worktrees, ...places.folders] : [];
  return all.find((one) => one.path === path)?.name ?? path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

/** Returns the places that there are here, and the way to everything else about them. */
export function placeItems(
  place: StartPlace,
  state: PlaceState,
  actions: PlaceActions,
  choose: (place: StartPlace) => void,
): readonly MenuItem[] {
  const { isInRepository, sandbox, places, isTry } = state;
  if (isTry) {
    const { name, glyph } = placeWords(place, state);
    return [
      { label: name, icon: glyph, isChecked: true, detail: fromWords(places), run: () => undefined },
      { label: l10n.t('Options of the tries…'), icon: 'settings', group: '', run: () => actions.tryWith() },
    ];
  }
  const one = (kind: 'here' | 'worktree' | 'copy', label: string, icon: string, detail: string): MenuItem => ({
    label,
    icon,
    detail,
    isChecked: place.kind === kind,
    run: () => choose({ kind }),
  });
  const folders = (group: string, all: readonly FolderListing[]) =>
    all.map(({ name, path }, at): MenuItem => ({
      label: l10n.t('In {0}', showHidden(name)),
      icon: 'folder',
      detail: showHidden(path),
      isChecked: place.kind === 'folder' && place.path === path,
      ...(at === 0 ? { group } : {}),
      run: () => choose({ kind: 'folder', path }),
    }));
  const hasWorktrees = isInRepository && sandbox === 'off';
  const here = placeWords({ kind: 'here' }, state);
  const shows =
    sandbox === 'ownCopy'
      ? l10n.t('Can’t touch your files until you bring changes here')
      : l10n.t('Changes show up in your files');
  return [
    one('here', here.name, here.glyph, shows),
    ...(hasWorktrees ? [one('worktree', l10n.t('In a worktree'), 'worktree', fromWords(places))] : []),
    ...(places?.canCopy === true && sandbox !== 'ownCopy'
      ? [
          one(
            'copy',
            l10n.t('In its own copy (sandbox)'),
            'shield',
            l10n.t('Can’t touch your files until you bring changes here'),
          ),
        ]
      : []),
    ...folders(l10n.t('Other worktrees'), places?.worktrees ?? []),
    ...folders(l10n.t('Other folders'), places?.folders ?? []),
    ...(hasWorktrees
      ? [
          {
            label: l10n.t('Worktree options…'),
            icon: 'settings',
            group: '',
            detail: optionWords(places),
            run: () => actions.askForWorktree(),
          },
        ]
      : []),
  ];
}

function fromWords(places: StartPlaces | undefined): string {
  return places?.branch === undefined
    ? l10n.t('Own branch, named after your message')
    : l10n.t('Own branch from {0}, named after your message', showHidden(places.branch));
}

/** Says what a worktree gets without a question. */
function optionWords(places: StartPlaces | undefined): string {
  const { branch, ignored = [], bringsChanges = false, setup = '' } = places ?? {};
  const brought = [...(bringsChanges ? [l10n.t('uncommitted changes')] : []), ...ignored];
  return [
    branch === undefined ? l10n.t('From the current commit') : l10n.t('From {0}', showHidden(branch)),
    ...(brought.length > 0 ? [l10n.t('copies {0}', showHidden(brought.join(', ')))] : []),
    ...(setup === '' ? [] : [l10n.t('runs {0}', showHidden(setup))]),
  ].join(', ');
}
