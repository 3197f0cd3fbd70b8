import * as vscode from 'vscode';
import type { Budget } from '../../shared/amounts/budget';
import { assertNever } from '../../shared/values/assert';
import { Disposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { usageRanges, type FromUsagePage, type ToUsagePage, type UsageRange } from '../../shared/pages/usagePage';
import type { Prices } from '../../usage/prices';
import { reportOf } from '../../usage/usageReport';
import { usageCsv } from '../../usage/usageCsv';
import { dayOf } from '../../usage/usageDays';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { reported } from '../ui/reported';
import { saveAs } from '../ui/saveAs';
import { openBudget } from './openBudget';
import type { UsageStore } from './usageStore';

/** What the page of usage shows. */
export interface UsageTabServices {
  readonly store: UsageStore;
  readonly prices: () => Prices;
  readonly budgets: () => readonly Budget[];
  /** Returns the title of a session that is still there. */
  readonly titleOf: (session: SessionKey) => string | undefined;
  readonly log: Log;
}

/** The tab of usage. */
export class UsageTab extends Disposable implements PageTab<FromUsagePage> {
  private readonly services: UsageTabServices;
  private readonly post: (message: ToUsagePage) => void;
  private range: UsageRange = 'month';

  constructor(services: UsageTabServices, post: (message: ToUsagePage) => void) {
    super();
    this.services = services;
    this.post = post;
    this.register(services.store.onDidChange(() => this.show()));
  }

  /** Shows what has changed, such as prices. */
  show(): void {
    if (!this.isDisposed) reported(this.services.log, this.send());
  }

  receive(message: FromUsagePage): void {
    switch (message.type) {
      case 'setRange':
        this.range = usageRanges.find((range) => range === message.range) ?? this.range;
        this.show();
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

  private async send(): Promise<void> {
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
}
