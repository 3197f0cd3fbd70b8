import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { ref } from 'lit-html/directives/ref.js';
import { icon } from '../base/icon';
import { InertList } from '../base/inert';
import { groupsOf, type PickerChoice, type PickerProps } from './pickerChoices';
import type * as PickerModule from './pickerElement';

// The only file that imports @vscode/webview-ui-toolkit. The toolkit is archived upstream, and replacing it means changing only this file.
// It is large (docs/adr), so it is in a separate chunk that loads after the first paint. Until then, and permanently if loading fails,
// every control is a native element with the same role, name, and behavior. Once the toolkit is loaded, a control changes its form at the
// next rendering during which the user isn't using it: an element replaced between mouse down and mouse up loses the click, and one with
// focus loses the focus. Lists that are long, or
// have groups, descriptions, or warnings, then become a list of our own (pickerElement.ts), which the toolkit doesn't have.

/** A switch. `label` is shown beside it and is its accessible name. */
export interface ToggleProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  /** The state is shown but can't be changed now. */
  readonly isDisabled?: boolean;
  onToggle(checked: boolean): void;
}

/** The form of a control. */
export type ControlForm = 'native' | 'toolkit';

let arrived = false;
let ownList: typeof PickerModule | undefined;

/**
 * Loads the toolkit when the page is idle and calls back when it is ready. Never rejects: on failure, controls stay native, and `onError`
 * receives the reason.
 */
export async function loadToolkit(onError: (reason: unknown) => void): Promise<boolean> {
  await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 2000 }));
  try {
    const [toolkit, element] = await Promise.all([import('@vscode/webview-ui-toolkit'), import('./pickerElement')]);
    ownList = element;
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

/** Returns the form that controls in `container` can have now. While the user is using one, the form doesn't change. */
export function controlForm(container: Element, now: ControlForm): ControlForm {
  if (!arrived) return 'native';
  return now === 'native' && container.matches(':hover, :focus-within') ? now : 'toolkit';
}

/** Renders a picker with `role=combobox`, named by the label. */
export function picker(form: ControlForm, props: PickerProps): TemplateResult {
  if (form === 'native') return nativePicker(props);
  return ownList?.hasOwnList(props) ? ownList.ownPicker(props) : toolkitPicker(props);
}

/** The lists of native and toolkit pickers, which are drawn again in the same elements. */
const inertLists = new WeakMap<Element, InertList>();

/** Follows the choices of a list. A native list doesn't say whether it is open, so it counts as open while it has the focus. */
function followChoices({ choices }: PickerProps) {
  return ref((element) => {
    if (!element) return;
    const list = inertLists.get(element) ?? new InertList();
    inertLists.set(element, list);
    list.follow(choices, element === document.activeElement);
  });
}

function isMeant(list: Element): boolean {
  return inertLists.get(list)?.isOver !== false;
}

function nativePicker(props: PickerProps): TemplateResult {
  const pick = ({ target }: Event) => {
    const list = target as HTMLSelectElement;
    if (isMeant(list)) props.onPick(list.value);
    else list.value = props.value;
  };
  const groups = groupsOf(props.choices);
  return html`<span class="pl-pickr" title=${props.hint ?? props.label}>
    <select
      ${followChoices(props)}
      aria-label=${props.label}
      ?disabled=${props.isDisabled}
      .value=${live(props.value)}
      @change=${pick}
    >
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
  let reported = props.value;
  const pick = (list: HTMLSelectElement) => {
    if (list.value === reported) return;
    if (!isMeant(list)) {
      list.value = reported;
      return;
    }
    reported = list.value;
    props.onPick(reported);
  };
  // The toolkit compares with the value at the time the list opened. If the agent has changed or rejected the value since, the toolkit
  // reports a change when the list is only closed, and none when the old value is chosen. Its own listeners run after these.
  const look = ({ currentTarget }: Event) => {
    const list = currentTarget as HTMLSelectElement & { readonly open: boolean };
    setTimeout(() => {
      if (!list.open) pick(list);
    });
  };
  // The toolkit names an option once, so one that becomes another would keep its name without the label.
  return html`<vscode-dropdown
    ${followChoices(props)}
    class="pl-dropdown"
    position="above"
    aria-label=${props.label}
    title=${props.hint ?? props.label}
    ?disabled=${props.isDisabled}
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
          aria-label=${choice.label}
          title=${choice.description ?? ''}
          ?selected=${choice.value === props.value}
          >${choice.label}</vscode-option
        >`,
    )}
  </vscode-dropdown>`;
}

/** Renders a switch with `role=switch`, named by the label. */
export function toggle(form: ControlForm, props: ToggleProps): TemplateResult {
  const flip = (event: Event) => props.onToggle((event.target as HTMLInputElement).checked);
  const hint = props.hint ?? props.label;
  if (form === 'native') {
    return html`<label class="pl-switch" title=${hint}>
      <input
        type="checkbox"
        role="switch"
        ?disabled=${props.isDisabled}
        .checked=${live(props.checked)}
        @change=${flip}
      /><span class="clip">${props.label}</span>
    </label>`;
  }
  return html`<vscode-checkbox
    class="pl-checkbox"
    ${ref(asSwitch)}
    title=${hint}
    aria-label=${props.label}
    ?disabled=${props.isDisabled}
    .checked=${live(props.checked)}
    @change=${flip}
    >${props.label}</vscode-checkbox
  >`;
}

/** Sets the role after the element is connected, because the toolkit then overwrites it with `checkbox`. */
function asSwitch(element: Element | undefined): void {
  queueMicrotask(() => element?.setAttribute('role', 'switch'));
}

/**
 * Renders a progress ring. The text beside it describes the progress, so the ring is hidden from screen readers (the toolkit's would be
 * announced).
 */
export function progressRing(): TemplateResult {
  return arrived
    ? html`<span class="pl-busy" aria-hidden="true"><vscode-progress-ring></vscode-progress-ring></span>`
    : html`<span class="pl-busy" aria-hidden="true">${icon('loading', 'spin')}</span>`;
}
