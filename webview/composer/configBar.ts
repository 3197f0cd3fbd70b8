import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ConfigOption } from '../../src/shared/transcript/transcript';
import { isUnattended } from '../../src/shared/permissions/unattended';
import { picker, toggle, type ControlForm } from '../controls/controls';
import { icon } from '../base/icon';
import type { PickerChoice } from '../controls/pickerChoices';

/** The session's options as shown in the composer, and the callbacks for changes. */
export interface ConfigBarProps {
  readonly options: readonly ConfigOption[];
  /** Why nothing can be changed now, shown as a hint. Empty if it can. */
  readonly readOnly: string;
  readonly form: ControlForm;
  /** Whether the menu of the options other than mode and model is open. */
  readonly isMenuOpen: boolean;
  set(configId: string, value: string | boolean): void;
  openMenu(open: boolean): void;
}

/** With more options than this besides mode and model, even a wide page has them in the menu. */
const maxInRow = 3;

/** What the list of models has for the options that have no room in the bar. */
const moreValue = '\0more';

/**
 * Renders mode, model, and all other options of the agent, mode and model first
 * (https://agentclientprotocol.com/protocol/session-config-options). They are always in one row: what has no room there, on a narrow page
 * everything but mode and model, is in a menu, which the list of models and the button that adds something open.
 */
export function configBar(props: ConfigBarProps): TemplateResult | typeof nothing {
  if (props.options.length === 0) return nothing;
  const { first, others } = sorted(props.options);
  const place = placeOf(others);
  return html`${repeat(first, key, (option) => control(option, props, isModel(option) ? others : []))}
  ${
    others.length === 0
      ? nothing
      : html`${
          place === 'menu'
            ? nothing
            : html`<span class="others">${repeat(others, key, (option) => control(option, props))}</span>`
        }
        ${worksWithoutAsking(others) ? icon('warning', `attn ${belowLarge(place)}`) : nothing}`
  }`;
}

/** Renders the open menu: a row for each option that isn't in the bar. It belongs above the composer. */
export function optionsMenu(props: ConfigBarProps): TemplateResult | typeof nothing {
  const { others } = sorted(props.options);
  if (!props.isMenuOpen || others.length === 0) return nothing;
  return html`<div class="pl-pop above options" role="dialog" aria-label=${l10n.t('More options')}>
    ${repeat(
      others,
      key,
      (option) =>
        html`<div class="row">
          ${option.type === 'boolean' ? nothing : html`<span class="clip" aria-hidden="true">${option.name}</span>`}
          ${control(option, props)}
        </div>`,
    )}
  </div>`;
}

/** Returns whether the agent, as currently set, works without asking. */
export function worksWithoutAsking(options: readonly ConfigOption[]): boolean {
  return options.some((option) => isUnattended(option, option.currentValue));
}

/** Returns where the other options are on a wide page. */
function placeOf(others: readonly ConfigOption[]): 'row' | 'menu' {
  return others.length > maxInRow ? 'menu' : 'row';
}

function belowLarge(place: 'row' | 'menu'): string {
  return place === 'row' ? 'w-below-lg' : '';
}

interface SortedOptions {
  /** Mode and model. */
  readonly first: readonly ConfigOption[];
  readonly others: readonly ConfigOption[];
}

function sorted(options: readonly ConfigOption[]): SortedOptions {
  const byRank = [...options].sort((a, b) => rank(a) - rank(b));
  return { first: byRank.filter(isFirst), others: byRank.filter((option) => !isFirst(option)) };
}

function key(option: ConfigOption): string {
  return option.configId;
}

function isFirst(option: ConfigOption): boolean {
  return rank(option) < 2;
}

/** Categories of options that belong to the model, such as how fast it answers. */
const besideModel: ReadonlySet<string> = new Set(['model_config', 'speed']);

function rank(option: ConfigOption): number {
  const kind = option.category ?? option.configId;
  // An option that belongs to the model is next to it; the rest stays in the agent's order.
  return kind === 'mode' ? 0 : kind === 'model' ? 1 : besideModel.has(kind) ? 2 : 3;
}

function isModel(option: ConfigOption): boolean {
  return rank(option) === 1;
}

/** Returns whether there are options besides mode and model. */
export function hasOthers(options: readonly ConfigOption[]): boolean {
  return options.some((option) => !isFirst(option));
}

/** Renders an option. `others` are those that its list leads to. */
function control(option: ConfigOption, props: ConfigBarProps, others: readonly ConfigOption[] = []): TemplateResult {
  const warns = worksWithoutAsking([option]);
  const warning = warns ? icon('warning', 'attn') : nothing;
  if (option.type === 'boolean') {
    const hint = [option.name, option.description ?? '', props.readOnly];
    return html`${warning}${toggle(props.form, {
      label: option.name,
      hint: hint.filter((line) => line !== '').join('\n'),
      checked: option.currentValue,
      isDisabled: props.readOnly !== '',
      onToggle: (checked) => props.set(option.configId, checked),
    })}`;
  }
  const choices = choicesOf(option);
  const chosen = choices.find(({ value }) => value === option.currentValue);
  const hint = [
    `${option.name}: ${chosen?.label ?? option.currentValue}`,
    chosen?.description ?? option.description ?? '',
    warns ? runsWithoutAsking() : '',
    props.readOnly,
  ];
  return html`${warning}${picker(props.form, {
    label: option.name,
    hint: hint.filter((line) => line !== '').join('\n'),
    value: option.currentValue,
    choices: [...choices, ...moreChoice(others)],
    isDisabled: props.readOnly !== '',
    onPick: (value) => (value === moreValue ? props.openMenu(true) : props.set(option.configId, value)),
  })}`;
}

function moreChoice(others: readonly ConfigOption[]): readonly PickerChoice[] {
  const description = others.map(({ name }) => name).join(', ');
  return others.length === 0 ? [] : [{ value: moreValue, label: l10n.t('More options…'), description }];
}

/** Returns the choices of an option. If its value isn't listed by the agent, it is added, so that the picker can show it. */
function choicesOf(option: ConfigOption & { readonly type: 'select' }): readonly PickerChoice[] {
  const choices = option.choices.map(({ value, name, description, group }) => ({
    value,
    label: name,
    ...(description === undefined ? {} : { description }),
    ...(group === undefined ? {} : { group }),
    ...(isUnattended(option, value) ? { warning: runsWithoutAsking() } : {}),
  }));
  if (choices.some(({ value }) => value === option.currentValue)) return choices;
  return [{ value: option.currentValue, label: option.currentValue }, ...choices];
}

function runsWithoutAsking(): string {
  return l10n.t('Runs without asking');
}
