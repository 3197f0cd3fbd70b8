import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import type { Transcript } from '../../src/shared/transcript';
import { statusShown, toolLabel } from '../entries/toolLabel';
import { clock } from '../base/format';
import { icon } from '../base/icon';

/** Time without updates after which the line mentions it, in milliseconds. Agents send nothing while they retry their model. */
const silenceMs = 15_000;
/** The same while a tool runs, which is often silent for a reason. */
const silenceAtWorkMs = 60_000;

/** How long the spinner pauses after text arrives, in milliseconds. */
const restMs = 700;

/** The last line of the feed while a turn runs: what is running, and for how long. */
export class WorkingLine {
  readonly element = document.createElement('div');
  private lastSign = Date.now();
  private lastText = 0;

  constructor() {
    this.element.className = 'pl-work';
    this.element.hidden = true;
  }

  /**
   * Records an update from the agent. While text streams in, the spinner pauses: the growing text shows progress, and constant redrawing
   * would delay it.
   */
  sign(isText: boolean): void {
    this.lastSign = Date.now();
    if (!isText) return;
    if (this.lastText === 0) this.element.classList.add('rests');
    this.lastText = this.lastSign;
  }

  /** Draws the line. Returns whether a turn is running. */
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
    } else {
      const runs = whatRuns(transcript);
      const words = silenceWords(agentName, silent, runs.isTool);
      render(
        words === undefined
          ? html`${icon('loading', 'spin')}<span class="clip">${runs.words}</span>${time}`
          : html`${icon('watch', 'attn')}<span class="stall">${words}</span>`,
        this.element,
      );
    }
    return true;
  }
}

/** Returns the text for an agent that has been silent for `silent` milliseconds, or undefined if that isn't long yet. */
export function silenceWords(agentName: string, silent: number, isAtWork: boolean): string | undefined {
  if (silent < (isAtWork ? silenceAtWorkMs : silenceMs)) return undefined;
  const seconds = Math.floor(silent / 1000);
  return isAtWork
    ? l10n.t('{0} hasn’t responded for {1} s.', agentName, seconds)
    : l10n.t('{0} hasn’t responded for {1} s. The model may be busy.', agentName, seconds);
}

/** Returns a description of what is running, and whether it is a tool. */
function whatRuns(transcript: Transcript): { readonly words: string; readonly isTool: boolean } {
  for (let at = transcript.order.length - 1; at >= Math.max(0, transcript.order.length - 30); at--) {
    const entry = transcript.entries.get(transcript.order[at] ?? ('' as never));
    if (entry?.kind === 'agent_thought' && entry.endedAt === undefined)
      return { words: l10n.t('Thinking'), isTool: false };
    if (entry?.kind === 'tool_call' && statusShown(entry) === 'in_progress') {
      const { verb, object } = toolLabel(entry, transcript.view.cwd);
      return { words: [verb, object].filter(Boolean).join(' '), isTool: true };
    }
    if (entry?.kind === 'user_message') break;
  }
  return { words: l10n.t('Working'), isTool: false };
}
