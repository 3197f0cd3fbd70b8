import * as l10n from '@vscode/l10n';
import type { StartedPrograms } from '../../git/git';
import type { ChangedProgram, KnownPrograms, ProgramState } from '../../git/knownPrograms';
import { askModal } from '../ui/notifications';

/** How many differences a question lists. */
const mostShown = 12;
/** How much of a setting is shown, in characters. */
const longest = 120;

/** A command that can do without what the repository names: its button for that. */
export interface ProgramChoice {
  readonly without: string;
}

/** Asks about programs of a repository that have appeared or changed since a session began to work there. */
export class ProgramQuestions {
  private readonly known: Pick<KnownPrograms, 'stateOf' | 'agree'>;

  constructor(known: Pick<KnownPrograms, 'stateOf' | 'agree'>) {
    this.known = known;
  }

  /** See `decidePrograms`. */
  readonly decide = async (folder: string): Promise<StartedPrograms> => (await this.ask(folder)) ?? 'none';

  /** Resolves to what the user's own git may start in a folder; undefined if the user cancels. Doesn't ask if nothing has changed. */
  async ask(folder: string, choice?: ProgramChoice): Promise<'all' | 'own' | undefined> {
    const state = await this.known.stateOf(folder);
    if (!state || state.changed.length === 0) return 'all';
    const run = l10n.t('Run Them');
    const without = choice && canLeaveOut(state) ? choice.without : undefined;
    const answer = await askModal(
      l10n.t('Programs that Git starts in this repository have changed since a session began. Run them?'),
      {
        detail: [
          state.place.top ?? state.place.common,
          ...changeWords(state.changed),
          l10n.t('An agent may have changed them. Look at them first if you didn’t do it.'),
        ].join('\n'),
        items: without === undefined ? [run] : [without, run],
      },
    );
    if (answer === undefined) return undefined;
    if (answer !== run) return 'own';
    await this.known.agree(state);
    return 'all';
  }

  /** Says which hooks git runs for a command in a folder, and whether it signs; undefined if it does neither. */
  async hooksOf(folder: string, names: readonly string[]): Promise<string | undefined> {
    const state = await this.known.stateOf(folder);
    const found = new Set(state?.programs.map(({ name }) => /[^\\/]+$/.exec(name)?.[0] ?? ''));
    const hooks = names.filter((name) => found.has(name));
    if (hooks.length === 0) return undefined;
    return hooks.length === 1
      ? l10n.t('Git runs the hook {0}.', hooks[0] ?? '')
      : l10n.t('Git runs the hooks {0}.', hooks.join(', '));
  }
}

/** Whether git runs nothing that has changed if it leaves out what the repository names, and still stores files as before. */
function canLeaveOut({ programs, changed }: ProgramState): boolean {
  const fresh = new Set(changed.map(({ name }) => name));
  const hasFilter = programs.some(({ name }) => name.startsWith('filter.') && !fresh.has(name));
  return !hasFilter && changed.every(({ isElsewhere }) => isElsewhere !== true);
}

function changeWords(changed: readonly ChangedProgram[]): string[] {
  const lines = changed.slice(0, mostShown).map(({ name, value, change }) => {
    const shown = value === undefined ? name : `${name} = ${value}`;
    const cut = shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
    return change === 'new' ? l10n.t('New: {0}', cut) : l10n.t('Changed: {0}', cut);
  });
  const more = changed.length - lines.length;
  return more > 0 ? [...lines, l10n.t('and {0} more', more)] : lines;
}
