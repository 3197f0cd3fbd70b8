import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { FromProvidersPage, ProviderOutcome, ToProvidersPage } from '../../shared/pages/modelProviders';
import { messageOf } from '../../shared/values/messageOf';
import { openPage } from '../pages/openPage';
import type { AgentTools } from './agentTools';
import { decodeToolMessage, isAboutTools, type ToolMessage } from './toolMessage';
import type { ProviderSettings } from './providerSettings';
import { showError } from '../ui/notifications';

/** The services that the page needs besides the agent. */
export interface PanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Lets the user log in to an agent. Resolves when the login ends, whatever the result. */
  readonly logIn: (spec: AgentSpec) => Promise<unknown>;
  /** Shows the login card in a chat with a session of this agent, if there is one. */
  readonly showLogin: (spec: AgentSpec) => void;
}

/** What the user opened the page for. */
export type PageTopic = 'providers' | 'tools';

type ProviderMessage = Exclude<FromProvidersPage, { type: 'logIn' | ToolMessage['type'] }>;

/**
 * The page of an agent's model providers and of the editor's tools that it gets, in an editor tab. Isn't restored after a reload, because it may contain
 * secrets.
 */
export class ProvidersPanel extends Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly spec: AgentSpec;
  private readonly settings: ProviderSettings;
  private readonly logins: Omit<PanelOptions, 'extensionUri'>;
  private readonly tools: AgentTools;
  /** Whether the agent is asked for its providers, which starts it. */
  private asksAgent: boolean;
  private readonly closed = this.register(new Emitter<void>());
  /** The last of the user's actions, which run one at a time in order. */
  private last: Promise<void> = Promise.resolve();
  readonly onDidClose = this.closed.event;

  constructor(
    { extensionUri, ...logins }: PanelOptions,
    spec: AgentSpec,
    settings: ProviderSettings,
    tools: AgentTools,
    topic: PageTopic,
  ) {
    super();
    this.tools = tools;
    this.asksAgent = topic === 'providers';
    this.logins = logins;
    this.spec = spec;
    this.settings = this.register(settings);
    this.panel = this.register(
      openPage<FromProvidersPage>({
        extensionUri,
        viewType: 'parley.providers',
        page: 'providers',
        title:
          topic === 'providers'
            ? l10n.t('Model providers for {0}', spec.name)
            : l10n.t('Editor tools for {0}', spec.name),
        keepsText: true,
        receive: (message) => {
          if (message.type === 'logIn') void this.logIn();
          else if (isToolMessage(message)) void this.setTools(decodeToolMessage(message));
          else this.next(message);
        },
        closed: () => {
          this.closed.fire();
          this.dispose();
        },
      }),
    );
    this.register(tools.onDidChange(() => this.showTools()));
  }

  reveal(topic: PageTopic): void {
    this.panel.reveal();
    if (topic === 'providers' && !this.asksAgent) this.next({ type: 'askAgain' });
  }

  private async setTools(message: ToolMessage | undefined): Promise<void> {
    if (!message) return;
    try {
      if (message.type === 'setTools') await this.tools.setTools(message.isOn);
      else if (message.type === 'setTool') await this.tools.setTool(message.name, message.isOn);
      else if (message.type === 'allowTools') await this.tools.allowForAll();
      else await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.editorTools');
    } catch (error) {
      // The page shows what is set.
      this.showTools(l10n.t('Couldn’t change your settings: {0}', messageOf(error)));
    }
  }

  private showTools(problem?: string): void {
    const { name } = this.spec;
    this.post({ type: 'tools', agentName: name, shown: this.tools.look(), ...compact({ problem }) });
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

  private next(message: ProviderMessage): void {
    // What can't be read, which only foreign code in the page can send, doesn't end the others.
    this.last = this.last.then(() => this.handle(message)).catch(() => undefined);
  }

  private async handle(message: ProviderMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        if (!this.asksAgent) {
          this.showTools();
          return;
        }
        this.post({ type: 'providers', agentName: this.spec.name, shown: { state: 'asking' } });
        this.showTools();
        break;
      case 'askAgain':
        this.asksAgent = true;
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
    // Now it is known whether the agent supports them.
    this.showTools();
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

function isToolMessage(message: FromProvidersPage): message is ToolMessage {
  return isAboutTools(message);
}
