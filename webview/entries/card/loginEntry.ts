import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { LoginChoice, LoginEntry } from '../../../src/shared/transcript/login';
import type { Entry, ErrorAction } from '../../../src/shared/transcript/transcript';
import { progressRing } from '../../controls/controls';
import { icon } from '../../base/icon';
import { EntryView, type EntryScope } from '../view/entryView';

/**
 * The login card: the login methods as buttons, the running login with a way to cancel it, and afterward the waiting message. It never
 * takes the focus, and nothing happens without a click.
 */
export class LoginView extends EntryView {
  entry: LoginEntry;
  private spoken = '';

  constructor(scope: EntryScope, entry: LoginEntry) {
    super(scope);
    this.entry = entry;
    this.element.setAttribute('aria-label', l10n.t('Notice'));
  }

  set(entry: Entry): void {
    if (entry.kind === 'login') this.entry = entry;
    this.scope.queue.add(this);
  }

  step(): boolean {
    const { agentName } = this.scope.transcript.view;
    const hadFocus = this.element.contains(document.activeElement);
    const { progress } = this.entry;
    render(
      html`<div
        class="pl-card ${progress.state === 'done' ? '' : 'attn'}"
        role="group"
        aria-label=${l10n.t('Log in to {0}', agentName)}
      >
        <div class="h">
          ${progress.state === 'done' ? icon('check', 'ok') : icon('key', 'attn')}<span>${this.title()}</span>
        </div>
        <div class="ind">${this.sentence()}</div>
        ${this.body()}
      </div>`,
      this.element,
    );
    // The pressed button may no longer exist.
    if (hadFocus && !this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
    this.speak();
    return true;
  }

  private title(): string {
    const { agentName } = this.scope.transcript.view;
    const { state } = this.entry.progress;
    return state === 'done' ? l10n.t('Logged in to {0}', agentName) : l10n.t('Log in to {0} to continue.', agentName);
  }

  private sentence(): string {
    const { progress, methods, waits } = this.entry;
    if (progress.state === 'done') return l10n.t('Your message is saved. Send it when you’re ready.');
    const kept = waits ? l10n.t('Your message is saved. Send it again after you log in.') : '';
    if (methods.length > 0) return kept;
    return [l10n.t('You can’t log in to it from here. Use its own program in a terminal.'), kept]
      .filter(Boolean)
      .join(' ');
  }

  private body(): TemplateResult | typeof nothing {
    const { progress, methods } = this.entry;
    switch (progress.state) {
      case 'done':
        return buttons(this.again(true));
      case 'running': {
        const method = methods.find(({ methodId }) => methodId === progress.methodId);
        return html`<div class="ind">
          <div class="pl-pick">
            <div class="way">
              ${progressRing()}<span>${method?.name ?? ''}</span
              ><button type="button" class="btn" @click=${() => this.cancel()}>${l10n.t('Cancel')}</button
              ><span class="s">${runningWords(method)}</span>
            </div>
          </div>
        </div>`;
      }
      default:
        return html`${
          progress.state === 'failed'
            ? html`<div class="ind pl-failed">
                ${icon('error', 'err')}<span><b>${progress.title}</b> ${progress.cause}</span>
              </div>`
            : nothing
        }${
          methods.length > 0
            ? html`<div class="ind"><div class="pl-pick">${methods.map((method) => this.method(method))}</div></div>`
            : nothing
        }${this.more()}`;
    }
  }

  /** Renders the actions for users who logged in elsewhere. */
  private more(): TemplateResult | typeof nothing {
    const { isOpen, waits, methods } = this.entry;
    const isOnly = methods.length === 0;
    const other =
      this.entry.progress.state === 'failed' || isOnly
        ? this.action('continueWith', l10n.t('Continue with…'), false)
        : nothing;
    if (isOpen && !waits) return other === nothing ? nothing : buttons(other);
    const button = isOpen ? this.again(isOnly) : this.action('restartAgent', l10n.t('Try again'), isOnly);
    return buttons(
      isOnly
        ? html`${button}${other}`
        : html`<span class="dim">${l10n.t('Already logged in elsewhere?')}</span>${button}${other}`,
    );
  }

  private again(isPrimary: boolean): TemplateResult {
    return this.action('sendAgain', l10n.t('Send again'), isPrimary);
  }

  private action(action: ErrorAction, label: string, isPrimary: boolean): TemplateResult {
    return html`<button
      type="button"
      class="btn ${isPrimary ? 'primary' : ''}"
      @click=${() => {
        this.scope.context.post({ type: 'errorAction', session: this.scope.session, entry: this.entry.id, action });
      }}
    >
      ${label}
    </button>`;
  }

  private method(method: LoginChoice): TemplateResult {
    const { methodId, name } = method;
    const glyphs = {
      agent: 'browser',
      terminal: 'terminal',
      variables: 'key',
      apiKey: 'key',
      gateway: 'globe',
    } as const;
    const id = `${this.entry.id}-${methodId}`;
    return html`<div class="way">
      ${icon(glyphs[method.how])}<button
        type="button"
        aria-describedby=${id}
        @click=${() => {
          this.scope.context.post({ type: 'login', session: this.scope.session, methodId });
        }}
      >
        ${name}</button
      >${icon('chevron-right', 'quiet')}<span class="s" id=${id}
        >${choiceDescription(method, this.scope.transcript.view.agentName)}</span
      >
    </div>`;
  }

  private cancel(): void {
    this.scope.context.post({ type: 'cancelLogin', session: this.scope.session });
  }

  /** Announces the changes since the card was last drawn. */
  private speak(): void {
    const { progress } = this.entry;
    const words = progress.state === 'failed' ? `${progress.title} ${progress.cause}` : this.title();
    if (progress.state === 'running' || words === this.spoken) return;
    this.spoken = words;
    // A card that leaves the page and comes back says nothing twice.
    if (this.scope.isFirstTime(`${this.entry.id} ${words}`)) this.scope.context.announce(words);
  }
}

function buttons(content: TemplateResult): TemplateResult {
  return html`<div class="ind btns pl-elsewhere">${content}</div>`;
}

/** Returns the description of a login method, in the agent's words if available. */
function choiceDescription({ how, command, description }: LoginChoice, agentName: string): TemplateResult | string {
  switch (how) {
    case 'terminal':
      return command === undefined
        ? (description ?? l10n.t('Runs {0} in a terminal', agentName))
        : html`${description === undefined ? nothing : html`${description} `}<span class="mono">${command}</span>`;
    case 'variables':
      return l10n.t('Stored in VS Code’s secret storage, never in settings');
    case 'apiKey':
      return description ?? l10n.t('Prompts for an API key and passes it to {0}', agentName);
    case 'gateway':
      return description ?? l10n.t('Prompts for a gateway URL and passes it to {0}', agentName);
    case 'agent':
      return description ?? l10n.t('{0} handles the login, in your browser if needed', agentName);
  }
}

function runningWords(method: LoginChoice | undefined): string {
  if (method?.how === 'terminal') return l10n.t('Continue in the terminal');
  if (method === undefined || method.how === 'agent')
    return l10n.t('Waiting for login to finish. It may continue in your browser.');
  return l10n.t('Waiting for your input at the top of the window');
}
