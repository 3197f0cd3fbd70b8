import { Disposable } from '../../src/shared/values/disposable';
import { Emitter, type Event } from '../../src/shared/values/event';
import type { FromWebview, ToWebview } from '../../src/shared/pages/messages';
import { Unpacker, type PackedMessage } from '../../src/shared/pages/pack';

/** VS Code's API for webviews: https://code.visualstudio.com/api/extension-guides/webview */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The page's connection to the extension host, and the small state that VS Code stores for the page across reloads. */
export class Messenger extends Disposable {
  private readonly api = acquireVsCodeApi();
  private readonly unpacker = new Unpacker();
  private readonly received = this.register(new Emitter<ToWebview>());
  readonly onDidReceive: Event<ToWebview> = this.received.event;
  private readonly listener = (event: MessageEvent<unknown>) => {
    if (isMessage(event.data)) this.received.fire(this.unpacker.unpack(event.data));
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

/** Returns whether data is a message from the host. Others, such as VS Code's own, have no `type` of ours and are ignored. */
function isMessage(data: unknown): data is PackedMessage {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}
