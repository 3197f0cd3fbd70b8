import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { SessionView, Stopping, Transcript } from '../../../src/shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { statusShown, toolLabel } from '../../entries/words/toolLabel';
import { clock, duration } from '../../base/format';
import { icon } from '../../base/icon';

/** Time without updates after which the line mentions it, in milliseconds. Agents send nothing while they retry their model. */
const silenceMs = 15_000;
/** The same while a tool runs, which is often silent for a reason. */
const silenceAtWorkMs = 60_000;

/** Time without updates after which the line offers what to do, in milliseconds, also while a tool runs. */
const choicesMs = 60_000;

/** Time between two drawings after which the computer may have been asleep, in milliseconds. */
const gapMs = 10_000;
/** How long the host may take to say so, in milliseconds. */
const hostMs = 3000;

/** How long the spinner pauses after text arrives, in milliseconds. */
const restMs = 700;

/** What the line needs of the page. */
export interface WorkingLineScope {
  announce(sentence: string): void;
  /** Stops the running turn. */
  stopTurn(): void;
  showLog(): void;
  /** Ends the process of an agent that doesn't stop, or the connection to it. */
  endProcess(): void;
  /** Gives an agent that doesn't stop more time. */
  keepStopping(): void;
  /** Focuses the feed, because the focused button has disappeared. */
  focusFeed(): void;
}

/** The last line of the feed while a turn runs: what is running, and for how long. */
export class WorkingLine {
  readonly element = document.createElement('div');
  private readonly scope: WorkingLineScope;
  private lastSign = Date.now();
  private lastText = 0;
  /** When the user last chose to keep waiting. */
  private keptAt = 0;
  private lastDraw = Date.now();
  /** When the running turn began. */
  private shownSince = 0;
  /** Until when nothing is said about silence. */
  private quietUntil = 0;
  private offers = false;
  private shown: Transcript | undefined;
  /** Whether the stop was late when it was last announced; undefined without a stop. */
  private stopAnnounced: boolean | undefined;

