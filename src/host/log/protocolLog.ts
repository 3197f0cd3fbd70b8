import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentTraffic } from '../../agent/pool/trafficLogs';
import { Disposable } from '../../shared/values/disposable';
import { saveAs } from '../ui/saveAs';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

const scheme = 'parley-log';

/** Shows the protocol traffic of this window's agents in read-only documents, with secrets removed. */
export class ProtocolLog extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly pool: AgentPool;
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());

  readonly onDidChange = this.changed.event;

  constructor(pool: AgentPool) {
    super();
    this.pool = pool;
    this.register(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const startedAt = Number(new URLSearchParams(uri.query).get('started'));
    return this.pool.traffic.find((item) => item.startedAt === startedAt)?.traffic.export() ?? '';
  }

  /**
   * Shows the current protocol log of the agent that was started at `startedAt`. Otherwise lets the user select an agent
   * if there are several.
   */
  async show(startedAt?: number): Promise<void> {
    const items = this.pool.traffic;
    if (items.length === 0) {
      void showInformation(l10n.t('There’s no protocol log yet. Start an agent first.'));
      return;
    }
    const known = items.find((item) => item.startedAt === startedAt);
    const chosen = known ?? (items.length === 1 ? items[0] : await pick(items));
    if (!chosen) return;
    const uri = vscode.Uri.from({
      scheme,
      path: `/${chosen.agentName} ${timeOf(chosen).replaceAll(':', '.')}.jsonl`,
      query: `started=${chosen.startedAt}`,
    });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Saves the log in the active editor to a file that the user chooses. */
  async export(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== scheme) return this.show();
    const bytes = new TextEncoder().encode(document.getText());
    await saveAs(document.uri.path.slice(1), bytes, { [l10n.t('JSON Lines')]: ['jsonl'] });
  }
}

function timeOf(item: AgentTraffic): string {
  return new Date(item.startedAt).toLocaleTimeString(vscode.env.language, { hour12: false });
}

async function pick(items: readonly AgentTraffic[]): Promise<AgentTraffic | undefined> {
  const picked = await pickOne(
    items.map((item) => ({
      label: item.agentName,
      description: l10n.t('started {0}', timeOf(item)),
      item,
    })),
    { placeHolder: l10n.t('Select an agent to show its log') },
  );
  return picked?.item;
}
