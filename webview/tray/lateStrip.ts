import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { canStop, lateWords, lateWorkOf } from '../../src/shared/transcript/lateWork';
import { commandLineOf } from '../../src/rules/requestedAction';
import { subagentWords } from '../../src/shared/transcript/subagent';
import type { LateWork, SessionView, Transcript } from '../../src/shared/transcript/transcript';
import { icon } from '../base/icon';
import type { StripProps } from './planStrip';

/** The data and actions of the strip. */
export interface LateProps extends StripProps {
  readonly transcript: Transcript;
  stopLateWork(): void;
  /** Stops one piece of work that the agent lists as background work. */
  stopWork(work: LateWork & { readonly kind: 'reported' }): void;
  /** Ends the process of an agent that doesn't stop. */
  endProcess(): void;
}

/** Renders what continues after the turn that started it, and how to stop it. Empty if nothing does. */
export function lateStrip(props: LateProps): TemplateResult | typeof nothing {
  const { transcript } = props;
  const { view } = transcript;
  const late = lateWorkOf(view);
  if (late.length === 0) return nothing;
  const ignoresStop = late.some((work) => work.kind === 'agent' && work.ignoredStop === true);
  const mayStop = late.some((work) => canStop(work, view));
  // Its command ends with the agent's process.
  const canOnlyEnd = !mayStop && view.activity.state === 'idle' && late.every(({ kind }) => kind === 'background');
  const rows = late.map((work) => ({ work, name: nameOf(work, transcript) })).filter(({ name }) => name !== '');
  const words = ignoresStop
    ? l10n.t('{0} is still working after you stopped it', view.agentName)
    : lateWords(late, view.agentName);
  const isOpen = props.isOpen('late', false);
  const line = html`<span class="clip">${words}</span>`;
  return html`<section class="pl-strip pl-late ${isOpen ? 'open' : ''}" aria-label=${l10n.t('Still running')}>
    <div class="head">
      ${
        rows.length === 0
          ? html`${icon('loading', 'spin')}${line}<span class="grow"></span>`
          : html`<button class="tw" aria-expanded=${String(isOpen)} @click=${() => props.setOpen('late', !isOpen)}>
              ${icon('chevron-right', 'chev')}${icon('loading', 'spin')}${line}
            </button>`
      }
      ${ignoresStop || canOnlyEnd ? button(endLabel(view), () => props.endProcess()) : nothing}
      ${mayStop && !ignoresStop ? button(l10n.t('Stop work'), () => props.stopLateWork()) : nothing}
    </div>
    ${mayStop ? nothing : html`<div class="note">${whyNot(late, view.agentName)}</div>`}
    ${
      isOpen && rows.length > 0
        ? html`<div class="pl-rows" role="list" aria-label=${l10n.t('Still running')}>
            ${rows.map(({ work, name }) => row(work, name, props))}
          </div>`
        : nothing
    }
  </section>`;
}

function row(work: LateWork, name: string, props: LateProps): TemplateResult {
  const label = l10n.t('Stop {0}', name);
  return html`<div class="pl-row" role="listitem" title=${name}>
    <span class="clip grow">${name}</span>${
      work.kind === 'reported' && work.canCancel
        ? html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${() => props.stopWork(work)}>
            ${icon('debug-stop')}
          </button>`
        : nothing
    }
  </div>`;
}

/** A remote agent has no process here that could be ended. */
function endLabel({ place = 'here' }: SessionView): string {
  return place === 'here' ? l10n.t('End process') : l10n.t('Disconnect');
}

function button(label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="btn link sm" @click=${act}>${label}</button>`;
}

function whyNot(late: readonly LateWork[], agentName: string): string {
  if (late.every(({ kind }) => kind === 'background' || kind === 'reported')) {
    return l10n.t('Only {0} can stop it. Send a message to ask for that, or end its process.', agentName);
  }
  return l10n.t('It can’t be stopped while a turn is running.');
}

function nameOf(work: LateWork, { entries, terminals }: Transcript): string {
  if (work.kind === 'agent') return '';
  if (work.kind === 'command') return firstLine(terminals.get(work.terminal)?.command);
  if (work.kind === 'reported') {
    const command = work.terminal === undefined ? undefined : terminals.get(work.terminal)?.command;
    if (command) return firstLine(command);
    if (work.entry === undefined) return l10n.t('Unknown background work');
  }
  const entry = work.entry === undefined ? undefined : entries.get(work.entry);
  if (entry?.kind === 'subagent') return subagentWords(entry).title;
  if (entry?.kind !== 'tool_call') return '';
  const command = commandLineOf(entry.rawInput, entry.toolKind);
  return firstLine(command ?? entry.title.replaceAll('`', ''));
}

function firstLine(text = ''): string {
  return text.trim().split('\n')[0] ?? '';
}