  constructor(scope: WorkingLineScope) {
    this.scope = scope;
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

  /** The computer was asleep, which isn't silence of the agent. */
  slept(ms: number): void {
    const now = Date.now();
    this.lastSign = Math.min(now, Math.max(this.lastSign, this.shownSince) + ms);
    if (this.keptAt > 0) this.keptAt = Math.min(now, this.keptAt + ms);
    this.quietUntil = 0;
    if (this.shown) this.update(this.shown);
  }

  /** Forgets the session, because another one will be shown. When that was last heard from isn't known. */
  reset(): void {
    this.lastSign = Date.now();
    this.keptAt = 0;
    this.offers = false;
    this.stopAnnounced = undefined;
    this.element.hidden = true;
  }

  /** Draws the line. Returns whether a turn is running. */
  update(transcript: Transcript): boolean {
    this.shown = transcript;
    const hadFocus = this.element.contains(document.activeElement);
    const isBusy = this.draw(transcript);
    // A feed may have only articles with something to press in them.
    if (this.element.querySelector('button')) this.element.setAttribute('role', 'article');
    else this.element.removeAttribute('role');
    if (hadFocus && !this.element.contains(document.activeElement)) this.scope.focusFeed();
    return isBusy;
  }

  private draw(transcript: Transcript): boolean {
    const { activity, agentName } = transcript.view;
    const isIdle = activity.state === 'idle';
    if (isIdle || activity.stop || activity.state === 'requires_action') this.offers = false;
    this.element.classList.toggle('late', !isIdle && activity.stop?.isLate === true);
    if (isIdle) this.stopAnnounced = undefined;
    // The buttons of a hidden line must not keep the focus.
    if (isIdle && !this.element.hidden) render(nothing, this.element);
    this.element.hidden = isIdle;
    if (isIdle) return false;
    const now = Date.now();
    if (this.lastText !== 0 && now - this.lastText > restMs) {
      this.lastText = 0;
      this.element.classList.remove('rests');
    }
    if (activity.stop) {
      this.drawStop(activity.stop, transcript.view, now);
      return true;
    }
    this.stopAnnounced = undefined;
    const time = html`<span class="t" aria-hidden="true">${clock(now - activity.since)}</span>`;
    if (activity.state === 'requires_action') {
      render(html`${icon('bell-dot', 'attn')}<span>${l10n.t('Waiting for you')}</span>${time}`, this.element);
      return true;
    }
    // The computer may have been asleep, which the host says in a moment.
    if (now - this.lastDraw > gapMs) this.quietUntil = now + hostMs;
    this.lastDraw = now;
    this.shownSince = activity.since;
    const heard = Math.max(this.lastSign, activity.since);
    const runs = whatRuns(transcript);
    // After "Keep waiting", the line is quiet for as long as it was before.
    const hasPatience = (this.keptAt > heard && now - this.keptAt < choicesMs) || now < this.quietUntil;
    const words = hasPatience ? undefined : silenceWords(agentName, now - heard, runs.isTool, retryLine(transcript));
    const offered = this.offers;
    this.offers = words !== undefined && now - heard >= choicesMs;
    if (this.offers && !offered && words !== undefined) this.scope.announce(words);
    render(
      words === undefined
        ? html`${icon('loading', 'spin')}<span class="clip" title=${runs.words}>${runs.words}</span>${time}`
        : html`${icon('watch', 'attn')}<span class="stall">${words}</span>${this.offers ? this.choices() : nothing}`,
      this.element,
    );
    return true;
  }

  /** The user has stopped the turn. What they can do about an agent that doesn't obey stays in sight. */
  private drawStop({ since, isLate }: Stopping, { agentName, place = 'here' }: SessionView, now: number): void {
    const words = isLate
      ? l10n.t('{0} hasn’t stopped for {1}.', agentName, duration(now - since))
      : l10n.t('Stopping…');
    if (this.stopAnnounced !== isLate) this.scope.announce(words);
    this.stopAnnounced = isLate;
    const [end, kept] =
      place === 'here'
        ? [l10n.t('End process'), l10n.t('Its file changes are kept.')]
        : [l10n.t('Disconnect'), l10n.t('The agent may keep working on its machine.')];
    render(
      isLate
        ? html`${icon('watch', 'attn')}<span class="stall">${words} ${kept}</span
            ><span class="choices"
              ><button type="button" class="btn sm" @click=${() => this.scope.endProcess()}>${end}</button
              ><button type="button" class="btn sm" @click=${() => this.scope.keepStopping()}>
                ${l10n.t('Keep waiting')}
              </button></span
            >`
        : html`${icon('loading', 'spin')}<span class="clip">${words}</span
            ><span class="t" aria-hidden="true">${clock(now - since)}</span>`,
      this.element,
    );
  }

  private choices(): TemplateResult {
    return html`<span class="choices"
      ><button type="button" class="btn sm" @click=${() => this.keepWaiting()}>${l10n.t('Keep waiting')}</button
      ><button type="button" class="btn sm" @click=${() => this.scope.stopTurn()}>${l10n.t('Stop turn')}</button
      ><button type="button" class="btn sm" @click=${() => this.scope.showLog()}>${l10n.t('Show log')}</button></span
    >`;
  }

  private keepWaiting(): void {
    this.keptAt = Date.now();
    if (this.shown) this.update(this.shown);
  }
}

/** Returns the text for an agent that has been silent for `silent` milliseconds, or undefined if that isn't long yet. */
export function silenceWords(
  agentName: string,
  silent: number,
  isRunningTool: boolean,
  retry?: string,
): string | undefined {
  if (silent < (isRunningTool ? silenceAtWorkMs : silenceMs)) return undefined;
  const time = duration(silent);
  if (retry !== undefined) return l10n.t('{0} hasn’t responded for {1}: {2}', agentName, time, retry);
  return isRunningTool
    ? l10n.t('{0} hasn’t responded for {1}.', agentName, time)
    : l10n.t('{0} hasn’t responded for {1}. The model may be busy.', agentName, time);
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
  return { words: retryWords(transcript) ?? l10n.t('Working'), isTool: false };
}

/** A longer line is part of an answer. */
const longestRetryLine = 200;

/** Says that an agent tries again to reach its model, in its own words, if that is the last thing it said. */
export function retryWords(transcript: Pick<Transcript, 'order' | 'entries' | 'view'>): string | undefined {
  const line = retryLine(transcript);
  return line === undefined ? undefined : l10n.t('{0} is trying its model again: {1}', transcript.view.agentName, line);
}

/** Returns what an agent says about another attempt, if that is the last thing it said. */
function retryLine({ order, entries, view }: Pick<Transcript, 'order' | 'entries' | 'view'>): string | undefined {
  if (view.retry) return showHiddenOnOneLine(view.retry.slice(0, longestRetryLine));
  const last = entries.get(order.at(-1) ?? ('' as never));
  const text =
    last?.kind === 'agent_message'
      ? last.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      : last?.kind === 'notice'
        ? [last.title, last.description].filter(Boolean).join('\n')
        : '';
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  if (line.length > longestRetryLine || !/\b(retrying|will retry|trying again|reconnecting)\b/i.test(line))
    return undefined;
  return showHiddenOnOneLine(line);
}
