import * as vscode from 'vscode';
import { Disposable } from '../../../shared/values/disposable';
import { isChangesTab } from '../shown/showChanges';

/** Sets the context key that gives Review Changes its buttons: its editor has no address that a menu could check. */
export class ReviewInFront extends Disposable {
  private isInFront = false;

  constructor() {
    super();
    const { tabGroups } = vscode.window;
    this.register(tabGroups.onDidChangeTabs(() => this.update()));
    this.register(tabGroups.onDidChangeTabGroups(() => this.update()));
    this.update();
  }

  private update(): void {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const isInFront = activeTab !== undefined && isChangesTab(activeTab);
    if (isInFront === this.isInFront) return;
    this.isInFront = isInFront;
    void vscode.commands.executeCommand('setContext', 'parley.isReviewInFront', isInFront);
  }
}
