import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/agentSpec';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { FromProvidersPage, ProviderOutcome, ToProvidersPage } from '../../shared/modelProviders';
import { messageOf } from '../../shared/messageOf';
import { pageHtml, pageRoots } from '../pages/pageHtml';
import type { ProviderSettings } from './providerSettings';
import { showError } from '../ui/notifications';
import { plainTitle } from '../ui/labels';

const panelType = 'parley.providers';

/** What the page needs beside the agent. */
export interface PanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Lets the user log in to an agent; resolves when that has ended, however. */
  readonly logIn: (spec: AgentSpec) => Promise<unknown>;
  /** Opens the login card in a chat that shows a session with this agent, if one does. */
  readonly showLogin: (spec: AgentSpec) => void;
}

/** The page of an agent's providers, in an editor tab. Nothing of it is kept when the window is loaded anew: it may hold secrets. */
export class ProvidersPanel extends Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly spec: AgentSpec;
  private readonly settings: ProviderSettings;
  private readonly logins: Omit<PanelOptions, 'extensionUri'>;
  private readonly closed = this.register(new Emitter<void>());
  /** One thing after the other, in the order in which the user wanted them. */
  private last: Promise<void> = Promise.resolve();
  readonly onDidClose = this.closed.event;

  constructor({ extensionUri, ...logins }: PanelOptions, spec: AgentSpec, settings: ProviderSettings) {
    super();
    this.logins = logins;
    this.spec = spec;
    this.settings = this.register(settings);
    const title = plainTitle(l10n.t('Model providers for {0}', spec.name));
    this.panel = vscode.window.createWebviewPanel(panelType, title, vscode.ViewColumn.Active, {
      // What was typed stays while another tab is in front.
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: pageRoots(extensionUri),
    });
    this.register(this.panel);
    this.panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'parley.svg');
    this.register(
      this.panel.onDidDispose(() => {
        this.closed.fire();
        this.dispose();
      }),
    );
    this.register(
      this.panel.webview.onDidReceiveMessage((message: FromProvidersPage) => {
        if (message.type === 'logIn') void this.logIn();
        else this.next(message);
      }),
    );
    this.panel.webview.html = pageHtml(this.panel.webview, extensionUri, 'editor', 'providers');
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Nothing waits for a login, and when it is over the page looks again. */
  private async logIn(): Promise<void> {
    try {
      await this.logins.logIn(this.spec);
    } catch (error) {
      void showError(messageOf(error));
    }
    if (!this.isDisposed) this.next({ type: 'askAgain' });
  }

  private next(message: Exclude<FromProvidersPage, { type: 'logIn' }>): void {
    // Neither rejects.
    this.last = this.last.then(() => this.handle(message));
  }

  private async handle(message: Exclude<FromProvidersPage, { type: 'logIn' }>): Promise<void> {
    switch (message.type) {
      case 'ready':
      case 'askAgain':
        this.post({ type: 'providers', agentName: this.spec.name, shown: { state: 'asking' } });
        break;
      case 'save':
        this.tell(await this.settings.save(message.draft));
        break;
      case 'turnOff':
        this.tell(await this.settings.turnOff(message.providerId));
        break;
      case 'forget':
        this.tell(await this.settings.forget(message.providerId));
    }
    if (this.isDisposed) return;
    const shown = await this.settings.look();
    if (shown.state === 'failed' && shown.wantsLogin) this.showLogin();
    this.post({ type: 'providers', agentName: this.spec.name, shown });
  }

  private showLogin(): void {
    // Where that cannot be loaded, the page has its own button.
    this.logins.showLogin(this.spec);
  }

  private tell(outcome: ProviderOutcome): void {
    if (outcome.wantsLogin) this.showLogin();
    this.post({ type: 'outcome', ...outcome });
  }

  private post(message: ToProvidersPage): void {
    // A page that is gone needs no answer.
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}
