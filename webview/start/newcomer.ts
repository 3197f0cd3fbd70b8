import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentOffer } from '../../src/shared/pages/messages';
import { agentMark } from '../base/monogram';
import { busyLine, cancelButton } from './installing';
import type { StartPageProps } from './startProps';

/** How many agents are offered. The list has all of them. */
const mostOffered = 3;

/** Renders the tour, some agents that one click adds, and the ways to all others. */
export function newcomer(props: StartPageProps): TemplateResult {
  const { agents, offers = [], agentCount } = props.page;
  const first = [
    ...offers.filter(({ kind }) => kind === 'found'),
    ...offers.filter(({ kind }) => kind === 'available'),
  ];
  return html`<div>
      <div role="list" aria-label=${l10n.t('Tour')}>
        ${agents.map(
          ({ agentId, name, detail, icon }) =>
            html`<div class="pl-agent" role="listitem">
              ${agentMark(name, icon)}
              <div class="what">
                <div class="nm"><span class="clip">${name}</span></div>
                <div class="s">${detail}</div>
              </div>
              <div class="end">
                <button class="btn primary" aria-label=${l10n.t('Try {0}', name)} @click=${() => props.start(agentId)}>
                  ${l10n.t('Try')}
                </button>
              </div>
            </div>`,
        )}
      </div>
      ${
        first.length === 0
          ? nothing
          : html`<div class="sect" aria-hidden="true">${l10n.t('One click away')}</div>
              <div role="list" aria-label=${l10n.t('Agents to install')}>
                ${first.slice(0, mostOffered).map((offer) => offerRow(offer, props))}
              </div>`
      }
    </div>
    <div class="btns">
      <button class="btn link" @click=${() => props.act('addAgent')}>
        ${agentCount === undefined ? l10n.t('Show all agents') : l10n.t('Show all {0} agents', agentCount)}
      </button>
      <button class="btn link" @click=${() => props.post({ type: 'addOwnAgent' })}>${l10n.t('Add your own…')}</button>
    </div>`;
}

/** Renders an agent that isn't added yet. */
function offerRow(offer: AgentOffer, props: StartPageProps): TemplateResult {
  const { id, name, detail, problem, isBusy } = offer;
  const [text, label] = wordsOf(offer);
  return html`<div class="pl-agent" role="listitem">
    ${agentMark(name, offer.icon)}
    <div class="what">
      <div class="nm"><span class="clip">${name}</span></div>
      ${
        isBusy
          ? busyLine(offer.kind === 'found' ? l10n.t('Adding…') : l10n.t('Installing…'))
          : html`<div class="s" title=${problem ?? detail}>${problem ?? detail}</div>`
      }
    </div>
    <div class="end">
      ${
        isBusy
          ? cancelButton(id, name, props)
          : html`<button class="btn" aria-label=${label} @click=${() => props.add(id)}>${text}</button>`
      }
    </div>
  </div>`;
}

/** Returns what a click does: the words on the button, and its name. */
function wordsOf({ kind, name, needs, problem }: AgentOffer): readonly [text: string, label: string] {
  if (needs !== undefined) return [l10n.t('Get {0}', needs), l10n.t('Get {0} for {1}', needs, name)];
  if (problem !== undefined) return [l10n.t('Try again'), l10n.t('Try again: {0}', name)];
  const verb = kind === 'found' ? l10n.t('Add') : l10n.t('Install');
  return [verb, `${verb} ${name}`];
}
