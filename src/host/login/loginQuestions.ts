import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AuthMethod, AuthVariable } from '../../acp/decode/decodeAuth';
import type { LoginHost, Variables } from '../../agent/login/logins';
import { toDisposable } from '../../shared/values/disposable';
import { readWebAddress } from '../../shared/text/webAddress';
import { askModal } from '../ui/notifications';
import { openOutside } from '../ui/openOutside';
import { askText } from '../ui/quickInput';

/** Asks for login values in the editor's input boxes, and about the pages of logins. Secrets are masked. */
export const loginQuestions: Pick<LoginHost, 'askVariables' | 'askApiKey' | 'askGateway' | 'openPage'> = {
  async openPage(agentName, address, signal) {
    const page = readWebAddress(address);
    if (!page) return false;
    const question = l10n.t('Open the login page of {0} in your browser? It’s at {1}.', agentName, page.host);
    const open = l10n.t('Open Page');
    if ((await askModal(question, { detail: page.href, items: [open] })) !== open || signal.aborted) return false;
    return openOutside(address);
  },

  async askVariables(agentName, method, signal) {
    const values: Record<string, string> = {};
    for (const [index, variable] of method.vars.entries()) {
      const value = await ask(variableBox(agentName, method, variable, index), signal);
      if (value === undefined) return undefined;
      if (value !== '') values[variable.name] = value;
    }
    return values;
  },

  askApiKey: (agentName, methodName, signal) =>
    ask(
      {
        title: l10n.t('Log in to {0}', agentName),
        prompt: l10n.t(
          '{0}: sent to {1}, which stores it. Leave empty to use the key the agent already has.',
          methodName,
          agentName,
        ),
        password: true,
      },
      signal,
    ),

  async askGateway(agentName, signal) {
    const title = l10n.t('Log in to {0}', agentName);
    const url = await ask(
      {
        title,
        prompt: l10n.t('Gateway URL'),
        placeHolder: 'https://gateway.example/v1',
        validateInput: (text) => (isWebAddress(text) ? undefined : l10n.t('Enter a URL that starts with https://')),
      },
      signal,
    );
    if (url === undefined) return undefined;
    const prompt = l10n.t('Value of the Authorization header, such as “Bearer …”. Leave empty if there isn’t one.');
    const authorization = await ask({ title, prompt, password: true }, signal);
    if (authorization === undefined) return undefined;
    const headers: Variables = authorization === '' ? {} : { Authorization: authorization };
    return { baseUrl: url.trim(), headers };
  },
};

function variableBox(
  agentName: string,
  method: AuthMethod & { readonly type: 'env_var' },
  { name, label, isSecret, isOptional }: AuthVariable,
  index: number,
): vscode.InputBoxOptions {
  const count = method.vars.length;
  const place = count > 1 ? ` (${index + 1}/${count})` : '';
  const where = method.link === undefined ? '' : l10n.t('Find it at {0}.', method.link);
  const kept = l10n.t('Stored in VS Code’s secret storage, never in settings.');
  const left = isOptional ? l10n.t('Optional.') : '';
  return {
    title: l10n.t('Log in to {0}', agentName) + place,
    prompt: [`${label ?? name}.`, where, kept, left].filter(Boolean).join(' '),
    placeHolder: name,
    password: isSecret,
    validateInput: (text) => (text === '' && !isOptional ? l10n.t('{0} is required.', label ?? name) : undefined),
  };
}

/** Stays open when the user switches to another window, and closes when the login is cancelled. */
async function ask(options: vscode.InputBoxOptions, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const source = new vscode.CancellationTokenSource();
  const onAbort = () => source.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  const listening = toDisposable(() => signal.removeEventListener('abort', onAbort));
  try {
    return await askText({ ...options, ignoreFocusOut: true }, source.token);
  } finally {
    listening.dispose();
    source.dispose();
  }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
