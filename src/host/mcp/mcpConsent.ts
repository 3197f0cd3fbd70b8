import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { McpServerSpec } from '../../agent/mcp/serverSpec';
import { showInformation } from '../ui/notifications';

/** A session waits so long (ms) for the answer; notifications may be off, and then none ever comes. */
const patienceMs = 20_000;
/** A notification is a few lines. */
const maxNamed = 6;
const maxLength = 60;

const key = 'parley.mcpJson';

/** What the user said in this workspace. A refusal stands; a yes is for these servers and no others. */
type Remembered = { readonly answer: 'no' } | { readonly answer: 'yes'; readonly servers: string };

/** Whether agents may use the servers of `mcp.json`; `unanswered`: the user was asked and has said nothing yet. */
export type Consent = 'yes' | 'no' | 'unanswered';

/** Asks once per workspace whether agents may use what `mcp.json` names, and again when it names something else. */
export class McpConsent {
  private readonly memory: vscode.Memento;
  private readonly patience: number;
  /** The question that is open, or was closed without an answer in this window. */
  private asked: { readonly servers: string; readonly answer: Promise<Consent> } | undefined;

  constructor(memory: vscode.Memento, patience = patienceMs) {
    this.memory = memory;
    this.patience = patience;
  }

  /** Resolves at the latest when the user has had time to answer. */
  async get(servers: readonly McpServerSpec[], paths: readonly string[], signal: AbortSignal): Promise<Consent> {
    const print = fingerprint(servers);
    const known = this.memory.get<Remembered>(key);
    if (known?.answer === 'no') return 'no';
    if (known?.answer === 'yes' && known.servers === print) return 'yes';
    if (this.asked?.servers !== print) this.asked = { servers: print, answer: this.ask(servers, print, paths) };
    const tooLate = delay(this.patience, 'unanswered' as const, { signal, ref: false });
    return Promise.race([this.asked.answer, tooLate]);
  }

  /** The next session asks again. */
  async forget(): Promise<void> {
    this.asked = undefined;
    await this.memory.update(key, undefined);
  }

  private async ask(servers: readonly McpServerSpec[], print: string, paths: readonly string[]): Promise<Consent> {
    const [use, show, refuse] = [l10n.t('Use Them'), l10n.t('Show File'), l10n.t('Don’t Use')];
    const words = l10n.t('May agents use the MCP servers of mcp.json? {0}', describe(servers));
    for (;;) {
      const picked = await showInformation(words, use, show, refuse);
      if (picked === show) {
        for (const path of paths) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
        continue;
      }
      if (picked === undefined) return 'unanswered';
      const answer: Remembered = picked === use ? { answer: 'yes', servers: print } : { answer: 'no' };
      await this.memory.update(key, answer);
      return answer.answer;
    }
  }
}

function fingerprint(servers: readonly McpServerSpec[]): string {
  const parts = servers.map(({ name, folder = '', transport }) => JSON.stringify([name, folder, transport]));
  return createHash('sha256').update(parts.sort().join('\n')).digest('hex');
}

/** What each runs or reaches, as it is written. */
function describe(servers: readonly McpServerSpec[]): string {
  const named = servers.slice(0, maxNamed).map(({ name, transport }) => {
    if (transport.type !== 'stdio') return l10n.t('{0} connects to {1}', name, shorten(transport.url));
    return l10n.t('{0} runs “{1}”', name, shorten([transport.command, ...transport.args].join(' ')));
  });
  const more = servers.length - named.length;
  return `${[...named, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('; ')}.`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
