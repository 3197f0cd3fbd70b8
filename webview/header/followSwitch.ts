import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../base/icon';

/** The data and actions of the switch that follows an agent in the editor. */
export interface FollowProps {
  readonly agentName: string;
  readonly isOn: boolean;
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
  act(action: 'on' | 'off' | 'back' | 'forward'): void;
}

/** Renders the switch and, while it is on, buttons for the places where the agent was before and after. */
export function followSwitch(props: FollowProps): TemplateResult {
  const { isOn, agentName, canGoBack, canGoForward } = props;
  const label = l10n.t('Follow {0}', agentName);
  const step = (action: 'back' | 'forward', name: string, image: string, isPossible: boolean) =>
    html`<button
      class="ib w-md"
      aria-label=${name}
      title=${name}
      aria-disabled=${String(!isPossible)}
      @click=${() => {
        if (isPossible) props.act(action);
      }}
    >
      ${icon(image)}
    </button>`;
  return html`${
      isOn
        ? [
            step('back', l10n.t('Previous place of {0}', agentName), 'arrow-left', canGoBack),
            step('forward', l10n.t('Next place of {0}', agentName), 'arrow-right', canGoForward),
          ]
        : nothing
    }<button
      class="ib"
      aria-label=${label}
      title=${label}
      aria-pressed=${String(isOn)}
      @click=${() => props.act(isOn ? 'off' : 'on')}
    >
      ${icon('eye')}
    </button>`;
}
