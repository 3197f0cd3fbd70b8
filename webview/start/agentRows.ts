import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { limitName, type UsageLimit } from '../../src/shared/amounts/usageLimit';
import type { AgentListing, PresetListing } from '../../src/shared/pages/messages';
import { agentMark } from '../base/monogram';
import { ownAgents } from '../base/ownAgents';
import { busyLine, cancelButton } from './installing';
import type { StartPageProps } from './startProps';

/** Renders the user's agents, with what is used of their limits, and the way to others. A click on one starts a session with it. */
export function agentList(props: StartPageProps): TemplateResult {
  return html`<div>
    <div class="sect">
      <span class="grow" aria-hidden="true">${l10n.t('Agents')}</span>
      <button class="btn link" aria-label=${l10n.t('Add Agent…')} @click=${() => props.act('addAgent')}>
        ${l10n.t('Add…')}
      </button>
    </div>
    <div role="list" aria-label=${l10n.t('Agents')}>
      ${ownAgents(props.page).map((agent) => agentRow(agent, props))}
    </div>
  </div>`;
}

/** Renders the presets. A click on one starts a session with it. */
export function presetList(props: StartPageProps): TemplateResult | typeof nothing {
  const { presets = [] } = props.page;
  if (presets.length === 0) return nothing;
  return html`<div>
    <div class="sect" aria-hidden="true">${l10n.t('Presets')}</div>
    <div role="list" aria-label=${l10n.t('Presets')}>${presets.map((preset) => presetRow(preset, props))}</div>
  </div>`;
}

function presetRow({ name, agentId, detail, isDefault }: PresetListing, props: StartPageProps): TemplateResult {
  const agent = props.page.agents.find((one) => one.agentId === agentId);
  return html`<div class="pl-agent starts" role="listitem">
    ${agentMark(agent?.name ?? name, agent?.icon)}
    <div class="what">
      ${nameButton(name, isDefault === true, () => props.startPreset(name))}
      <div class="s" title=${detail}>${detail}</div>
    </div>
  </div>`;
}

function agentRow(agent: AgentListing, props: StartPageProps): TemplateResult {
  const { agentId, name, account, update, needsLogin } = agent;
  const { defaultAgent, presets = [] } = props.page;
  const isDefault = agentId === defaultAgent && !presets.some((preset) => preset.isDefault);
  const words = wordsOf(agent);
  return html`<div class="pl-agent starts" role="listitem">
    ${agentMark(name, agent.icon)}
    <div class="what">
      ${nameButton(name, isDefault, () => props.start(agentId))}
      <div class="s" title=${words}>${words}</div>
      ${update === undefined ? nothing : updateButton(agent, update, props)}
      ${account === undefined ? nothing : html`<div class="s">${l10n.t('Account: {0}', account)}</div>`}
    </div>
    ${
      needsLogin
        ? html`<div class="end">
            <button
              class="btn"
              aria-label=${l10n.t('Log in to {0}', name)}
              @click=${() => props.post({ type: 'logInAgent', agent: agentId })}
            >
              ${l10n.t('Log in')}
            </button>
          </div>`
        : nothing
    }
  </div>`;
}

/** Renders a name that starts a session. Its button is as large as the row. */
function nameButton(name: string, isDefault: boolean, start: () => void): TemplateResult {
  return html`<div class="nm">
    <button class="go" aria-label=${l10n.t('Start {0}', name)} @click=${start}>
      <span class="clip">${name}</span>
    </button>
    ${isDefault ? html`<span class="chip">${l10n.t('default')}</span>` : nothing}
  </div>`;
}

/** Returns the line below an agent's name: what is next to be known of it. */
function wordsOf({ detail, limit, needsLogin }: AgentListing): string {
  if (needsLogin) return l10n.t('Log in to use it');
  return limit === undefined ? detail : limitWords(limit);
}

function limitWords({ type, state, used }: UsageLimit): string {
  const name = limitName(type);
  if (state === 'reached') return l10n.t('{0}: used up', name);
  return used === undefined
    ? l10n.t('{0}: almost used up', name)
    : l10n.t('{0}: {1}% used', name, Math.round(used * 100));
}

function updateButton({ agentId, name, isBusy }: AgentListing, version: string, props: StartPageProps): TemplateResult {
  if (isBusy) return html`${busyLine(l10n.t('Updating…'))}${cancelButton(agentId, name, props)}`;
  return html`<button
    class="btn link"
    aria-label=${l10n.t('Update to {0}: {1}', version, name)}
    @click=${() => props.add(agentId)}
  >
    ${l10n.t('Update to {0}', version)}
  </button>`;
}
