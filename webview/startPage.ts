import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentId } from '../src/shared/values/ids';
import type { AgentListing, AgentOffer, PageState, PresetListing } from '../src/shared/pages/messages';
import { sandboxWords } from '../src/shared/limits/sandboxWords';
import { icon } from './base/icon';
import { agentMark } from './base/monogram';

/** The actions of the start page's buttons. */
export interface StartPageProps {
  readonly page: PageState;
  /** Whether a message is typed that the agent gets once it's ready. */
  readonly hasMessage: boolean;
  start(agent: AgentId): void;
  startPreset(name: string): void;
  /** Asks for a worktree, and starts a session in it. */
  startInWorktree(): void;
  /** Asks who tries the message, each in a worktree. */
  tryWith(): void;
  /** Adds an offered agent and starts it, or updates an added one. */
  add(id: string): void;
  /** Cancels adding or updating an agent. */
  cancel(id: string): void;
  /** Opens the list of agents to add. */
  addAgent(): void;
  /** Opens the walkthrough. */
  getStarted(): void;
  openSettings(): void;
  manageTrust(): void;
  openFolder(): void;
  /** Lets the user choose what agents are held to. */
  chooseSandbox(): void;
  checkSandbox(): void;
  copy(text: string): void;
}

/** Renders the page without a session: an introduction, and the agents to choose from, or why none can start here. */
export function startPage(props: StartPageProps): TemplateResult {
  return html`<div class="pl-start" aria-label=${l10n.t('Start')} role="region">
    <div class="pl-empty">
      <div>
        <h1>${l10n.t('Work with any coding agent')}</h1>
        <p class="lead">
          ${l10n.t(
            'Pick one to start. It reads and edits files in this folder, asks before running commands, and leaves every change for you to review.',
          )}
        </p>
        ${props.hasMessage && props.page.trusted ? html`<p class="lead">${l10n.t('Your message is sent when the agent is ready.')}</p>` : nothing}
      </div>
      ${!props.page.trusted ? untrusted(props) : html`${props.page.folder === '' ? noFolder(props) : nothing}${noSandbox(props)}${agents(props)}`}
    </div>
  </div>`;
}

function untrusted(props: StartPageProps): TemplateResult {
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('Restricted Mode')}>
    ${icon('shield', 'attn')}
    <p>${untrustedSentence()} ${l10n.t('To try the tour without trusting it, open a window without a folder.')}</p>
    <button class="btn primary" @click=${() => props.manageTrust()}>${l10n.t('Manage trust')}</button>
  </div>`;
}

function noFolder(props: StartPageProps): TemplateResult {
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('No folder is open')}>
    ${icon('folder')}
    <p>${l10n.t('No folder is open. Agents start in an empty folder and need your permission for other files.')}</p>
    <button class="btn primary" @click=${() => props.openFolder()}>${l10n.t('Open folder…')}</button>
  </div>`;
}

