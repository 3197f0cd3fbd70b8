import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';
import type { StartPageProps } from './startProps';

/* Why agents can't start here, or only with less than usual. */

/** Returns the reason why sending isn't possible in an untrusted folder. */
export function untrustedSentence(): string {
  return l10n.t('This folder isn’t trusted yet, so agents can’t start here.');
}

export function untrusted(props: StartPageProps): TemplateResult {
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('Restricted Mode')}>
    ${icon('shield', 'attn')}
    <p>${untrustedSentence()} ${l10n.t('To try the tour without trusting it, open a window without a folder.')}</p>
    <button class="btn primary" @click=${() => props.act('manageTrust')}>${l10n.t('Manage trust')}</button>
  </div>`;
}

export function noFolder(props: StartPageProps): TemplateResult | typeof nothing {
  if (props.page.folder !== '') return nothing;
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('No folder is open')}>
    ${icon('folder')}
    <p>${l10n.t('No folder is open. Agents start in an empty folder and need your permission for other files.')}</p>
    <button class="btn" @click=${() => props.act('openFolder')}>${l10n.t('Open folder…')}</button>
  </div>`;
}

/** Says why agents can't start in the sandbox that is set, and how to get what is missing. */
export function noSandbox(props: StartPageProps): TemplateResult | typeof nothing {
  const { problem, line } = props.page.sandbox;
  if (problem === undefined) return nothing;
  const copy = (text: string) => props.post({ type: 'copyText', text });
  return html`<div class="pl-untrusted" role="group" aria-label=${l10n.t('No sandbox')}>
    ${icon('shield', 'attn')}
    <p>
      ${l10n.t('Agents can’t start in their sandbox.')} ${problem}
      ${line === undefined ? nothing : html`${l10n.t('Run this in a terminal:')} <code>${line}</code>`}
    </p>
    <div class="btns">
      ${line === undefined ? nothing : html`<button class="btn" @click=${() => copy(line)}>${l10n.t('Copy command')}</button>`}
      <button class="btn" @click=${() => props.post({ type: 'checkSandbox' })}>${l10n.t('Check again')}</button>
    </div>
  </div>`;
}
