import { html, nothing, type TemplateResult } from 'lit-html';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';

/** Something that can be done with an entry of a list. */
export interface Act {
  readonly label: string;
  /** For screen readers: what it is done with. */
  readonly name: string;
  readonly run: () => void;
}

export interface SetUpEntry {
  readonly icon: string;
  readonly iconClass?: string;
  readonly name: string;
  /** A few words behind the name, such as "default". */
  readonly notes: readonly string[];
  readonly lines: readonly string[];
  readonly acts: readonly Act[];
}

/** Renders an entry of the tabs of agents, presets, and the setup. Names and lines come from settings and agents. */
export function setUpEntry({ icon: shape, iconClass = '', name, notes, lines, acts }: SetUpEntry): TemplateResult {
  return html`<li class="pl-card item">
    <div class="h">
      ${icon(shape, iconClass)}<span dir="auto"
        >${showHiddenOnOneLine(name)}${notes.map((note) => html`<span class="note">${showHiddenOnOneLine(note)}</span>`)}</span
      >
    </div>
    ${lines.filter((line) => line !== '').map((line) => html`<div class="ind line" dir="auto">${showHiddenOnOneLine(line)}</div>`)}
    ${
      acts.length === 0
        ? nothing
        : html`<div class="ind acts">
            ${acts.map(
              ({ label, name: long, run }) =>
                html`<button type="button" class="btn sm" aria-label=${long} @click=${run}>${label}</button>`,
            )}
          </div>`
    }
  </li>`;
}
