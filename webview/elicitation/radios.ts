import { html, nothing, type TemplateResult } from 'lit-html';
import type { FormChoice } from '../../src/shared/forms/elicitation';
import type { FieldProps } from './fieldProps';

/** Labels longer than this are below each other. */
const shortLabel = 24;

/**
 * Renders a few choices as buttons in a radio group (https://www.w3.org/WAI/ARIA/apg/patterns/radio). If the field is optional, the chosen
 * one can be deselected.
 */
export function radios(
  props: FieldProps,
  choices: readonly FormChoice[],
  describedBy: string | typeof nothing,
): TemplateResult {
  const { field, id, value, problem, change } = props;
  const isStacked = choices.some(({ label, description }) => description !== undefined || label.length > shortLabel);
  const stop = Math.max(
    0,
    choices.findIndex((choice) => choice.value === value),
  );
  return html`<div
    class="pl-seg ${isStacked ? 'stack' : ''}"
    role="radiogroup"
    aria-labelledby="${id}-label"
    aria-required=${field.isRequired}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy}
    @keydown=${(event: KeyboardEvent) => walk(event, choices, change)}
  >
    ${choices.map((choice, at) => {
      const isOn = choice.value === value;
      return html`<button
        type="button"
        class="btn"
        role="radio"
        id=${at === 0 ? id : nothing}
        aria-label=${choice.label}
        aria-checked=${isOn}
        aria-describedby=${choice.description === undefined ? nothing : `${id}-about${at}`}
        tabindex=${at === stop ? 0 : -1}
        ?disabled=${props.isDisabled}
        @click=${() => change(isOn && !field.isRequired ? '' : choice.value)}
      >
        <span>${choice.label}</span>${
          choice.description === undefined
            ? nothing
            : html`<span class="help" id="${id}-about${at}">${choice.description}</span>`
        }
      </button>`;
    })}
  </div>`;
}

function walk(event: KeyboardEvent, choices: readonly FormChoice[], change: (value: string) => void): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = (buttons.indexOf(event.target as HTMLButtonElement) + step + buttons.length) % buttons.length;
  const choice = choices[at];
  if (!choice) return;
  event.preventDefault();
  change(choice.value);
  buttons[at]?.focus();
}
