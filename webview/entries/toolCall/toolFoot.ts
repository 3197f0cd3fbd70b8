import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { changedPaths } from '../../../src/shared/transcript/fileChange';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import type { TerminalView, ToolCallEntry } from '../../../src/shared/transcript/transcript';
import { duration } from '../../base/format';
import { icon } from '../../base/icon';
import type { TerminalOutput } from '../../terminal/terminalView';
import { blockedWords } from '../words/blockedWords';
import { answerLine, changeLine } from '../request/permission';
import { locationLink } from './toolBody';

/** The data of a tool call's footer. */
export interface ToolFoot {
  readonly entry: ToolCallEntry;
  readonly cwd: string;
  readonly terminal: TerminalView | undefined;
  readonly output: TerminalOutput | undefined;
  /** Output that the agent sent as text. */
  readonly texts: readonly TerminalOutput[];
  readonly showsRaw: boolean;
  readonly toggleRaw: () => void;
  readonly copy: (text: string) => void;
  readonly openTerminal: (terminal: TerminalView) => void;
  readonly showRule: (id: string) => void;
  readonly allowBlocked: (path: string) => void;
}

/** Renders the footer of a card: why the call was allowed, notes, places, and actions. Returns undefined if it is empty. */
export function toolFoot(foot: ToolFoot): TemplateResult | undefined {
  const { entry, cwd, terminal, texts } = foot;
  const diffs = new Set(entry.content.flatMap(changedPaths));
  const places = entry.locations.filter(({ path, line }) => line !== undefined || !diffs.has(path)).slice(0, 20);
  const blocked = blockedNotes(foot);
  const notes = [answerLine(entry), changeLine(entry), ...terminalNotes(foot), ...textNotes(foot)].filter(
    (note) => note !== '',
  );
  const hasRaw = entry.rawInput !== undefined || entry.rawOutput !== undefined;
  const hasWords = notes.length > 0 || blocked.length > 0 || places.length > 0;
  const isEmpty = entry.content.length === 0 && !hasRaw && !hasWords;
  const isShown =
    hasWords || (entry.status !== 'in_progress' && (isEmpty || hasRaw || terminal !== undefined || texts.length > 0));
  if (!isShown) return undefined;
  if (hasRawAlone(entry, terminal, texts, hasWords)) return undefined;
  return html`<span class="why grow"
      >${notes.map((note) => html`<span>${note}</span>`)}${blocked}${places.map(({ path, line }) => locationLink(path, line, cwd))}${
        isEmpty ? html`<span>${l10n.t('The agent provided no details.')}</span>` : nothing
      }</span
    >${ruleButton(foot)}${hasRaw && entry.content.length > 0 ? rawButton(foot.showsRaw, foot.toggleRaw) : nothing}${terminalButtons(foot)}`;
}

/** Whether a footer would hold nothing but the way to the raw input and output, which is in the header then. */
function hasRawAlone(
  entry: ToolCallEntry,
  terminal: TerminalView | undefined,
  texts: readonly TerminalOutput[],
  hasWords: boolean,
): boolean {
  const hasRaw = entry.rawInput !== undefined || entry.rawOutput !== undefined;
  const takesCopy = (terminal !== undefined && terminal.exit.state !== 'running') || texts.length > 0;
  return hasRaw && entry.content.length > 0 && !hasWords && !takesCopy;
}

/** Renders what the sandbox blocked, each with the way to allow it, if there is one. */
function blockedNotes({ entry: { blocked = [] }, allowBlocked }: ToolFoot): readonly TemplateResult[] {
  return blocked.map((place) => {
    if (!place.canAllow) return html`<span>${blockedWords(place).join(' · ')}</span>`;
    return html`<span
      >${blockedWords(place)[0]}
      <button
        type="button"
        class="btn link sm"
        aria-label=${l10n.t('Allow writing to {0}…', showHiddenOnOneLine(place.path))}
        @click=${() => allowBlocked(place.path)}
      >
        ${l10n.t('Allow…')}
      </button></span
    >`;
  });
}

/** Renders the way to the rule that answered. */
function ruleButton({ entry: { permission }, showRule }: ToolFoot): TemplateResult | typeof nothing {
  const id = permission.state === 'answered' ? permission.ruleId : undefined;
  if (id === undefined) return nothing;
  return html`<button type="button" class="btn link sm" @click=${() => showRule(id)}>${l10n.t('Show rule')}</button>`;
}

/** Renders the button that shows what the agent sent and got, as it is. */
export function rawButton(showsRaw: boolean, toggleRaw: () => void, look = ''): TemplateResult {
  const label = l10n.t('Raw input and output');
  return html`<button
    type="button"
    class="ib ${look}"
    aria-label=${label}
    title=${label}
    aria-expanded=${showsRaw}
    @click=${toggleRaw}
  >
    ${icon('json')}
  </button>`;
}

function terminalNotes({ terminal, output }: ToolFoot): string[] {
  if (!terminal) return [];
  const { exit } = terminal;
  return [
    terminal.waitsForInput ? inputNote(terminal) : '',
    exit.state === 'exited' ? duration(exit.endedAt - terminal.startedAt) : '',
    terminal.driver === 'pipe' ? l10n.t('No terminal available; showing plain text') : '',
    output?.isCut ? l10n.t('Earlier output is hidden') : '',
    terminal.isRewritten ? l10n.t('The agent changed this output after the command ended') : '',
  ];
}

function inputNote({ driver }: TerminalView): string {
  return driver === 'agent'
    ? l10n.t('The command may be waiting for input, which only the agent can send')
    : l10n.t('The command may be waiting for input. Open it in a terminal to type.');
}

function textNotes({ texts }: ToolFoot): string[] {
  const cut = texts.find(({ isCut }) => isCut);
  if (!cut) return [];
  return [cut.keeps === 'start' ? l10n.t('The rest of the output is hidden') : l10n.t('Earlier output is hidden')];
}

function terminalButtons({ terminal, output, texts, ...foot }: ToolFoot): TemplateResult | typeof nothing {
  const copied = [...(output ? [output] : []), ...texts];
  const isRunning = terminal?.exit.state === 'running';
  if (isRunning || (!terminal && copied.length === 0)) return nothing;
  const [copy, open] = [l10n.t('Copy output'), l10n.t('Open in terminal')];
  return html`<button
      type="button"
      class="ib"
      aria-label=${copy}
      title=${copy}
      @click=${() => foot.copy(copied.map(({ text }) => text).join('\n'))}
    >
      ${icon('copy')}</button
    >${
      terminal
        ? html`<button
            type="button"
            class="ib"
            aria-label=${open}
            title=${open}
            @click=${() => foot.openTerminal(terminal)}
          >
            ${icon('open-in-window')}
          </button>`
        : nothing
    }`;
}
