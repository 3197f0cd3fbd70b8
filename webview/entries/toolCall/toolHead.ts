import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TerminalView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { fileName } from '../../base/fileName';
import { clock, duration } from '../../base/format';
import { icon } from '../../base/icon';
import type { ShortAnswer } from '../request/permission';
import { rawButton } from './toolFoot';
import { statusShown, type ToolLabel } from '../words/toolLabel';

/** The data of a tool call's header. */
export interface ToolHead {
  readonly entry: ToolCallEntry;
  readonly label: ToolLabel;
  readonly isOpen: boolean;
  /** Whether the full command is shown below instead. */
  readonly hidesCommand: boolean;
  /** Whether the full path is shown below instead. */
  readonly hidesFolder: boolean;
  readonly counts: { readonly added: number; readonly removed: number } | undefined;
  readonly terminal: TerminalView | undefined;
  /** The answer to a request, for the closed row: all of it, and the words that fit there. */
  readonly answer: string;
  readonly shortAnswer: ShortAnswer | undefined;
  readonly steps: number;
  readonly now: number;
  /** Whether its spinner is animated. Only a few may be at a time. */
  readonly spins: boolean;
  readonly toggle: () => void;
  /** Stops the command or the call, if that is possible alone. */
  readonly stop: { readonly label: string; readonly act: () => void } | undefined;
  readonly openTerminal: (() => void) | undefined;
  /** The way to the raw input and output, if the card has no footer for it. */
  readonly raw: { readonly isShown: boolean; readonly toggle: () => void } | undefined;
}

/** Renders the header: a button with icon, verb, object, folder, and status, and beside it the actions for a running command. */
export function toolHead(head: ToolHead): TemplateResult {
  const { entry, label, isOpen, hidesCommand } = head;
  const isAsking = entry.permission.state === 'asked';
  return html`<div class="head">
    <button
      type="button"
      class="tog"
      tabindex="-1"
      aria-expanded=${isOpen}
      title=${entry.title}
      @mousedown=${noteSelection}
      @click=${(event: MouseEvent) => isSelecting(event) || head.toggle()}
    >
      ${glyph(head, isAsking)}<span class="lbl"
        >${
          hidesCommand
            ? html`<span class="o">${l10n.t('Run command')}</span>`
            : html`${label.verb === '' ? nothing : html`<span class="v">${label.verb}</span> `}<span
                  class="o ${label.isCode ? 'mono' : ''}"
                  >${label.path !== undefined && (!isAsking || head.hidesFolder) ? fileName(label.object) : label.object}</span
                >${label.folder === '' || head.hidesFolder ? nothing : html` <span class="d">${label.folder}</span>`}`
        }</span
      >${icon('chevron-right', 'chev')} <span class="end">${result(head)}${status(head)}</span>
    </button>
    ${head.raw ? rawButton(head.raw.isShown, head.raw.toggle, 'raw') : nothing}
    ${
      head.stop
        ? html`<button
            type="button"
            class="ib"
            aria-label=${head.stop.label}
            title=${head.stop.label}
            @click=${head.stop.act}
          >
            ${icon('debug-stop')}
          </button>`
        : nothing
    }
    ${
      head.openTerminal
        ? html`<button
            type="button"
            class="ib"
            aria-label=${l10n.t('Open in terminal')}
            title=${l10n.t('Open in terminal')}
            @click=${head.openTerminal}
          >
            ${icon('open-in-window')}
          </button>`
        : nothing
    }
  </div>`;
}

let selectedBefore = '';

function noteSelection(): void {
  selectedBefore = String(document.getSelection());
}

/** Whether a click ends a selection in the header, such as of a command that is to be copied. */
function isSelecting({ currentTarget, detail }: MouseEvent): boolean {
  const selection = document.getSelection();
  const isIn = (node: Node | null | undefined) => (currentTarget as Node).contains(node ?? null);
  if (!selection || selection.isCollapsed || !isIn(selection.anchorNode) || !isIn(selection.focusNode)) return false;
  // A key's press is no click, and a click beside the text leaves an earlier selection.
  return detail > 0 && String(selection) !== selectedBefore;
}

function glyph({ entry, label, spins }: ToolHead, isAsking: boolean): TemplateResult {
  if (statusShown(entry) === 'in_progress' && !isAsking) return icon('loading', spins ? 'spin' : 'run');
  return icon(label.icon);
}

