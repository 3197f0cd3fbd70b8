import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AddressWarning, WebAddress } from '../../src/shared/text/webAddress';
import { icon } from '../base/icon';

/** Renders an address for the user to judge: its host, the full address with the host marked, and warnings. Nothing is a link. */
export function addressText({ href, host, warnings }: WebAddress): TemplateResult {
  const from = hostStart(href, host);
  return html`<div class="ind host">${host}</div>
    <div class="ind pl-log whole">${href.slice(0, from)}<b>${host}</b>${href.slice(from + host.length)}</div>
    ${
      warnings.length === 0
        ? nothing
        : html`<div class="ind warns">
            ${warnings.map((warning) => html`<div>${icon('warning', 'attn')}<span>${warningWords(warning)}</span></div>`)}
          </div>`
    }`;
}

/** Returns where the host begins: after an optional user name and password, and before any path. */
function hostStart(href: string, host: string): number {
  const start = href.indexOf('//') + 2;
  const end = start + (/[/?#]/.exec(href.slice(start))?.index ?? href.length);
  return href.slice(0, end).lastIndexOf(host);
}

function warningWords(warning: AddressWarning): string {
  switch (warning) {
    case 'notEncrypted':
      return l10n.t(
        'This address isn’t encrypted (http). Others on the network can read and change what you enter there.',
      );
    case 'lookalike':
      return l10n.t('This address contains look-alike characters. Check that it’s the site you expect.');
    case 'credentials':
      return l10n.t('The text before the @ isn’t the host. The page is on the host shown above.');
    case 'number':
      return l10n.t('This address uses a number instead of a name. Open it only if you know who runs it.');
  }
}
