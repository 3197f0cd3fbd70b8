import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentId } from '../../src/shared/values/ids';
import {
  countTries,
  mostTries,
  plainStart,
  type StartAgent,
  type StartChoice,
  type StartPlace,
  type StartPlaces,
} from '../../src/shared/pages/startChoice';
import type { SandboxMode } from '../../src/shared/limits/sandboxMode';
import { icon } from '../base/icon';
import type { MenuItem } from '../base/menu';
import { menuButton } from '../base/menuButton';
import { monogram } from '../base/monogram';
import { sandboxChip } from './sandboxChip';
import { placeItems, placeWords } from './startPlace';

/** Who can answer a message. */
export interface WhoListing {
  readonly agent: AgentId;
  readonly preset?: string;
  /** The name of the preset, or of the agent. */
  readonly name: string;
}

/** What the row of a new session depends on. */
export interface StartRowState {
  /** The name of the folder for new sessions. Empty if none is open. */
  readonly folder: string;
  /** Who answers if the user chooses nobody. */
  readonly byDefault: WhoListing;
  /** Who can answer, or try. */
  readonly all: readonly WhoListing[];
  /** Whether the folder is in a repository, so that there can be worktrees. */
  readonly isInRepository: boolean;
  /** What agents are held to. */
  readonly sandbox: SandboxMode;
  /** Whether that can still be chosen, because the session doesn't exist yet. */
  readonly isHeldLater?: true;
}

export interface StartRowActions {
  startChanged(choice: StartChoice): void;
  /** Asks for the places for a new session, which arrive through `takePlaces`. */
  findPlaces(): void;
  /** Lets the user change the command that checks tries. */
  changeCheck(): void;
  /** Asks everything about a session in a worktree. */
  askForWorktree(): void;
  /** Asks everything about tries. */
  tryWith(): void;
  /** Lets the user choose what agents are held to in new sessions. */
  chooseSandbox(): void;
  /** Lists what the session's agent is held to, and lets the user change it. */
  showSandbox(): void;
}

/** The row below the message of a new session: where it works, and who answers or tries. It belongs to the draft. */
export class StartRow {
  private readonly actions: StartRowActions;
  private readonly redraw: (isOwn: boolean) => void;
  private choice = plainStart;
  private places: StartPlaces | undefined;
  private state: StartRowState | undefined;

  /** `redraw` is called with whether the user changed something in the row. */
  constructor(actions: StartRowActions, redraw: (isOwn: boolean) => void) {
    this.actions = actions;
    this.redraw = redraw;
  }

  /** Shows the choice of another draft. */
  show(choice: StartChoice): void {
    this.choice = choice;
    this.places = undefined;
    if (this.state) this.actions.findPlaces();
  }

  takePlaces(places: StartPlaces): void {
    this.places = places;
    this.redraw(false);
  }

  /** Follows what the row depends on. Undefined if the message isn't the first one of a session. */
  follow(state: StartRowState | undefined): void {
    const isNew = state !== undefined && this.state === undefined;
    this.state = state;
    if (isNew) this.actions.findPlaces();
  }

  /** What Enter starts. A choice without effect is the plain one. */
  get start(): StartChoice {
    const { state, choice } = this;
    if (!state) return plainStart;
    const [one] = this.who(state);
    const isDefault = this.tries === 1 && one !== undefined && isSame(one, state.byDefault);
    return { place: this.place(state), agents: isDefault ? [] : choice.agents };
  }

  /** In how many tries the message is answered. */
  get tries(): number {
    return this.state ? countTries(this.choice) : 1;
  }

