import * as l10n from '@vscode/l10n';
import { asList, asObject, asString } from '../../shared/values/decodeValue';

/** Maximum length of an account name, in UTF-16 units. */
const longest = 80;

/**
 * Returns the name of the logged-in account from a response to `auth/status`, an `auth/status_update`, or the
 * `_auth/status_update` that some agents send, or the state in words without one; empty if the value has neither. For display only: do not base decisions on
 * the name, and do not store or log it.
 */
export function decodeAccount(value: unknown): string {
  const status = asObject(value);
  const conventional = asObject(status?.['authStatus']);
  if (conventional) {
    const [label, detail] = [tidy(conventional['label']), tidy(conventional['detail'])];
    return label && detail ? `${label} (${detail})` : label || detail;
  }
  if (status?.['state'] === 'unauthenticated') return l10n.t('Not logged in');
  const accounts = asList(status?.['accounts'], asObject) ?? [];
  const active = accounts.filter((account) => account['active'] === true);
  const shown = (active.length > 0 ? active : accounts).map((account) => {
    const label = tidy(account['label']);
    const who = [account['email'], account['name']].map(tidy).find((text) => text !== '' && text !== label) ?? '';
    const details = [who, tidy(account['organization'])].filter((text) => text !== '').join(', ');
    return label && details ? `${label} (${details})` : label || details;
  });
  const names = shown
    .filter((text) => text !== '')
    .slice(0, 3)
    .join(', ');
  return names === '' ? stateWords(status?.['state']) : names;
}

/** Other states than the protocol's count as unknown, and there is nothing to say about those. */
function stateWords(state: unknown): string {
  if (state === 'authenticated') return l10n.t('Logged in');
  return state === 'not_required' ? l10n.t('No login needed') : '';
}

/** Returns a name on one line, without characters that could make it look like something else. */
function tidy(value: unknown): string {
  const text =
    asString(value)
      ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim() ?? '';
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
