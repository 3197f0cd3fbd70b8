import type { PickerProps } from './pickerChoices';
import { PickerElement, pickerTag } from './picker/pickerElement';
import { html, type TemplateResult } from 'lit-html';
import { wantsSearch } from './pickerChoices';

/** Lets the page use the element. */
export function definePicker(): void {
  if (!customElements.get(pickerTag)) customElements.define(pickerTag, PickerElement);
}

/** Whether a picker takes this form; one that is under the user's hand keeps the form that it has. */
export function isSearchable({ label, choices }: PickerProps): boolean {
  const used = document.activeElement?.closest(`${pickerTag}, vscode-dropdown`);
  if (used && (used.getAttribute('name') ?? used.getAttribute('aria-label')) === label) {
    return used.localName === pickerTag;
  }
  return wantsSearch(choices);
}

/** The picker as the page draws it. */
export function searchablePicker(props: PickerProps): TemplateResult {
  return html`<pl-picker name=${props.label} .props=${props}></pl-picker>`;
}