  render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const who = this.who(state);
    return html`<div
        class="pl-where"
        role="group"
        aria-label=${l10n.t('Where and with whom')}
        @keydown=${(event: KeyboardEvent) => this.onKey(event, who)}
      >
        ${this.where(state)}
        <span class="sep" aria-hidden="true"></span>
        ${who.map((one) => this.chip(state, one, who))} ${this.adder(state, who)} ${this.check()} ${this.held(state)}
      </div>
      ${this.tries === 1 ? nothing : html`<div class="pl-hint">${triesWords(this.tries)}</div>`}`;
  }

  /** The place as it applies now. What applied when it was chosen may not any more. */
  private place({ isInRepository, sandbox }: StartRowState): StartPlace {
    const { place } = this.choice;
    const isPossible = place.kind !== 'worktree' || (isInRepository && sandbox === 'off');
    return isPossible ? place : plainStart.place;
  }

  private who({ byDefault }: StartRowState): readonly StartAgent[] {
    const { agents } = this.choice;
    return agents.length > 0 ? agents : [{ ...idOf(byDefault), tries: 1 }];
  }

  private change(change: Partial<StartChoice>): void {
    this.choice = { ...this.choice, ...change };
    this.actions.startChanged(this.choice);
    this.redraw(true);
  }

  /** Where the session works. Without another place, it only says so. */
  private where(state: StartRowState): TemplateResult {
    const isTry = this.tries > 1;
    const place = this.place(state);
    const { name, glyph } = placeWords(place, { ...state, places: this.places, isTry });
    const items = placeItems(place, { ...state, places: this.places, isTry }, this.actions, (chosen) =>
      this.change({ place: chosen }),
    );
    if (items.length < 2) return html`<span class="pl-pickr plain" title=${state.folder}>${icon(glyph)}${name}</span>`;
    return menuButton({
      label: l10n.t('Where: {0}', name),
      menu: l10n.t('Where'),
      className: 'pl-pickr',
      content: html`${icon(glyph)}<span class="clip">${name}</span>${icon('chevron-down')}`,
      items: () => items,
    });
  }

  private chip(state: StartRowState, one: StartAgent, who: readonly StartAgent[]): TemplateResult {
    const { name } = listingOf(state, one);
    const isTry = this.tries > 1;
    const label = isTry ? `${name}, ${countWords(one.tries)}` : l10n.t('Agent: {0}', name);
    const items = this.chipItems(state, one, who);
    const content = html`${monogram(name)}<span class="clip">${name}</span>${
        isTry ? html`<span class="n">×${one.tries}</span>` : nothing
      }`;
    if (items.length === 0) return html`<span class="chip agent" title=${label}>${content}</span>`;
    return menuButton({ label, menu: name, className: 'chip agent', content, items: () => items });
  }

  private chipItems(state: StartRowState, one: StartAgent, who: readonly StartAgent[]): readonly MenuItem[] {
    const { name } = listingOf(state, one);
    const most = mostTries - countTries({ ...this.choice, agents: who }) + one.tries;
    const counts = Array.from({ length: state.isInRepository ? most : 0 }, (_, at) => at + 1);
    const others = who.length > 1 ? [] : state.all.filter((other) => !isSame(other, one));
    return [
      ...counts.map((tries, at) => ({
        label: countWords(tries),
        isChecked: tries === one.tries,
        ...(at === 0 ? { group: l10n.t('Tries with {0}', name) } : {}),
        run: () => this.setTries(one, tries, who),
      })),
      ...others.map((other, at) => ({
        label: other.name,
        ...(at === 0 ? { group: l10n.t('Instead of {0}', name) } : {}),
        run: () => this.change({ agents: [{ ...idOf(other), tries: one.tries }] }),
      })),
      ...(who.length > 1
        ? [{ label: l10n.t('Remove {0}', name), group: '', run: () => this.setTries(one, 0, who) }]
        : []),
    ];
  }

  /** The button that adds who tries the message, too. */
  private adder(state: StartRowState, who: readonly StartAgent[]): TemplateResult | typeof nothing {
    const others = state.all.filter((other) => !who.some((one) => isSame(one, other)));
    const isFull = countTries({ ...this.choice, agents: who }) >= mostTries;
    if (!state.isInRepository || isFull || others.length === 0) return nothing;
    return menuButton({
      label: l10n.t('Add an agent'),
      className: 'chip plus',
      content: icon('add'),
      items: () =>
        others.map((other, at) => ({
          label: other.name,
          ...(at === 0 ? { group: l10n.t('Try with, too') } : {}),
          run: () => this.change({ agents: [...who, { ...idOf(other), tries: 1 }] }),
        })),
    });
  }

  /** The command that checks tries. Only the host lets it be changed, because it runs what is typed. */
  private check(): TemplateResult | typeof nothing {
    const { places } = this;
    if (this.tries === 1 || !places) return nothing;
    const { check } = places;
    const label = check === '' ? l10n.t('No check of the tries') : l10n.t('Check of the tries: {0}', check);
    return html`<button
      type="button"
      class="chip check"
      aria-label=${label}
      title=${label}
      @click=${() => this.actions.changeCheck()}
    >
      ${icon('beaker')}${
        check === ''
          ? html`<span>${l10n.t('No check')}</span>`
          : html`<span class="clip mono" dir="ltr">${check}</span>`
      }
    </button>`;
  }

  /** What agents are held to, in this session or in the one that Enter starts. */
  private held({ sandbox, isHeldLater }: StartRowState): TemplateResult {
    return sandboxChip(sandbox, () => (isHeldLater ? this.actions.chooseSandbox() : this.actions.showSandbox()));
  }

  /** Sets how often somebody tries the message. */
  private setTries(one: StartAgent, tries: number, who: readonly StartAgent[]): void {
    const agents = who.flatMap((other) => (other !== one ? other : tries > 0 ? { ...one, tries } : []));
    this.change({ agents });
  }

  /** On an agent's chip, + and - change its number, and Delete removes it. */
  private onKey(event: KeyboardEvent, who: readonly StartAgent[]): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.state?.isInRepository) return;
    if (!(event.target instanceof Element) || !event.target.matches('.chip.agent')) return;
    const chips = event.target.parentElement?.querySelectorAll('.chip.agent') ?? [];
    const one = who[[...chips].indexOf(event.target)];
    const by = { '+': 1, '-': -1, Delete: -mostTries, Backspace: -mostTries }[event.key];
    if (!one || by === undefined) return;
    event.preventDefault();
    const others = countTries({ ...this.choice, agents: who }) - one.tries;
    const least = who.length > 1 && by < -1 ? 0 : 1;
    const tries = Math.min(Math.max(one.tries + by, least), mostTries - others);
    if (tries !== one.tries) this.setTries(one, tries, who);
  }
}

function isSame(a: Pick<WhoListing, 'agent' | 'preset'>, b: Pick<WhoListing, 'agent' | 'preset'>): boolean {
  return a.agent === b.agent && a.preset === b.preset;
}

function idOf({ agent, preset }: WhoListing): Pick<StartAgent, 'agent' | 'preset'> {
  return preset === undefined ? { agent } : { agent, preset };
}

/** Returns what the page knows of an agent. One that is gone has the name that it was chosen with. */
function listingOf({ all, byDefault }: StartRowState, one: StartAgent): WhoListing {
  const name = one.preset ?? one.agent;
  return [...all, byDefault].find((other) => isSame(other, one)) ?? { ...one, name };
}

function countWords(tries: number): string {
  return tries === 1 ? l10n.t('1 try') : l10n.t('{0} tries', tries);
}

function triesWords(tries: number): string {
  return tries === 2
    ? l10n.t('Both get this message. You compare and take what you like.')
    : l10n.t('All {0} get this message. You compare and take what you like.', tries);
}
