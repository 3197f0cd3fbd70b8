import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ConfigOption } from '../../src/shared/transcript';
import { isUnattended } from '../../src/shared/unattended';
import { picker, toggle, type ControlForm } from '../controls/controls';
import { icon } from '../base/icon';
import type { PickerChoice } from '../controls/pickerChoices';

/** The session's options as shown in the composer, and the callbacks for changes. */
export interface ConfigBarProps {
  readonly options: readonly ConfigOption[];
  readonly form: ControlForm;
  /** Whether a narrow page also shows options other than mode and model. */
  readonly showsAll: boolean;
  set(configId: string, value: string | boolean): void;
  showAll(all: boolean): void;
}

/**
 * Renders mode, model, and all other options of the agent, mode and model first
 * (https://agentclientprotocol.com/protocol/session-config-options). On a narrow page, the others are behind a button, so that every option
 * is available at every width.
 */
export function configBar(props: ConfigBarProps): TemplateResult | typeof nothing {
  if (props.options.length === 0) return nothing;
  const first = props.options.filter(isFirst).sort((a, b) => rank(a) - rank(b));
  const others = props.options.filter((option) => !isFirst(option)).sort((a, b) => rank(a) - rank(b));
  return html`${repeat(first, key, (option) => control(option, props))}
  ${
    others.length === 0
      ? nothing
      : html`<span class="others ${props.showsAll ? 'all' : ''}">
            ${repeat(others, key, (option) => control(option, props))}
          </span>
          ${!props.showsAll && worksWithoutAsking(others) ? icon('warning', 'attn w-below-lg') : nothing}
          <button
            class="ib w-below-lg"
            aria-label=${l10n.t('More options')}
            title=${l10n.t('More options')}
            aria-expanded=${String(props.showsAll)}
            @click=${() => props.showAll(!props.showsAll)}
          >
            ${icon('settings')}
          </button>`
  }`;
}

/** Returns whether the agent, as currently set, works without asking. */
export function worksWithoutAsking(options: readonly ConfigOption[]): boolean {
  return options.some((option) => isUnattended(option, option.currentValue));
}

function key(option: ConfigOption): string {
  return option.configId;
}

function isFirst(option: ConfigOption): boolean {
  return rank(option) < 2;
}

function rank(option: ConfigOption): number {
  const kind = option.category ?? option.configId;
  // An option that belongs to the model is next to it; the rest stays in the agent's order.
  return kind === 'mode' ? 0 : kind === 'model' ? 1 : kind === 'model_config' ? 2 : 3;
}

function control(option: ConfigOption, props: ConfigBarProps): TemplateResult {
  const hint = option.description === undefined ? option.name : `${option.name}\n${option.description}`;
  const warning = worksWithoutAsking([option]) ? icon('warning', 'attn') : nothing;
  if (option.type === 'boolean') {
    return html`${warning}${toggle(props.form, {
      label: option.name,
      hint,
      checked: option.currentValue,
      onToggle: (checked) => props.set(option.configId, checked),
    })}`;
  }
  return html`${warning}${picker(props.form, {
    label: option.name,
    hint,
    value: option.currentValue,
    choices: choicesOf(option),
    onPick: (value) => props.set(option.configId, value),
  })}`;
}

/** Returns the choices of an option. If its value isn't listed by the agent, it is added, so that the picker can show it. */
function choicesOf(option: ConfigOption & { readonly type: 'select' }): readonly PickerChoice[] {
  const choices = option.choices.map(({ value, name, description, group }) => ({
    value,
    label: name,
    ...(description === undefined ? {} : { description }),
    ...(group === undefined ? {} : { group }),
  }));
  if (choices.some(({ value }) => value === option.currentValue)) return choices;
  return [{ value: option.currentValue, label: option.currentValue }, ...choices];
}
