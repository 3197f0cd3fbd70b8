import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Budget } from '../../shared/budget';
import { assertNever } from '../../shared/assert';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import { usageRanges, type FromUsagePage, type ToUsagePage, type UsageRange } from '../../shared/usagePage';
import type { Prices } from '../../usage/prices';
import { reportOf } from '../../usage/usageReport';
import { usageCsv } from '../../usage/usageCsv';
import { dayOf } from '../../usage/usageDays';
import type { Log } from '../log/log';
import { openPage } from '../pages/openPage';
import { reported } from '../ui/reported';
import { saveAs } from '../ui/saveAs';
import { openBudget } from './openBudget';
import type { UsageStore } from './usageStore';

/** What the page of usage shows. */
export interface UsagePanelServices {
  readonly extensionUri: vscode.Uri;
  readonly store: UsageStore;
  readonly prices: () => Prices;
  readonly budgets: () => readonly Budget[];
  /** Returns the title of a session that is still there. */
  readonly titleOf: (session: SessionKey) => string | undefined;
  readonly log: Log;
}

/** The page of usage, in an editor tab. */
export class UsagePanel extends Disposable {
  private readonly services: UsagePanelServices;
  private readonly panel: vscode.WebviewPanel;
  private readonly closed = this.register(new Emitter<void>());
  private range: UsageRange = 'month';
  private isReady = false;
  readonly onDidClose = this.closed.event;

  constructor(services: UsagePanelServices, restored?: vscode.WebviewPanel) {
    super();
    this.services = services;
    const { extensionUri, store } = services;
    this.panel = openPage<FromUsagePage>(
      {
        extensionUri,
        page: 'usage',
        title: l10n.t('Usage'),
        keepsText: false,
        receive: (message) => this.receive(message),
        closed: () => {
          this.closed.fire();
          this.dispose();
        },
      },
      restored,
    );
    this.register(store.onDidChange(() => this.update()));
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Shows what has changed, such as prices. */
  update(): void {
    if (this.isReady) reported(this.services.log, this.show());
  }

  private receive(message: FromUsagePage): void {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.update();
        return;
      case 'setRange':
        this.range = usageRanges.find((range) => range === message.range) ?? this.range;
        this.update();
        return;
      case 'exportCsv':
        reported(this.services.log, this.export());
        return;
      case 'openBudget':
        openBudget();
        return;
      case 'openPrices':
        void vscode.commands.executeCommand('workbench.action.openSettings', 'parley.usage.prices');
        return;
      default:
        assertNever(message);
    }
  }

  private async show(): Promise<void> {
    const { store, prices, budgets, titleOf } = this.services;
    const days = await store.days();
    const options = { range: this.range, now: Date.now(), prices: prices(), budgets: budgets(), titleOf };
    const report = reportOf(days, options);
    this.post({ type: 'usage', report, locale: vscode.env.language });
  }

  private async export(): Promise<void> {
    const { store, prices } = this.services;
    const text = usageCsv(await store.days(), prices());
    await saveAs(`parley-usage-${dayOf(Date.now())}.csv`, new TextEncoder().encode(text), { CSV: ['csv'] });
  }

  private post(message: ToUsagePage): void {
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}
