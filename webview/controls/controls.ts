import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { ref } from 'lit-html/directives/ref.js';
import { icon } from '../base/icon';
import { groupsOf, type PickerChoice, type PickerProps } from './pickerChoices';
import type * as PickerModule from './pickerElement';

// The one file that names @vscode/webview-ui-toolkit: the toolkit is archived upstream, and leaving it means changing this
// file alone. It is heavy (docs/adr), so it comes in a chunk of its own after the first paint. Until then, and for good if
// the chunk cannot load, every control is a native element with the same role, name and behaviour; the native form is
// therefore never a stopgap to be waited for. Once the toolkit is there, a control takes its form at the next rendering in
// which nobody has a hand on it: an element that is swapped between mouse down and mouse up loses the click, and one that
// has focus loses it. Lists that are long or in groups then become one with a search, which the toolkit does not know.

/** A switch. `label` stands beside it and is its accessible name. */
export interface ToggleProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  onToggle(checked: boolean): void;
}

/** Which form a control takes. */
export type ControlForm = 'native' | 'toolkit';

let arrived = false;
let searchable: typeof PickerModule | undefined;

/**
 * Loads the toolkit when the page has nothing better to do and calls back when it is there. Never rejects: without it the
 * controls stay native, and `onError` learns why.
 */
export async function loadToolkit(onError: (reason: unknown) => void): Promise<boolean> {
  await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }));
  try {
    const [toolkit, element] = await Promise.all([import('@vscode/webview-ui-toolkit'), import('./pickerElement')]);
    searchable = element;
    element.definePicker();
    toolkit
      .provideVSCodeDesignSystem()
      .register(
        toolkit.vsCodeDropdown(),
        toolkit.vsCodeOption(),
        toolkit.vsCodeCheckbox(),
        toolkit.vsCodeProgressRing(),
      );
    arrived = true;
  } catch (reason) {
    onError(reason);
  }
  return arrived;
}

/** The form that controls inside `container` may take now: one that is under the user's hand keeps the form it has. */
export function controlForm(container: Element, now: ControlForm): ControlForm {
  if (!arrived) return 'native';
  return now === 'native' && container.matches(':hover, :focus-within') ? now : 'toolkit';
}

/** `role=combobox`, named by the label. */
export function picker(form: ControlForm, props: PickerProps): TemplateResult {
  if (form === 'native') return nativePicker(props);
  return searchable?.isSearchable(props) ? searchable.searchablePicker(props) : toolkitPicker(props);
}

function nativePicker(props: PickerProps): TemplateResult {
  const pick = (event: Event) => props.onPick((event.target as HTMLSelectElement).value);
  const groups = groupsOf(props.choices);
  return html`<span class="pl-pickr" title=${props.hint ?? props.label}>
    <select aria-label=${props.label} .value=${live(props.value)} @change=${pick}>
      ${[...groups].map(([group, choices]) =>
        group === '' ? choices.map(option) : html`<optgroup label=${group}>${choices.map(option)}</optgroup>`,
      )}
    </select>
    ${icon('chevron-down')}
  </span>`;

  function option(choice: PickerChoice): TemplateResult {
    return html`<option
      value=${choice.value}
      title=${choice.description ?? ''}
      ?selected=${choice.value === props.value}
    >
      ${choice.label}
    </option>`;
  }
}

function toolkitPicker(props: PickerProps): TemplateResult {
  let told = props.value;
  const pick = (list: HTMLSelectElement) => {
    if (list.value === told) return;
    told = list.value;
    props.onPick(told);
  };
  // The toolkit compares with what was chosen when the list opened. Where the agent, or its refusal, has chosen something else since,
  // it tells of a change when the list is only closed, and of none when the old value is chosen. Its own listeners run after these.
  const look = ({ currentTarget }: Event) => {
    const list = currentTarget as HTMLSelectElement & { readonly open: boolean };
    setTimeout(() => {
      if (!list.open) pick(list);
    });
  };
  return html`<vscode-dropdown
    class="pl-dropdown"
    position="above"
    aria-label=${props.label}
    title=${props.hint ?? props.label}
    .value=${live(props.value)}
    @change=${({ target }: Event) => pick(target as HTMLSelectElement)}
    @click=${look}
    @keydown=${look}
    @focusout=${look}
  >
    ${props.choices.map(
      (choice) =>
        html`<vscode-option
          value=${choice.value}
          title=${choice.description ?? ''}
          ?selected=${choice.value === props.value}
          >${choice.label}</vscode-option
        >`,
    )}
  </vscode-dropdown>`;
}

/** `role=switch`, named by the label. */
export function toggle(form: ControlForm, props: ToggleProps): TemplateResult {
  const flip = (event: Event) => props.onToggle((event.target as HTMLInputElement).checked);
  const hint = props.hint ?? props.label;
  if (form === 'native') {
    return html`<label class="pl-switch" title=${hint}>
      <input type="checkbox" role="switch" .checked=${live(props.checked)} @change=${flip} /><span class="clip"
        >${props.label}</span
      >
    </label>`;
  }
  return html`<vscode-checkbox
    class="pl-checkbox"
    ${ref(asSwitch)}
    title=${hint}
    aria-label=${props.label}
    .checked=${live(props.checked)}
    @change=${flip}
    >${props.label}</vscode-checkbox
  >`;
}

/** The toolkit's element calls itself a checkbox when it is put into the page, so it is told otherwise after that. */
function asSwitch(element: Element | undefined): void {
  queueMicrotask(() => element?.setAttribute('role', 'switch'));
}

/** Something is under way. The words beside it say what, so screen readers are spared the ring (the toolkit's shouts). */
export function progressRing(): TemplateResult {
  return arrived
    ? html`<span class="pl-busy" aria-hidden="true"><vscode-progress-ring></vscode-progress-ring></span>`
    : html`<span class="pl-busy" aria-hidden="true">${icon('loading', 'spin')}</span>`;
}
