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

/** The services that the page needs besides the agent. */
export interface PanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Lets the user log in to an agent. Resolves when the login ends, whatever the result. */
  readonly logIn: (spec: AgentSpec) => Promise<unknown>;
  /** Shows the login card in a chat with a session of this agent, if there is one. */
  readonly showLogin: (spec: AgentSpec) => void;
}

/**
 * The page of an agent's model providers, in an editor tab. Isn't restored after a reload, because it may contain
 * secrets.
 */
export class ProvidersPanel extends Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly spec: AgentSpec;
  private readonly settings: ProviderSettings;
  private readonly logins: Omit<PanelOptions, 'extensionUri'>;
  private readonly closed = this.register(new Emitter<void>());
  /** The last of the user's actions, which run one at a time in order. */
  private last: Promise<void> = Promise.resolve();
  readonly onDidClose = this.closed.event;

  constructor({ extensionUri, ...logins }: PanelOptions, spec: AgentSpec, settings: ProviderSettings) {
    super();
    this.logins = logins;
    this.spec = spec;
    this.settings = this.register(settings);
    const title = plainTitle(l10n.t('Model providers for {0}', spec.name));
    this.panel = vscode.window.createWebviewPanel(panelType, title, vscode.ViewColumn.Active, {
      // Keeps the typed text while another tab is active.
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

  /** The login runs in the background, and the page reloads its data when it ends. */
  private async logIn(): Promise<void> {
    try {
      await this.logins.logIn(this.spec);
    } catch (error) {
      void showError(messageOf(error));
    }
    if (!this.isDisposed) this.next({ type: 'askAgain' });
  }

  private next(message: Exclude<FromProvidersPage, { type: 'logIn' }>): void {
    // Neither one rejects.
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
    // If that can't be loaded, the page has its own button.
    this.logins.showLogin(this.spec);
  }

  private tell(outcome: ProviderOutcome): void {
    if (outcome.wantsLogin) this.showLogin();
    this.post({ type: 'outcome', ...outcome });
  }

  private post(message: ToProvidersPage): void {
    // A closed page needs no reply.
    if (!this.isDisposed) void this.panel.webview.postMessage(message);
  }
}
