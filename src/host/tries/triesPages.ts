import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import type { TriesPanel, TriesPanelServices } from './triesPanel';

/** The type of comparison pages. `package.json` uses it, too. */
const triesPanelType = 'parley.triesPage';

/** Most windows compare no tries, so the code is loaded on first use. */
const panelCode = () => import('./triesPanel');
type PanelCode = Awaited<ReturnType<typeof panelCode>>;

/** Opens comparison pages, one for each task that has several tries. */
export class TriesPages extends Disposable implements vscode.WebviewPanelSerializer {
  private readonly services: TriesPanelServices;
  private readonly panels = new Map<string, TriesPanel>();

  constructor(services: TriesPanelServices) {
    super();
    this.services = services;
    this.register(vscode.window.registerWebviewPanelSerializer(triesPanelType, this));
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === 'object' && state !== null && 'group' in state ? String(state.group) : '';
    this.adopt(await panelCode(), panel, id);
  }

  /** Shows the page of a task. */
  async show(id: string): Promise<void> {
    const code = await panelCode();
    const open = this.panels.get(id);
    if (open) {
      open.reveal();
      return;
    }
    const options = { retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel(triesPanelType, '', vscode.ViewColumn.Active, options);
    this.adopt(code, panel, id).reveal();
  }

  /** Shows the page of a task that the user selects, or of the only one. */
  async choose(): Promise<void> {
    const { store } = this.services;
    await store.ready;
    const items = store.groups.map(({ id, message, tries }) => ({
      label: message.trim().split('\n', 1)[0] ?? '',
      description: [...new Set(tries.map(({ agentName }) => agentName))].join(', '),
      id,
    }));
    if (items.length === 0) {
      void showInformation(l10n.t('There are no tries yet. Start some with “Parley: Try With…”.'));
      return;
    }
    const picked = items.length === 1 ? items[0] : await pickOne(items, { placeHolder: l10n.t('Select a task') });
    if (picked) await this.show(picked.id);
  }

  private adopt(code: PanelCode, panel: vscode.WebviewPanel, id: string): TriesPanel {
    const page = new code.TriesPanel(panel, this.services, id);
    this.panels.get(id)?.close();
    this.panels.set(id, page);
    page.onDidClose(() => {
      if (this.panels.get(id) === page) this.panels.delete(id);
    });
    return page;
  }
}
