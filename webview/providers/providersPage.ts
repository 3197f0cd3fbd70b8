import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type {
  FromProvidersPage,
  ProvidersShown,
  ToolsShown,
  ToProvidersPage,
} from '../../src/shared/pages/modelProviders';
import { icon } from '../base/icon';
import { ProviderEdit } from './providerDraft';
import { providerForm, type ProviderAction } from './providerForm';
import { toolsSection } from './toolsSection';

/**
 * The page of an agent: its model providers and the editor's tools that it gets (https://agentclientprotocol.com/rfds/custom-llm-endpoint). It never takes the focus on its own,
 * and typed text disappears only when it is saved.
 */
export class ProvidersPage {
  private readonly root: HTMLElement;
  private readonly post: (message: FromProvidersPage) => void;
  private readonly edits = new Map<string, ProviderEdit>();
  private readonly saving = new Set<string>();
  private agentName = '';
  /** Absent until the agent is asked. */
  private shown: ProvidersShown | undefined;
  private tools: ToolsShown | undefined;
  private problem = '';
  /** What the page was opened for. */
  private first: 'providers' | 'tools' | undefined;

  constructor(root: HTMLElement, post: (message: FromProvidersPage) => void) {
    this.root = root;
    this.post = post;
  }

  receive(message: ToProvidersPage): void {
    if (message.type === 'outcome') {
      const { providerId } = message;
      this.edits.get(providerId)?.settle(message, this.saving.delete(providerId));
    } else if (message.type === 'tools') {
      this.first ??= 'tools';
      this.agentName = message.agentName;
      this.tools = message.shown;
      this.problem = message.problem ?? '';
    } else {
      this.first ??= 'providers';
      this.agentName = message.agentName;
      this.shown = message.shown;
      if (message.shown.state === 'ready') this.take(message.shown.providers);
    }
    this.draw();
  }

  private take(providers: (ProvidersShown & { readonly state: 'ready' })['providers']): void {
    for (const view of providers) {
      const edit = this.edits.get(view.providerId);
      if (edit) edit.update(view);
      else this.edits.set(view.providerId, new ProviderEdit(view));
    }
    const known = new Set(providers.map(({ providerId }) => providerId));
    for (const id of this.edits.keys()) if (!known.has(id)) this.edits.delete(id);
  }

  private draw(): void {
    const { agentName, shown, first } = this;
    const heading =
      first === 'tools' ? l10n.t('Editor tools for {0}', agentName) : l10n.t('Model providers for {0}', agentName);
    document.title = heading;
    const lead = l10n.t(
      'The services {0} gets its models from. Changes are sent now and each time it starts. They’re kept in VS Code’s secret storage, never in settings, and saved header values aren’t shown again.',
      agentName,
    );
    render(
      html`<main class="pl-providers">
        <h1>${heading}</h1>
        ${first === 'tools' ? this.toolsCard('') : nothing}
        ${first === 'tools' && shown ? html`<h2 class="part">${l10n.t('Model providers')}</h2>` : nothing}
        ${
          shown
            ? html`<p class="lead">${lead}</p>
                ${this.body(shown)}`
            : this.showProviders()
        }
        ${first === 'tools' ? nothing : this.toolsCard(l10n.t('Editor tools'))}
      </main>`,
      this.root,
    );
  }

  private toolsCard(heading: string): TemplateResult | typeof nothing {
    const { agentName, tools, problem, post } = this;
    return tools ? toolsSection({ agentName, shown: tools, problem, post }, heading) : nothing;
  }

  /** A button, because asking for providers starts the agent. */
  private showProviders(): TemplateResult | typeof nothing {
    if (!this.tools) return nothing;
    const show = () => this.post({ type: 'askAgain' });
    return html`<div class="btns">
      <button type="button" class="btn" @click=${show}>${l10n.t('Show model providers')}</button>
    </div>`;
  }

  private body(shown: ProvidersShown): TemplateResult {
    const { agentName } = this;
    if (shown.state === 'asking') {
      const words = l10n.t('Loading model providers from {0}…', agentName);
      return html`<p role="status" class="line">${icon('loading', 'spin')}<span>${words}</span></p>`;
    }
    if (shown.state === 'failed') {
      return html`<div class="pl-card err" role="alert">
        <div class="h">${icon('error', 'err')}<span>${shown.title}</span></div>
        <div class="ind">${shown.next}</div>
        <div class="ind btns">
          ${shown.wantsLogin ? this.logIn() : nothing}
          <button class="btn" @click=${() => this.post({ type: 'askAgain' })}>${l10n.t('Try again')}</button>
        </div>
      </div>`;
    }
    if (shown.providers.length === 0) {
      return html`<p role="status">${l10n.t('{0} has no configurable providers.', agentName)}</p>`;
    }
    const forms = shown.providers.flatMap(({ providerId }) => this.edits.get(providerId) ?? []);
    return html`${repeat(
      forms,
      ({ view }) => view.providerId,
      (edit, at) =>
        providerForm({
          edit,
          id: `p${at}`,
          agentName,
          logIn: () => this.logIn(),
          draw: () => this.draw(),
          want: (wish) => this.run(edit, wish),
        }),
    )}`;
  }

  private logIn(): TemplateResult {
    const begin = () => this.post({ type: 'logIn' });
    return html`<button type="button" class="btn primary" @click=${begin}>${l10n.t('Log In…')}</button>`;
  }

  private run(edit: ProviderEdit, wish: ProviderAction): void {
    if (edit.isBusy) return;
    const { providerId } = edit.view;
    const draft = wish === 'save' ? edit.judge() : undefined;
    if (wish === 'save' && !draft) {
      this.draw();
      this.root.querySelector<HTMLElement>(`[data-provider="${CSS.escape(providerId)}"] [aria-invalid=true]`)?.focus();
      return;
    }
    edit.isBusy = true;
    edit.outcome = undefined;
    if (draft) this.saving.add(providerId);
    this.post(
      wish === 'save' && draft ? { type: 'save', draft } : { type: wish === 'forget' ? wish : 'turnOff', providerId },
    );
    this.draw();
  }
}
