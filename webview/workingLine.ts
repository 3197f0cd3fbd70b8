import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import type { Transcript } from '../src/shared/transcript';
import { statusShown, toolLabel } from './entries/toolLabel';
import { clock } from './format';
import { icon } from './icon';

/** After so many milliseconds without anything from the agent, the line says so. */
const stallMs = 60_000;

/** For so long (ms) after some text the line keeps still. */
const restMs = 700;

/** The last line of the feed while a turn runs: what runs now, and for how long. */
export class WorkingLine {
  readonly element = document.createElement('div');
  private lastSign = Date.now();
  private lastText = 0;

  constructor() {
    this.element.className = 'pl-work';
    this.element.hidden = true;
  }

  /**
   * Something came from the agent. While text streams in, the spinner rests: growing text is motion enough, and a screen that is
   * drawn anew all the time shows the text later.
   */
  sign(isText: boolean): void {
    this.lastSign = Date.now();
    if (!isText) return;
    if (this.lastText === 0) this.element.classList.add('rests');
    this.lastText = this.lastSign;
  }

  /** Draws the line; returns whether a turn runs. */
  update(transcript: Transcript): boolean {
    const { activity, agentName } = transcript.view;
    this.element.hidden = activity.state === 'idle';
    if (activity.state === 'idle') return false;
    const now = Date.now();
    if (this.lastText !== 0 && now - this.lastText > restMs) {
      this.lastText = 0;
      this.element.classList.remove('rests');
    }
    const time = html`<span class="t" aria-hidden="true">${clock(now - activity.since)}</span>`;
    const silent = now - Math.max(this.lastSign, activity.since);
    if (activity.state === 'requires_action') {
      render(html`${icon('bell-dot', 'attn')}<span>${l10n.t('Waiting for you')}</span>${time}`, this.element);
    } else if (silent >= stallMs) {
      const seconds = Math.floor(silent / 1000);
      render(
        html`${icon('watch', 'attn')}<span class="stall"
            >${l10n.t('No sign of life from {0} for {1} s', agentName, seconds)}</span
          >`,
        this.element,
      );
    } else {
      render(html`${icon('loading', 'spin')}<span class="clip">${whatRuns(transcript)}</span>${time}`, this.element);
    }
    return true;
  }
}

function whatRuns(transcript: Transcript): string {
  for (let at = transcript.order.length - 1; at >= Math.max(0, transcript.order.length - 30); at--) {
    const entry = transcript.entries.get(transcript.order[at] ?? ('' as never));
    if (entry?.kind === 'agent_thought' && entry.endedAt === undefined) return l10n.t('Thinking');
    if (entry?.kind === 'tool_call' && statusShown(entry) === 'in_progress') {
      const { verb, object } = toolLabel(entry, transcript.view.cwd);
      return [verb, object].filter(Boolean).join(' ');
    }
    if (entry?.kind === 'user_message') break;
  }
  return l10n.t('Working');
}
