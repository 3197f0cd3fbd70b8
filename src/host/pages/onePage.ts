import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';

/** What a page shows in its tab. Without it, the tab stays as it is. */
export interface PageInTab extends Disposable {
  readonly onDidClose: Event<void>;
}

/**
 * A page in an editor tab, of which there is at most one. The tab stays when Parley stops, so that VS Code restores it after the window
 * has reloaded: a tab that is closed then would be forgotten.
 */
export class OnePage<P extends PageInTab> extends Disposable implements vscode.WebviewPanelSerializer {
  private readonly create: (restored?: vscode.WebviewPanel) => P;
  private page: P | undefined;

  /** `package.json` has the type among the activation events, too. */
  constructor(type: `parley.${string}`, create: (restored?: vscode.WebviewPanel) => P) {
    super();
    this.create = create;
    this.register(vscode.window.registerWebviewPanelSerializer(type, this));
    this.register({ dispose: () => this.page?.dispose() });
  }

  /** The page, if its tab is open. */
  get opened(): P | undefined {
    return this.page;
  }

  /** Returns the page, in a new tab if none is open. */
  open(): P {
    return this.page ?? this.show(this.create());
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    // The user may have opened it before the restored tab was shown.
    if (this.page) panel.dispose();
    else this.show(this.create(panel));
    return Promise.resolve();
  }

  private show(page: P): P {
    this.page = page;
    page.onDidClose(() => {
      if (this.page === page) this.page = undefined;
    });
    return page;
  }
}
