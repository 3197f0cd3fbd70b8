import { Disposable } from '../../shared/disposable';
import { RulesPanel, type RulesPanelServices } from './rulesPanel';

/** Opens the page of permission rules, at most one. */
export class RulesPages extends Disposable {
  private readonly services: RulesPanelServices;
  private panel: RulesPanel | undefined;

  constructor(services: RulesPanelServices) {
    super();
    this.services = services;
    this.register({ dispose: () => this.panel?.dispose() });
  }

  /** Shows the page; with an id, at this rule. */
  show(id?: string): void {
    if (!this.panel) {
      this.panel = new RulesPanel(this.services);
      this.panel.onDidClose(() => (this.panel = undefined));
    }
    this.panel.reveal(id);
  }
}
