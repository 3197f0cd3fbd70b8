import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { McpInput } from '../../agent/mcp/mcpJson';
import type { McpServerSpec } from '../../agent/mcp/serverSpec';
import { printOf } from '../consent/contentConsent';
import { printOfServer } from './mcpConsent';
import { askText, pickOne } from '../ui/quickInput';

const prefix = 'mcp.input:';

/**
 * Values that the user entered for `${input:ID}` in an `mcp.json`. Asks once, then stores the value in the editor's
 * secret storage.
 */
export class McpInputs {
  private readonly secrets: vscode.SecretStorage;
  private asking: Promise<unknown> = Promise.resolve();

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
  }

  /**
   * Returns the value of a file's input for a server, or undefined if the user enters none or `signal` aborts. The
   * value is bound to the server's definition, so another program or URL doesn't get it.
   */
  get(file: string, input: McpInput, server: McpServerSpec, signal: AbortSignal): Promise<string | undefined> {
    const key = `${prefix}${printOf([file, input.id, printOfServer(server)]).slice(0, 40)}`;
    // Asks one question at a time, and the second session finds the value entered for the first.
    const answer = this.asking.then(async () => (await this.stored(key)) ?? this.ask(key, input, server.name, signal));
    this.asking = answer.catch(() => undefined);
    return answer;
  }

  /** Forgets every value. */
  async forget(): Promise<void> {
    for (const key of await this.secrets.keys()) if (key.startsWith(prefix)) await this.secrets.delete(key);
  }

  /** Without a system keychain, nothing is stored. */
  private stored(key: string): Promise<string | undefined> {
    return Promise.resolve(this.secrets.get(key)).catch(() => undefined);
  }

  private async ask(key: string, input: McpInput, server: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = () => cancellation.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const value = await prompt(input, l10n.t('MCP server {0}', server), cancellation.token);
      // A value that can't be stored is used in this session and asked for again.
      if (value !== undefined) await Promise.resolve(this.secrets.store(key, value)).catch(() => undefined);
      return value;
    } finally {
      signal.removeEventListener('abort', cancel);
      cancellation.dispose();
    }
  }
}

async function prompt(
  { id, description, password, value, options }: McpInput,
  title: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const question = description === '' ? id : description;
  if (options.length === 0) {
    const box = { title, prompt: question, password, value, ignoreFocusOut: true };
    return askText(box, token);
  }
  // The default option comes first.
  const sorted = [...options].sort((a, b) => Number(b.value === value) - Number(a.value === value));
  const items = sorted.map(({ label, value: chosen }) => ({ label, chosen }));
  const pick = { title, placeHolder: question, ignoreFocusOut: true };
  return (await pickOne(items, pick, token))?.chosen;
}
