import { STATUS_CODES } from 'node:http';
import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/values/messageOf';
import type { LinkLoss } from './remoteTarget';

/** Returns the host of a URL, which is all that messages show of it, because paths and queries may have tokens. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Returns the loss for an error of the network. */
export function networkLoss(url: string, error: unknown): LinkLoss {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: isCertificate(code) ? 'refused' : 'network', reason: networkReason(hostOf(url), code, error) };
}

function networkReason(host: string, code: string, error: unknown): string {
  if (code === 'ECONNREFUSED') return l10n.t('No server is listening at {0}. Start it, or check “url”.', host);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return l10n.t('The host of {0} wasn’t found. Check your network and “url”.', host);
  }
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return l10n.t('{0} can’t be reached. Check your network.', host);
  }
  if (isCertificate(code)) {
    return l10n.t(
      'The certificate of {0} isn’t trusted ({1}). Add its authority to your system’s certificates.',
      host,
      code,
    );
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === '') return l10n.t('The connection to {0} was lost.', host);
  return l10n.t('The connection to {0} failed: {1}.', host, code || messageOf(error));
}

function isCertificate(code: string): boolean {
  return /CERT|SIGNED|ERR_TLS|UNABLE_TO_/.test(code);
}

/** Returns the loss for an HTTP status that makes the connection unusable. */
export function statusLoss(url: string, status: number): LinkLoss {
  const host = hostOf(url);
  if (status === 401) return { kind: 'login', reason: l10n.t('{0} needs a valid token (401).', host) };
  if (status === 403) {
    return { kind: 'denied', reason: l10n.t('{0} denied access (403). Check “headers” in parley.agents.', host) };
  }
  if (status >= 300 && status < 400) {
    const reason = l10n.t('{0} redirects to another URL ({1}). Set “url” to that URL.', host, status);
    return { kind: 'refused', reason };
  }
  if (status >= 500) return { kind: 'network', reason: l10n.t('{0} answered {1}.', host, statusText(status)) };
  const reason = l10n.t('{0} answered {1}. Check “url” in parley.agents.', host, statusText(status));
  return { kind: 'refused', reason };
}

/** Returns the loss of a connection that the server has ended or forgotten. */
export function goneLoss(url: string): LinkLoss {
  return { kind: 'gone', reason: l10n.t('{0} has closed the connection.', hostOf(url)) };
}

/** Returns a status with its name, such as "503 Service Unavailable". */
export function statusText(status: number): string {
  return [String(status), STATUS_CODES[status]].filter(Boolean).join(' ');
}
