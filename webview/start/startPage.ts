import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ownAgents } from '../base/ownAgents';
import { agentList, presetList } from './agentRows';
import { newcomer } from './newcomer';
import { recentSessions } from './recentRows';
import { noFolder, noSandbox, untrusted } from './startNotes';
import type { StartPageProps } from './startProps';

/**
 * Renders the page without a session. For somebody without an agent: the tour, and some agents to install. With agents: the sessions that
 * wait or were used last, and the agents. In a folder that isn't trusted: why none can start there.
 */
export function startPage(props: StartPageProps): TemplateResult {
  const { page } = props;
  const hasAgents = page.trusted && ownAgents(page).length > 0;
  return html`<div class="pl-start" aria-label=${l10n.t('Start')} role="region">
    <div class=${hasAgents ? 'pl-empty dense' : 'pl-empty'}>
      <div>
        <h1>${hasAgents ? heading(page.folder) : l10n.t('Work with any coding agent')}</h1>
        ${hasAgents ? nothing : html`<p class="lead">${introduction()}</p>`}
        ${
          props.hasMessage && page.trusted
            ? html`<p class="lead">${l10n.t('Your message is sent when the agent is ready.')}</p>`
            : nothing
        }
      </div>
      ${page.trusted ? html`${noFolder(props)}${noSandbox(props)}${hasAgents ? withAgents(props) : newcomer(props)}` : untrusted(props)}
    </div>
  </div>`;
}

function heading(folder: string): string {
  return folder === '' ? l10n.t('New session') : l10n.t('New session in {0}', folder);
}

function introduction(): string {
  return l10n.t(
    'Pick one to start. It reads and edits files in this folder, asks before running commands, and leaves every change for you to review.',
  );
}

function withAgents(props: StartPageProps): TemplateResult {
  return html`${recentSessions(props)} ${presetList(props)} ${agentList(props)}`;
}
