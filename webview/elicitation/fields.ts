import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { FormChoice, FormField } from '../../src/shared/forms/elicitation';
import { icon } from '../base/icon';
import { problemWords } from './fieldProblemWords';
import type { FieldProps } from './fieldProps';
import { radios } from './radios';

// Always native elements: description and validity must be set on the element that has the focus, which the toolkit hides in its shadow
// root.

/** Maximum number of choices shown as buttons. More are a list. */
const buttonLimit = 4;
/** Texts with at least this maximum length get a field of several lines. */
const lineLimit = 200;

/** Renders a field: the label, the control, its problem, and help. */
export function formField(props: FieldProps): TemplateResult {
  const { field, id } = props;
  if (field.type === 'boolean') {
    return html`<div class="fld">
      ${checkRow(props, id, field.label, field.description, props.value === true, props.change)}
    </div>`;
  }
  const isGroup = field.type === 'choices' || (field.type === 'choice' && isShort(field.choices));
  // Beside the label, not in it, because the label is the field's name, and `required` has its own attribute.
  const required = field.isRequired
    ? html` <span class="dim" aria-hidden="true">${l10n.t('(required)')}</span>`
    : nothing;
  const label = isGroup
    ? html`<span id="${id}-label">${field.label}</span>`
    : html`<label for=${id}>${field.label}</label>`;
  return html`<div class="fld">
    <div class="lab">${label}${required}</div>
    ${asksAbove(field) ? helpText(id, field.description ?? '', 0) : nothing} ${control(props)}
    ${
      props.problem === undefined
        ? nothing
        : html`<span class="bad-msg" id="${id}-bad"
            >${icon('error', 'err')}<span>${problemWords(props.problem, field.description !== undefined)}</span></span
          >`
    }
    ${help(props).map((text, at) => (at === 0 && asksAbove(field) ? nothing : helpText(id, text, at)))}
  </div>`;
}

/** Returns whether the description is shown above the choices. It is often the question itself, with a short title as label. */
function asksAbove(field: FormField): boolean {
  return (field.type === 'choice' || field.type === 'choices') && (field.description ?? '') !== '';
}

function helpText(id: string, text: string, at: number): TemplateResult {
  return html`<span class="help" id="${id}-help${at}">${text}</span>`;
}

function control(props: FieldProps): TemplateResult {
  const { field } = props;
  switch (field.type) {
    case 'choice':
      return isShort(field.choices)
        ? radios(props, field.choices, describedBy(props))
        : list(props, field.choices, field.isRequired && field.initial !== '');
    case 'choices':
      return checks(props, field.choices);
    case 'text':
      return (field.maxLength ?? 0) >= lineLimit || field.initial.includes('\n') ? area(props) : line(props);
    default:
      return line(props);
  }
}

function isShort(choices: readonly FormChoice[]): boolean {
  return choices.length <= buttonLimit;
}

/** Returns the paragraphs that help to fill in a field. */
function help({ field, value }: FieldProps): readonly string[] {
  const texts = [field.description ?? ''];
  if (field.type === 'unknown') {
    texts.push(l10n.t('Unsupported field type “{0}”. Your input is sent as text.', field.kind));
  }
  if (field.type === 'choice' && !isShort(field.choices)) {
    texts.push(field.choices.find((choice) => choice.value === value)?.description ?? '');
  }
  return texts.filter((text) => text !== '');
}

function describedBy(props: FieldProps): string | typeof nothing {
  const { id, problem } = props;
  const ids = [problem === undefined ? '' : `${id}-bad`, ...help(props).map((_text, at) => `${id}-help${at}`)];
  return ids.filter(Boolean).join(' ') || nothing;
}

function line(props: FieldProps): TemplateResult {
  const { field, id, value, problem, change } = props;
  const isSecret = field.type === 'text' && field.isSecret;
  return html`<input
    id=${id}
    class="inp"
    type=${isSecret ? 'password' : 'text'}
    inputmode=${inputMode(field)}
    placeholder=${placeholder(field)}
    autocomplete="off"
    spellcheck=${field.type === 'text' && field.format === undefined && !isSecret}
    aria-required=${field.isRequired}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(props)}
    ?disabled=${props.isDisabled}
    .value=${live(String(value))}
    @input=${(event: Event) => change((event.target as HTMLInputElement).value)}
  />`;
}

function area(props: FieldProps): TemplateResult {
  const { field, id, value, problem, change } = props;
  return html`<textarea
    id=${id}
    class="inp"
    rows="3"
    aria-required=${field.isRequired}
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(props)}
    ?disabled=${props.isDisabled}
    .value=${live(String(value))}
    @input=${(event: Event) => change((event.target as HTMLTextAreaElement).value)}
  ></textarea>`;
}

function inputMode(field: FormField): string | typeof nothing {
  if (field.type === 'integer') return 'numeric';
  if (field.type === 'number') return 'decimal';
  if (field.type !== 'text') return nothing;
  return field.format === 'email' ? 'email' : field.format === 'uri' ? 'url' : nothing;
}

/** Returns the expected format, also used in the message for an invalid value. */
function placeholder(field: FormField): string | typeof nothing {
  if (field.type !== 'text') return nothing;
  return field.format === 'date' ? '2026-11-30' : field.format === 'date-time' ? '2026-11-30 14:30' : nothing;
}

function list(props: FieldProps, choices: readonly FormChoice[], isChosen: boolean): TemplateResult {
  const { field, id, value, problem, change } = props;
  const none = field.isRequired ? l10n.t('Select an option') : l10n.t('No answer');
  return html`<span class="sel"
    ><select
      id=${id}
      class="inp"
      aria-required=${field.isRequired}
      aria-invalid=${problem !== undefined}
      aria-describedby=${describedBy(props)}
      ?disabled=${props.isDisabled}
      .value=${live(String(value))}
      @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}
    >
      ${isChosen ? nothing : html`<option value="" ?selected=${value === ''}>${none}</option>`}
      ${choices.map(
        (choice) => html`<option value=${choice.value} ?selected=${choice.value === value}>${choice.label}</option>`,
      )}</select
    >${icon('chevron-down')}</span
  >`;
}

function checks(props: FieldProps, choices: readonly FormChoice[]): TemplateResult {
  const { id, value, problem, change } = props;
  const chosen: readonly string[] = typeof value === 'object' ? value : [];
  return html`<div
    class="checks"
    role="group"
    aria-labelledby="${id}-label"
    aria-invalid=${problem !== undefined}
    aria-describedby=${describedBy(props)}
  >
    ${choices.map((choice, at) =>
      checkRow(
        props,
        at === 0 ? id : `${id}-${at}`,
        choice.label,
        choice.description,
        chosen.includes(choice.value),
        (isOn) => change(isOn ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value)),
      ),
    )}
  </div>`;
}

function checkRow(
  { isDisabled }: FieldProps,
  id: string,
  label: string,
  description: string | undefined,
  isOn: boolean,
  change: (isOn: boolean) => void,
): TemplateResult {
  return html`<div class="row">
    <input
      type="checkbox"
      id=${id}
      aria-describedby=${description === undefined ? nothing : `${id}-about`}
      ?disabled=${isDisabled}
      .checked=${live(isOn)}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
    />
    <div>
      <label for=${id}>${label}</label
      >${description === undefined ? nothing : html`<span class="help" id="${id}-about">${description}</span>`}
    </div>
  </div>`;
}
