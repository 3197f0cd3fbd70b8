import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { FromAgentsTab, ListedAgent, ToAgentsTab } from '../../src/shared/pages/setUpTabs';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { setUpEntry, type Act } from './setUpList';

/** The tab of agents. */
export class AgentsView {
  private readonly root: HTMLElement;
  private readonly post: (message: FromAgentsTab) => void;

  constructor(root: HTMLElement, post: (message: FromAgentsTab) => void) {
    this.root = root;
    this.post = post;
  }

  receive({ agents }: ToAgentsTab): void {
    const own = agents.filter(({ source }) => source !== 'builtin');
    render(
      html`<main class="pl-setup">
        <h1>${l10n.t('Agents')}</h1>
        <p class="lead">
          ${
            own.length === 0
              ? l10n.t('Add the agent that you have an account for, or play the tour without one.')
              : l10n.t('What you can talk to. Add others from the list, or in the settings with a command of your own.')
          }
        </p>
        <div class="btns">
          <button type="button" class="btn" @click=${() => this.post({ type: 'addAgent' })}>
            ${icon('add')}${l10n.t('Add…')}
          </button>
          <button type="button" class="btn link" @click=${() => this.post({ type: 'openAgentSettings' })}>
            ${l10n.t('Open settings')}
          </button>
        </div>
        <ul aria-label=${l10n.t('Agents')}>
          ${repeat(
            agents,
            ({ id }) => id,
            (agent) => this.agent(agent),
          )}
        </ul>
      </main>`,
      this.root,
    );
  }

  private agent(agent: ListedAgent): TemplateResult {
    const { id, name, detail, source, isDefault, isRunning, takesProviders } = agent;
    const shown = showHiddenOnOneLine(name);
    const act = (label: string, type: Exclude<FromAgentsTab['type'], 'addAgent' | 'openAgentSettings'>): Act => ({
      label,
      name: l10n.t('{0}: {1}', shown, label),
      run: () => this.post({ type, id }),
    });
    const isOwn = source !== 'builtin';
    return setUpEntry({
      icon: isRunning ? 'circle-filled' : 'circle-outline',
      name,
      notes: [
        ...(isDefault ? [l10n.t('default')] : []),
        ...(isRunning ? [l10n.t('running')] : []),
        ...(source === 'workspace' ? [l10n.t('of this workspace')] : []),
      ],
      lines: [detail],
      acts: [
        act(l10n.t('New session'), 'startAgent'),
        ...(isDefault ? [] : [act(l10n.t('Use by default'), 'useAgent')]),
        ...(isOwn ? [act(l10n.t('Log in…'), 'logInAgent')] : []),
        ...(takesProviders ? [act(l10n.t('Model providers…'), 'openProviders')] : []),
        ...(isOwn ? [act(l10n.t('Editor tools…'), 'openTools')] : []),
      ],
    });
  }
}
