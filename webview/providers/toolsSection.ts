import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { FromProvidersPage, ToolsShown, ToolView } from '../../src/shared/pages/modelProviders';
import { icon } from '../base/icon';

/** The data and callbacks of the editor's tools. */
export interface ToolsProps {
  readonly agentName: string;
  readonly shown: ToolsShown;
  /** Why the last change failed; empty if it didn't. */
  readonly problem: string;
  readonly post: (message: FromProvidersPage) => void;
}

/** Renders whether the agent can use the editor's tools, and which there are. `heading` is empty if the page has it. */
export function toolsSection(props: ToolsProps, heading: string): TemplateResult {
  const { agentName, shown, problem, post } = props;
  const about = l10n.t('Problems, references, unsaved text, and more, through an MCP server on this machine.');
  const defaults = shown.tools.filter(({ isDefault }) => isDefault);
  const more = shown.tools.filter(({ isDefault }) => !isDefault);
  return html`<section
    class="pl-card pl-ask tools ${heading === '' ? 'alone' : ''}"
    aria-label=${l10n.t('Editor tools')}
  >
    ${heading === '' ? nothing : html`<h2 class="h">${icon('tools')}<span>${heading}</span></h2>`}
    <div class="ind pl-form">
      ${shown.isOffForAll ? offForAll(props) : nothing}
      ${check('tools', l10n.t('Let {0} use the editor’s tools', agentName), about, shown.isOn && !shown.isOffForAll, {
        isDisabled: shown.isOffForAll,
        change: (isOn) => post({ type: 'setTools', isOn }),
      })}
      ${
        shown.isSupported
          ? nothing
          : note(l10n.t('{0} can’t connect to the server of these tools, so it can’t use them.', agentName))
      }
      <p class="help">${l10n.t('The list is the same for all agents. Each tool uses some tokens in every session.')}</p>
      ${group(l10n.t('By default'), defaults, props)} ${group(l10n.t('More tools'), more, props)}
      <p class="help">${l10n.t('Open sessions may keep the previous list. New sessions use this one.')}</p>
    </div>
    <div class="ind said" role="alert">${problem === '' ? nothing : failure(problem)}</div>
    <div class="ind btns">
      <button type="button" class="btn" @click=${() => post({ type: 'openToolSettings' })}>
        ${l10n.t('Open settings')}
      </button>
    </div>
  </section>`;
}

function offForAll({ post }: ToolsProps): TemplateResult {
  return html`<div class="line off">
    ${icon('warning', 'attn')}
    <div>
      <span>${l10n.t('The editor’s tools are turned off for all agents.')}</span>
      <button type="button" class="btn sm" @click=${() => post({ type: 'allowTools' })}>${l10n.t('Turn on')}</button>
    </div>
  </div>`;
}

function group(label: string, tools: readonly ToolView[], { shown, post }: ToolsProps): TemplateResult {
  const id = `tools-${tools[0]?.name ?? ''}`;
  return html`<div class="fld">
    <h3 class="lab" id=${id}>${label}</h3>
    <div class="checks" role="group" aria-labelledby=${id}>
      ${tools.map(({ name, label: words, description, isOn }) =>
        check(`tool-${name}`, words, description, isOn, {
          isDisabled: shown.isOffForAll,
          change: (isNowOn) => post({ type: 'setTool', name, isOn: isNowOn }),
        }),
      )}
    </div>
  </div>`;
}

function failure(words: string): TemplateResult {
  return html`<div class="line">${icon('error', 'err')}<span>${words}</span></div>`;
}

function note(words: string): TemplateResult {
  return html`<div class="line">${icon('info')}<span>${words}</span></div>`;
}

function check(
  id: string,
  label: string,
  description: string,
  isOn: boolean,
  { isDisabled, change }: { readonly isDisabled: boolean; readonly change: (isOn: boolean) => void },
): TemplateResult {
  return html`<div class="row">
    <input
      type="checkbox"
      id=${id}
      aria-describedby="${id}-about"
      ?disabled=${isDisabled}
      .checked=${live(isOn)}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
    />
    <div><label for=${id}>${label}</label><span class="help" id="${id}-about">${description}</span></div>
  </div>`;
}
