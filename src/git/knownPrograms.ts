import { realpath } from 'node:fs/promises';
import { isBelow } from '../shared/limits/isBelow';
import { safeGit, settingsAbout } from './git';
import { gitPlaceOf, type GitPlace } from './gitPlace';
import { programsOf, type RepositoryProgram } from './programs';

/** Prints of programs by their names, of a folder of git or of a working tree. */
export type Prints = Readonly<Record<string, string>>;

/** What is known of repositories. */
export interface KnownPlaces {
  /** The folders in which sessions have worked. */
  readonly folders: readonly string[];
  readonly prints: ReadonlyMap<string, Prints>;
}

/** Keeps what is known of repositories, where no agent can write. */
export interface ProgramMemory {
  load(): Promise<KnownPlaces>;
  keepPrints(place: string, prints: Prints): Promise<void>;
  keepFolder(folder: string): Promise<void>;
}

/** A program of a repository that isn't what it was. */
export interface ChangedProgram extends RepositoryProgram {
  readonly change: 'new' | 'changed';
}

/** What would be started in a repository. */
export interface ProgramState {
  readonly place: GitPlace;
  readonly programs: readonly RepositoryProgram[];
  /** What has appeared or changed since the first session there, and the user hasn't agreed to. */
  readonly changed: readonly ChangedProgram[];
  /** Whether the working tree was there before the first session, or the user has agreed to it. */
  readonly isKnown: boolean;
}

/**
 * Knows what git started in a repository when the first session began to work there. What appears or changes later may be an agent's, until the
 * user has agreed to it.
 */
export class KnownPrograms {
  private readonly memory: ProgramMemory;
  /** One after the other: what a session finds is what was there before it. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(memory: ProgramMemory) {
    this.memory = memory;
  }

  /** Notes what is in a folder before a session works there. What is known already stays. */
  begin(folder: string): Promise<void> {
    const noted = this.turn.then(() => this.note(folder));
    this.turn = noted.catch(() => undefined);
    return noted;
  }

  /** Returns what git would start in a folder; undefined if there is no repository. */
  async stateOf(folder: string): Promise<ProgramState | undefined> {
    const place = await gitPlaceOf(folder);
    if (!place) return undefined;
    const programs = await programsIn(place);
    const known = await this.memory.load();
    const isKnown = place.top !== undefined && known.prints.has(treeKey(place.top));
    return { place, programs, changed: changedPrograms(known, place, programs), isKnown };
  }

  /** Returns the repositories of folders that were there before the first session, and that still are where they were. */
  async placesOf(folders: readonly string[]): Promise<readonly GitPlace[]> {
    const states = await Promise.all(folders.map((folder) => this.stateOf(folder)));
    return states.flatMap((state) => {
      const isMoved = !state?.isKnown || state.changed.some(({ name }) => name === '.git');
      return isMoved ? [] : [state.place];
    });
  }

  /** The user has agreed to what is there. */
  async agree({ place, programs }: ProgramState): Promise<void> {
    for (const [at, prints] of partsOf(place, programs)) await this.memory.keepPrints(at, prints);
  }

  private async note(given: string): Promise<void> {
    const folder = await realpath(given);
    const { folders, prints: known } = await this.memory.load();
    const place = await gitPlaceOf(folder);
    const keys = place ? [...(place.top === undefined ? [] : [treeKey(place.top)]), place.common] : [];
    if (place && !keys.every((key) => known.has(key))) {
      for (const [at, prints] of partsOf(place, await programsIn(place))) {
        // In a folder of an earlier session, it may be that session's agent that has put it there.
        if (!known.has(at) && !isBelow(at, folders)) await this.memory.keepPrints(at, prints);
      }
    }
    if (!folders.includes(folder)) await this.memory.keepFolder(folder);
  }
}

/** Returns what isn't as it's known. A place that no session has worked in can't have been changed by one. */
export function changedPrograms(
  { folders, prints }: KnownPlaces,
  place: GitPlace,
  programs: readonly RepositoryProgram[],
): readonly ChangedProgram[] {
  const top = place.top === undefined ? undefined : prints.get(treeKey(place.top));
  const isNewPlace = top === undefined && isBelow(place.top ?? place.common, folders);
  const pointer = programs.find(({ name }) => name === '.git');
  const isLedElsewhere = isNewPlace || (top !== undefined && top['.git'] !== pointer?.print);
  const shared = prints.get(place.common) ?? (isLedElsewhere || isBelow(place.common, folders) ? {} : undefined);
  const tree = top ?? (isNewPlace ? {} : undefined);
  return programs.flatMap((one) => {
    const known = one.scope === 'shared' ? shared : tree;
    if (!known || known[one.name] === one.print) return [];
    return [{ ...one, change: known[one.name] === undefined ? ('new' as const) : ('changed' as const) }];
  });
}

async function programsIn(place: GitPlace): Promise<readonly RepositoryProgram[]> {
  const settings = await settingsAbout(place);
  return programsOf(place, settings ?? { all: [], files: [] }, await gitlinksOf(place));
}

/** The folders in which the index has a repository of its own. */
async function gitlinksOf({ top }: GitPlace): Promise<readonly string[]> {
  if (top === undefined) return [];
  const listed = await safeGit(top, ['ls-files', '-z', '--stage', '--', ':/']);
  return listed.out
    .toString()
    .split('\0')
    .flatMap((line) => /^160000 [0-9a-f]+ \d\t(.+)$/s.exec(line)?.[1] ?? []);
}

function partsOf(place: GitPlace, programs: readonly RepositoryProgram[]): readonly (readonly [string, Prints])[] {
  const printsOf = (scope: RepositoryProgram['scope']) =>
    Object.fromEntries(programs.filter((one) => one.scope === scope).map(({ name, print }) => [name, print]));
  return [
    ...(place.top === undefined ? [] : [[treeKey(place.top), printsOf('tree')] as const]),
    [place.common, printsOf('shared')],
  ];
}

/** A folder of git can be a working tree's own, so they have other keys. */
function treeKey(top: string): string {
  return `${top}/`;
}