function result(head: ToolHead): TemplateResult {
  const { counts, isOpen, answer, shortAnswer, steps } = head;
  return html`${isOpen ? nothing : answerWords(answer, shortAnswer)}
  ${
    counts && counts.added + counts.removed > 0
      ? html`<span class="num"
          >${counts.added > 0 ? html`<span class="add">+${counts.added}</span>` : nothing}
          ${counts.removed > 0 ? html`<span class="del">−${counts.removed}</span>` : nothing}</span
        >`
      : nothing
  }
  ${steps > 0 ? html`<span>${steps === 1 ? l10n.t('1 step') : l10n.t('{0} steps', steps)}</span>` : nothing}
  ${time(head)}`;
}

/** Renders an answer in a row: in words that fit there, and whole for screen readers and the pointer. */
function answerWords(answer: string, short: ShortAnswer | undefined): TemplateResult | typeof nothing {
  if (answer === '') return nothing;
  const shown = short
    ? html`<span class="ans clip" aria-hidden="true" title=${answer}
        >${short.words}${short.by === undefined ? nothing : html`<span class="by"> ${short.by}</span>`}</span
      >`
    : nothing;
  return html`${shown}<span class="sr">${answer}</span>`;
}

/** Returns "exit 1" or the name of the signal. Empty for a command that is running or succeeded. */
function exitText(terminal: TerminalView | undefined): string {
  if (terminal?.exit.state !== 'exited') return '';
  const { exitCode, signal } = terminal.exit;
  if (signal !== undefined) return signal;
  return exitCode === undefined || exitCode === 0 ? '' : l10n.t('exit {0}', exitCode);
}

function time({ entry, now, terminal, isOpen }: ToolHead): TemplateResult | typeof nothing {
  const { state } = entry.permission;
  // Until a request is answered, and once it was rejected, there is only the time that the user took.
  if (state === 'asked' || state === 'cancelled' || statusShown(entry) === 'rejected') return nothing;
  // How long the command ran, without the time that the user took for the answer. An open card has it below.
  if (terminal?.exit.state === 'exited') {
    const ran = terminal.exit.endedAt - terminal.startedAt;
    return !isOpen && ran >= 1000 ? html`<span>${duration(ran)}</span>` : nothing;
  }
  if (statusShown(entry) === 'in_progress')
    return html`<span aria-hidden="true">${clock(now - entry.startedAt)}</span>`;
  const took = entry.endedAt === undefined ? 0 : entry.endedAt - entry.startedAt;
  const isWork = entry.toolKind === 'execute' || entry.toolKind === 'other' || entry.toolKind === 'fetch';
  return isWork && took >= 1000 ? html`<span>${duration(took)}</span>` : nothing;
}

function status({ entry, terminal, isOpen }: ToolHead): TemplateResult {
  const exit = exitText(terminal);
  const isAsking = entry.permission.state === 'asked';
  switch (statusShown(entry)) {
    case 'pending':
      return isAsking
        ? html`<span>${l10n.t('waiting for you')}</span><span class="sr">${l10n.t('pending')}</span>`
        : html`<span>${l10n.t('pending')}</span>`;
    case 'in_progress':
      return isAsking
        ? html`<span>${l10n.t('waiting for you')}</span><span class="sr">${l10n.t('in progress')}</span>`
        : terminal?.waitsForInput
          ? html`<span>${l10n.t('waiting for input')}</span><span class="sr">${l10n.t('in progress')}</span>`
          : html`<span class="sr">${l10n.t('in progress')}</span>`;
    case 'paused':
      return html`<span>${l10n.t('paused')}</span>`;
    case 'failed':
      return html`<span>${l10n.t('failed')}${exit === '' ? nothing : `, ${exit}`}</span>${icon('error', 'err')}`;
    case 'rejected':
      // A closed row shows who rejected it.
      return html`<span class=${isOpen ? '' : 'sr'}>${l10n.t('rejected')}</span>`;
    case 'cancelled':
      if (entry.permission.state !== 'cancelled' || !entry.permission.programLeft)
        return html`<span>${l10n.t('cancelled')}</span>`;
      // Nobody cancelled it. The answer says so whole: for screen readers here, and in an open card.
      return html`${isOpen ? nothing : html`<span aria-hidden="true">${l10n.t('stopped waiting')}</span>`}`;
    case 'completed':
      return html`${exit === '' ? nothing : html`<span>${exit}</span>`}<span class="sr">${l10n.t('completed')}</span>`;
  }
}
