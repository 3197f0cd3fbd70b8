import * as vscode from 'vscode';
import { ReviewRound } from '../../../review/shown/reviewRound';
import { Disposable } from '../../../shared/values/disposable';
import type { ReviewPageScope } from '../../../shared/changes/reviewPage';
import { commandTable } from '../../base/feature';
import { workspacePath } from '../../base/folders';
import { noteReviewed } from '../deciding/noteReviewed';
import { openChanges } from '../shown/showChanges';
import type { ReviewPanel, ReviewPanelServices } from './reviewPanel';

/** The type of review pages. `package.json` uses it, too. */
const reviewPanelType = 'parley.reviewPage';

/** Most windows show no review page, so its code is loaded on first use. */
const panelCode = () => import('./reviewPanel');
type PanelCode = Awaited<ReturnType<typeof panelCode>>;

/** Opens review pages: one for all changes, and one for those of each session. */
export class ReviewPages extends Disposable implements vscode.WebviewPanelSerializer {
  private readonly services: ReviewPanelServices;
  private readonly panels = new Map<string, ReviewPanel>();
  /** A review continues when its page is closed and opened again. */
  private readonly rounds = new Map<string, ReviewRound>();

  constructor(services: ReviewPanelServices) {
    super();
    this.services = services;
    this.register(vscode.window.registerWebviewPanelSerializer(reviewPanelType, this));
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  /** The commands that open reviews, by id. Their argument is a scope. */
  get commands() {
    return commandTable({
      'parley.review.open': (scope) => this.show(scopeIn(scope)),
      'parley.review.openMultiDiff': (scope) => openChanges(this.services.log, this.roundOf(scopeIn(scope)).uris),
    });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.adopt(await panelCode(), panel, scopeIn(state));
  }

  /** Shows the page of these changes. */
  async show(scope: ReviewPageScope): Promise<void> {
    noteReviewed();
    const code = await panelCode();
    const open = this.panels.get(keyOf(scope));
    if (open) {
      open.reveal();
      return;
    }
    const options = { retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel(reviewPanelType, '', vscode.ViewColumn.Active, options);
    this.adopt(code, panel, scope).reveal();
  }

  private adopt(code: PanelCode, panel: vscode.WebviewPanel, scope: ReviewPageScope): ReviewPanel {
    const page = new code.ReviewPanel(panel, this.services, scope, this.roundOf(scope));
    const key = keyOf(scope);
    this.panels.get(key)?.close();
    this.panels.set(key, page);
    page.onDidClose(() => {
      if (this.panels.get(key) === page) this.panels.delete(key);
    });
    return page;
  }

  private roundOf(scope: ReviewPageScope): ReviewRound {
    const key = keyOf(scope);
    const known = this.rounds.get(key);
    known?.update();
    const round = known ?? new ReviewRound(this.services.log, scope, (uri) => pathOf(uri));
    this.rounds.set(key, round);
    return round;
  }
}

function pathOf(uri: string): string {
  return workspacePath(vscode.Uri.parse(uri)).replaceAll('\\', '/');
}

function keyOf({ session, turn }: ReviewPageScope): string {
  return `${session ?? ''} ${turn ?? ''}`;
}

/** Reads a scope that a page stored, or the argument of a command. Anything else means all changes. */
function scopeIn(value: unknown): ReviewPageScope {
  if (typeof value !== 'object' || value === null) return {};
  const { session, turn } = value as Readonly<Record<string, unknown>>;
  if (typeof session !== 'string') return {};
  return { session: session as ReviewPageScope['session'] & string, ...(typeof turn === 'number' ? { turn } : {}) };
}
