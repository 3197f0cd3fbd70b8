import { Disposable } from '../../src/shared/disposable';
import { Emitter, type Event } from '../../src/shared/event';
import type { FromWebview, ToWebview } from '../../src/shared/messages';
import { unpackMessage, type PackedMessage } from '../../src/shared/pack';

/** What VS Code gives a webview: https://code.visualstudio.com/api/extension-guides/webview */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The page's one line to the extension host, and the small state that VS Code keeps for the page over a reload. */
export class Messenger extends Disposable {
  private readonly api = acquireVsCodeApi();
  private readonly received = this.register(new Emitter<ToWebview>());
  readonly onDidReceive: Event<ToWebview> = this.received.event;
  private readonly listener = (event: MessageEvent<unknown>) => {
    if (isMessage(event.data)) this.received.fire(unpackMessage(event.data));
  };

  constructor() {
    super();
    window.addEventListener('message', this.listener);
  }

  post(message: FromWebview): void {
    this.api.postMessage(message);
  }

  readState(): unknown {
    return this.api.getState();
  }

  writeState(state: unknown): void {
    this.api.setState(state);
  }

  override dispose(): void {
    window.removeEventListener('message', this.listener);
    super.dispose();
  }
}

/** Whatever else posts to the window (VS Code itself does) has no `type` of ours and is passed over. */
function isMessage(data: unknown): data is PackedMessage {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}
