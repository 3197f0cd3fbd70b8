import type { IncomingMessage } from 'node:http';
import { createParser } from 'eventsource-parser';
import { messageLimit } from '../../acp/wire/messageTransport';
import type { IDisposable } from '../../shared/values/disposable';

export interface EventStreamOptions {
  readonly onText: (text: string) => void;
  /** Called once when the stream has ended, whatever the reason. */
  readonly onEnd: (reason: 'ended' | 'broken' | 'silent' | 'tooLong') => void;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
}

/** A server that sends comments to keep its streams alive is silent for at most this long, in milliseconds. */
export const silenceLimit = 60_000;
/** How many ids of events are remembered to recognize repeated ones. */
const remembered = 1000;

/** Reads the events of one stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventStream {
  private readonly response: IncomingMessage;
  private readonly options: EventStreamOptions;
  private readonly seen = new Set<string>();
  private comments = 0;
  private silence: IDisposable | undefined;
  private hasEnded = false;

  constructor(response: IncomingMessage, options: EventStreamOptions) {
    this.response = response;
    this.options = options;
    const parser = createParser({
      maxBufferSize: messageLimit,
      onEvent: ({ id, data }) => {
        if (id !== undefined && id !== '' && this.isRepeated(id)) return;
        if (!this.hasEnded) options.onText(data);
      },
      onComment: () => (this.comments += 1),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.end('tooLong');
      },
    });
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      if (this.hasEnded) return;
      parser.feed(text);
      this.listenForSilence();
    });
    response.once('end', () => this.end('ended'));
    response.once('close', () => this.end('broken'));
  }

  pause(isPaused: boolean): void {
    if (isPaused) this.response.pause();
    else this.response.resume();
  }

  /** Stops reading without calling `onEnd`. */
  close(): void {
    this.hasEnded = true;
    this.silence?.dispose();
    this.response.destroy();
  }

  private isRepeated(id: string): boolean {
    if (this.seen.has(id)) return true;
    this.seen.add(id);
    const [oldest] = this.seen;
    if (this.seen.size > remembered && oldest !== undefined) this.seen.delete(oldest);
    return false;
  }

  /** Nothing demands comments, so only a server that has sent some counts as silent without them. */
  private listenForSilence(): void {
    if (this.comments < 2 || this.hasEnded) return;
    this.silence?.dispose();
    this.silence = this.options.schedule(silenceLimit, () => {
      // Nothing is read from a paused stream, so its silence has no meaning.
      if (!this.response.isPaused()) this.end('silent');
    });
  }

  private end(reason: Parameters<EventStreamOptions['onEnd']>[0]): void {
    if (this.hasEnded) return;
    this.close();
    this.options.onEnd(reason);
  }
}