/** Says why agents can't start in the sandbox that is set, and how to get what is missing. */
function noSandbox(props: StartPageProps): TemplateResult | typeof nothing {
  const { problem, line } = props.page.sandbox;
  if (problem === undefined) return nothing;
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('No sandbox')}>
    ${icon('shield', 'attn')}
    <p>
      ${l10n.t('Agents can’t start in their sandbox.')} ${problem}
      ${line === undefined ? nothing : html`${l10n.t('Run this in a terminal:')} <code>${line}</code>`}
    </p>
    <div class="btns">
      ${
        line === undefined
          ? nothing
          : html`<button class="btn primary" @click=${() => props.copy(line)}>${l10n.t('Copy command')}</button>`
      }
      <button class="btn" @click=${() => props.checkSandbox()}>${l10n.t('Check again')}</button>
    </div>
  </div>`;
}

/** Returns the reason why sending isn't possible in an untrusted folder. */
export function untrustedSentence(): string {
  return l10n.t('This folder isn’t trusted yet, so agents can’t start here.');
}

/**
 * Renders the presets and the agents: those on this machine first, then some to install, and the tour agent last. For someone without an
 * agent, the tour comes first.
 */
function agents(props: StartPageProps): TemplateResult {
  const { agents: all, offers = [] } = props.page;
  const own = all.filter(({ source }) => source !== 'builtin');
  const builtin = all.filter(({ source }) => source === 'builtin');
  const here = offers.filter(({ kind }) => kind === 'found');
  const available = offers.filter(({ kind }) => kind === 'available');
  const local = [...own.map((agent) => row(agent, props)), ...here.map((offer) => offerRow(offer, props))];
  const tour = builtin.map((agent) => row(agent, props));
  const isNewcomer = local.length === 0;
  // The tour comes after agents that are offered.
  const isSplit = offers.length > 0 && !isNewcomer;
  const first = isNewcomer || isSplit ? local : [...local, ...tour];
  const tourSection = html`<div class="sect">${l10n.t('Tour')}</div>
    ${list(l10n.t('Tour'), tour)}`;
  const { presets = [] } = props.page;
  return html`<div>
      ${
        presets.length > 0
          ? html`<div class="sect">${l10n.t('Presets')}</div>
              ${list(
                l10n.t('Presets'),
                presets.map((preset) => presetRow(preset, props)),
              )}`
          : nothing
      }
      ${isNewcomer ? tourSection : nothing}
      ${local.length > 0 ? html`<div class="sect" id="own-agents">${l10n.t('Your agents')}</div>` : nothing}
      ${first.length > 0 ? list(l10n.t('Agents'), first) : nothing}
      ${
        available.length > 0
          ? html`<div class="sect">${l10n.t('One click away')}</div>
              ${list(
                l10n.t('Agents to install'),
                available.map((offer) => offerRow(offer, props)),
              )}`
          : nothing
      }
      ${isSplit ? tourSection : nothing}
    </div>
    <div class="btns">
      ${
        props.page.isInRepository
          ? html`<button class="btn link" @click=${() => props.startInWorktree()}>
                ${l10n.t('New session in worktree…')}
              </button>
              <button class="btn link" @click=${() => props.tryWith()}>${l10n.t('Try with…')}</button>`
          : nothing
      }
      <button class="btn link" @click=${() => props.addAgent()}>${l10n.t('Browse agents')}</button>
      <button class="btn link" @click=${() => props.openSettings()}>${l10n.t('Add a custom agent')}</button>
      <button class="btn link" @click=${() => props.chooseSandbox()}>${sandboxWords(props.page.sandbox.mode)}</button>
      <button class="btn link" @click=${() => props.getStarted()}>${l10n.t('Get started')}</button>
    </div>`;
}

function list(label: string, rows: readonly TemplateResult[]): TemplateResult {
  return html`<div role="list" aria-label=${label}>${rows}</div>`;
}

/** Renders an agent that isn't added yet. */
function offerRow(offer: AgentOffer, props: StartPageProps): TemplateResult {
  const { name, needs, problem } = offer;
  const verb = offer.kind === 'found' ? l10n.t('Add') : l10n.t('Install');
  const [text, label] =
    needs === undefined
      ? problem === undefined
        ? [verb, `${verb} ${name}`]
        : [l10n.t('Try again'), l10n.t('Try again: {0}', name)]
      : [l10n.t('Get {0}', needs), l10n.t('Get {0} for {1}', needs, name)];
  return html`<div class="pl-agent" role="listitem">
    ${agentMark(offer.name, offer.icon)}
    <div class="what">
      <div class="nm"><span class="clip">${offer.name}</span></div>
      ${
        offer.isBusy
          ? busyLine(offer.kind === 'found' ? l10n.t('Adding…') : l10n.t('Installing…'))
          : html`<div class="s" title=${offer.problem ?? offer.detail}>${offer.problem ?? offer.detail}</div>`
      }
    </div>
    <div class="end">
      ${
        offer.isBusy
          ? cancelButton(offer.id, name, props)
          : html`<button class="btn" aria-label=${label} @click=${() => props.add(offer.id)}>${text}</button>`
      }
    </div>
  </div>`;
}

/** Says in a row that its agent is being added or updated. */
function busyLine(words: string): TemplateResult {
  return html`<div class="s" role="status">${words}</div>`;
}

function cancelButton(id: string, name: string, props: StartPageProps): TemplateResult {
  // The second click of a double click is still meant for the button that was here before.
  const cancel = ({ detail }: MouseEvent) => detail < 2 && props.cancel(id);
  return html`<button class="btn" aria-label=${l10n.t('Cancel installing {0}', name)} @click=${cancel}>
    ${l10n.t('Cancel')}
  </button>`;
}

function presetRow({ name, agentId, detail, isDefault }: PresetListing, props: StartPageProps): TemplateResult {
  const agent = props.page.agents.find((one) => one.agentId === agentId);
  return html`<div class="pl-agent" role="listitem">
    ${agentMark(agent?.name ?? name, agent?.icon)}
    <div class="what">
      <div class="nm"><span class="clip">${name}</span></div>
      <div class="s" title=${detail}>${detail}</div>
    </div>
    <div class="end">
      <button
        class="btn ${isDefault ? 'primary' : ''}"
        aria-label=${l10n.t('Start {0}', name)}
        @click=${() => props.startPreset(name)}
      >
        ${l10n.t('Start')}
      </button>
    </div>
  </div>`;
}

function row(agent: AgentListing, props: StartPageProps): TemplateResult {
  const { defaultAgent, presets = [] } = props.page;
  const isDefault = agent.agentId === defaultAgent && !presets.some((preset) => preset.isDefault);
  const verb = agent.source === 'builtin' ? l10n.t('Try') : l10n.t('Start');
  return html`<div class="pl-agent" role="listitem">
    ${agentMark(agent.name, agent.icon)}
    <div class="what">
      <div class="nm"><span class="clip">${agent.name}</span></div>
      <div class="s" title=${agent.detail}>${agent.detail}</div>
      ${agent.update === undefined ? nothing : updateButton(agent, agent.update, props)}
      ${agent.account === undefined ? nothing : html`<div class="s">${l10n.t('Account: {0}', agent.account)}</div>`}
    </div>
    <div class="end">
      <button
        class="btn ${isDefault ? 'primary' : ''}"
        aria-label="${verb} ${agent.name}"
        @click=${() => props.start(agent.agentId)}
      >
        ${verb}
      </button>
    </div>
  </div>`;
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
