import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { isUnencrypted, type ProviderProblem, type ProviderView } from '../../src/shared/pages/modelProviders';
import { icon } from '../base/icon';
import { headerRows, type HeaderRowsProps } from './headerRows';
import { problemLine } from './providerProblemWords';

/** The user's action for a provider. */
export type ProviderAction = 'save' | 'turnOff' | 'forget';

/** The data and callbacks of a provider's card. */
export interface ProviderFormProps extends HeaderRowsProps {
  readonly agentName: string;
  readonly want: (wish: ProviderAction) => void;
  /** Renders a button that starts a login. */
  readonly logIn: () => TemplateResult;
}

/** Renders a provider: the current settings, and the form to change them. */
export function providerForm(props: ProviderFormProps): TemplateResult {
  const { edit, id, want } = props;
  const { view } = edit;
  const submit = (event: Event) => {
    event.preventDefault();
    want('save');
  };
  return html`<form
    class="pl-card pl-ask"
    role="form"
    aria-labelledby="${id}-name"
    aria-busy=${edit.isBusy}
    data-provider=${view.providerId}
    novalidate
    @submit=${submit}
  >
    <h2 class="h" id="${id}-name">${icon('plug')}<span>${view.providerId}</span></h2>
    <div class="ind now">${nowWords(props).map((words) => html`<p>${words}</p>`)}</div>
    ${
      view.isListed
        ? html`<div class="ind pl-form">${apiType(props)} ${baseUrl(props)} ${headerRows(props)}</div>`
        : nothing
    }
    <div class="ind">
      <div class="btns">${buttons(props)}</div>
      ${outcome(props)}
    </div>
  </form>`;
}

function nowWords({ edit: { view }, agentName }: ProviderFormProps): readonly string[] {
  const { current, stored, isListed, isRequired } = view;
  if (!isListed) {
    return [
      l10n.t(
        '{0} no longer lists this provider, but your saved settings are still sent each time it starts. Clear them to stop that.',
        agentName,
      ),
    ];
  }
  const now = current ? inUse(current) : l10n.t('Off.');
  const start = {
    nothing: l10n.t('Not set: {0} uses its default.', agentName),
    config: l10n.t('Your settings are sent each time the agent starts.'),
    off: l10n.t('You turned this off. Save to turn it back on.'),
  }[stored];
  return [
    now,
    start,
    ...(isRequired ? [l10n.t('{0} requires this provider, so it can’t be turned off.', agentName)] : []),
  ];
}

function inUse({ apiType, baseUrl }: NonNullable<ProviderView['current']>): string {
  if (baseUrl === '') return apiType === '' ? l10n.t('In use.') : l10n.t('In use: {0}', apiType);
  return apiType === '' ? l10n.t('In use: {0}', baseUrl) : l10n.t('In use: {0} at {1}', apiType, baseUrl);
}

function apiType(props: ProviderFormProps): TemplateResult {
  const { edit, id, draw } = props;
  const types = [...new Set([...edit.view.supported, edit.apiType])].filter(Boolean);
  const change = (event: Event) => {
    edit.apiType = (event.target as HTMLInputElement).value;
    edit.touch();
    draw();
  };
  const problem = edit.problems?.apiType;
  // If the agent lists none, it may support any.
  const isFree = edit.view.supported.length === 0;
  return html`<div class="fld">
    <div class="lab"><label for="${id}-type">${l10n.t('API type')}</label></div>
    ${
      isFree
        ? line(`${id}-type`, edit.apiType, '', problem, change)
        : html`<span class="sel"
            ><select id="${id}-type" class="inp" .value=${live(edit.apiType)} @change=${change}>
              ${types.map((type) => html`<option value=${type} ?selected=${type === edit.apiType}>${type}</option>`)}
            </select>
            ${icon('chevron-down')}</span
          >`
    }
    ${problemLine(`${id}-type`, problem)}
  </div>`;
}

function baseUrl({ edit, id, draw }: ProviderFormProps): TemplateResult {
  const problem = edit.problems?.baseUrl;
  const change = (event: Event) => {
    edit.baseUrl = (event.target as HTMLInputElement).value;
    edit.touch();
    draw();
  };
  const warning = l10n.t(
    'Not encrypted: others on the network can read everything sent, including headers. Use https://',
  );
  return html`<div class="fld">
    <div class="lab"><label for="${id}-url">${l10n.t('Base URL')}</label></div>
    <div>
      ${line(`${id}-url`, edit.baseUrl, 'https://gateway.example/v1', problem, change)}
      <div role="status">
        ${
          isUnencrypted(edit.baseUrl)
            ? html`<div class="warns">
                <div>${icon('warning', 'attn')}<span>${warning}</span></div>
              </div>`
            : nothing
        }
      </div>
    </div>
    ${problemLine(`${id}-url`, problem)}
  </div>`;
}

function line(
  id: string,
  value: string,
  placeholder: string,
  problem: ProviderProblem | undefined,
  change: (event: Event) => void,
): TemplateResult {
  return html`<input
    id=${id}
    class="inp"
    type="text"
    inputmode=${placeholder === '' ? 'text' : 'url'}
    placeholder=${placeholder}
    autocomplete="off"
    spellcheck="false"
    aria-required="true"
    aria-invalid=${problem !== undefined}
    aria-describedby=${problem === undefined ? nothing : `${id}-bad`}
    .value=${live(value)}
    @input=${change}
  />`;
}

function buttons({ edit, want }: ProviderFormProps): TemplateResult {
  const { isListed, isRequired, current, stored } = edit.view;
  // A disabled button would lose the focus, so this one stays enabled.
  const button = (label: string, wish: ProviderAction) =>
    html`<button type="button" class="btn" aria-disabled=${edit.isBusy} @click=${() => want(wish)}>${label}</button>`;
  const canTurnOff = isListed && !isRequired && stored !== 'off' && (current !== undefined || stored === 'config');
  return html`${
    isListed
      ? html`<button type="submit" class="btn primary" aria-disabled=${edit.isBusy}>${l10n.t('Save')}</button>`
      : nothing
  }
  ${canTurnOff ? button(l10n.t('Turn off'), 'turnOff') : nothing}
  ${stored === 'nothing' ? nothing : button(l10n.t('Clear saved settings'), 'forget')}`;
}

/** Renders the outcome. Both regions always exist, because screen readers announce only content added to an existing one. */
function outcome({ edit, agentName, logIn }: ProviderFormProps): TemplateResult {
  const { isBusy } = edit;
  const said = edit.outcome;
  const lines = said && html`<div>${said.title}${said.next.split('\n').map((text) => html`<p>${text}</p>`)}</div>`;
  const waiting = html`${icon('loading', 'spin')}<span>${l10n.t('Sending to {0}…', agentName)}</span>`;
  return html`<div class="line said" role="status">
      ${isBusy ? waiting : said?.isDone ? html`${icon('check')}${lines}` : nothing}
    </div>
    <div class="line said" role="alert">${said && !said.isDone ? html`${icon('error', 'err')}${lines}` : nothing}</div>
    ${said?.wantsLogin ? html`<div class="btns">${logIn()}</div>` : nothing}`;
}
