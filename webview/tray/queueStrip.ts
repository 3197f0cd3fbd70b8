import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { QueueChange } from '../../src/shared/pages/messages';
import type { QueuedPrompt, SessionView } from '../../src/shared/transcript/transcript';
import { icon } from '../base/icon';
import type { StripProps } from './planStrip';

/** The data and actions of the strip of queued messages. */
export interface QueueProps extends StripProps {
  readonly view: SessionView;
  onQueue(id: string, change: QueueChange): void;
  /** Sends the messages that were held when the user stopped a turn. */
  resumeQueue(): void;
  /** Moves a queued message back into the composer for editing. */
  editQueued(prompt: QueuedPrompt): void;
}

/** Renders the queued messages. Each can be edited, moved, sent immediately, or removed. */
export function queueStrip(props: QueueProps): TemplateResult {
  const { queue, isQueueHeld = false } = props.view;
  const { activity } = props.view;
  const isStopping = activity.state !== 'idle' && activity.stop !== undefined;
  const open = props.isOpen('queue', true);
  return html`<section
    class="pl-strip pl-queue ${open ? 'open' : ''} ${isQueueHeld ? 'held' : ''}"
    aria-label=${l10n.t('Queued messages')}
  >
    <div class="head">
      <button class="tw" aria-expanded=${String(open)} @click=${() => props.setOpen('queue', !open)}>
        ${icon('chevron-right', 'chev')}<span class="clip">${words(queue.length, isQueueHeld, isStopping)}</span>
      </button>
      ${
        isQueueHeld
          ? html`<button type="button" class="btn link sm" @click=${() => props.resumeQueue()}>
              ${queue.length === 1 ? l10n.t('Send queued message') : l10n.t('Send queued messages')}
            </button>`
          : nothing
      }
    </div>
    <div class=${open ? 'pl-rows' : 'pl-rows sr'} role="list" aria-label=${l10n.t('Queue')}>
      ${queue.map((prompt, at) => row(prompt, at, open, props))}
    </div>
  </section>`;
}

function words(count: number, isHeld: boolean, isStopping: boolean): string {
  if (isHeld && isStopping) {
    return count === 1 ? l10n.t('1 queued message is on hold') : l10n.t('{0} queued messages are on hold', count);
  }
  if (isHeld && count === 1) return l10n.t('Stopped: 1 queued message is on hold');
  if (isHeld) return l10n.t('Stopped: {0} queued messages are on hold', count);
  return count === 1 ? l10n.t('1 queued message') : l10n.t('{0} queued messages', count);
}

function row(prompt: QueuedPrompt, at: number, isOpen: boolean, props: QueueProps): TemplateResult {
  const { view } = props;
  const change = (what: QueueChange) => () => props.onQueue(prompt.id, what);
  const { agentName } = view;
  const runs = view.activity.state !== 'idle';
  const more = prompt.attachments?.length ?? 0;
  const canJoin = view.canSteer === true || (view.canSteer === 'text' && more === 0);
  return html`<div class="pl-row" role="listitem" title=${prompt.text}>
    <span class="clip grow">${prompt.text}</span>${
      prompt.isOffered
        ? html`<span class="sent" title=${l10n.t('{0} has this message and adds it when it can', agentName)}
            >${l10n.t('sent')}</span
          >`
        : nothing
    }${
      prompt.joins
        ? html`<span class="sent" title=${l10n.t('{0} gets this message after its current tool calls', agentName)}
            >${l10n.t('added next')}</span
          >`
        : nothing
    }${more > 0 ? html`<span class="chip" title=${l10n.t('Attachments')}>${icon('file')}${more}</span>` : nothing}
    ${
      isOpen
        ? html`<span class="acts">
            ${canJoin && runs && !prompt.isOffered && !prompt.joins ? action('insert', l10n.t('Add to this turn'), change({ kind: 'steer' })) : nothing}
            ${action(
              'arrow-up',
              runs ? l10n.t('Stop {0} and send now', agentName) : l10n.t('Send now'),
              change({ kind: 'stopAndSend' }),
            )}
            ${prompt.isOffered ? nothing : waitingActions(prompt, at, props)}
          </span>`
        : nothing
    }
  </div>`;
}

/** Renders the actions on a message that the agent doesn't have yet. */
function waitingActions(prompt: QueuedPrompt, at: number, props: QueueProps): TemplateResult {
  const change = (what: QueueChange) => () => props.onQueue(prompt.id, what);
  return html`${at > 0 ? action('chevron-up', l10n.t('Move up'), change({ kind: 'move', to: at - 1 })) : nothing}
  ${action('edit', l10n.t('Edit'), () => props.editQueued(prompt))}
  ${action('close', l10n.t('Remove'), change({ kind: 'remove' }))}`;
}

function action(glyph: string, label: string, act: () => void): TemplateResult {
  return html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${act}>
    ${icon(glyph)}
  </button>`;
}
