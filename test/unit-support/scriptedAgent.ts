// The agent's end of a connection in memory, controlled by the test.
import { PassThrough } from 'node:stream';

export type WireMessage = Readonly<Record<string, unknown>>;

export class ScriptedAgent {
  /** The agent's output, which is the client's input. */
  readonly stdout = new PassThrough();
  /** The client's output, which is the agent's input. */
  readonly stdin = new PassThrough();
  readonly heard: WireMessage[] = [];
  private readonly waiting: (() => void)[] = [];
  private rest = '';

  constructor() {
    this.stdin.setEncoding('utf8');
    this.stdin.on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.heard.push(JSON.parse(line) as WireMessage);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  get streams() {
    return { input: this.stdout, output: this.stdin };
  }

  /** Sends several messages in one chunk, one per line: objects as JSON, strings unchanged. */
  say(...messages: readonly (WireMessage | string)[]): void {
    this.stdout.write(messages.map((message) => `${asLine(message)}\n`).join(''));
  }

  /** Resolves to the first message received, now or later, that `matches` accepts. */
  async hears(matches: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const found = this.heard.find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Resolves to the response with exactly this id. */
  hearsAnswer(id: unknown): Promise<WireMessage> {
    return this.hears((message) => message['method'] === undefined && message['id'] === id);
  }

  /** Resolves to the first request or notification of this method. */
  hearsCall(method: string): Promise<WireMessage> {
    return this.hears((message) => message['method'] === method);
  }

  /** Resolves when all messages sent before have been dispatched: the client answers a request in order. */
  async catchesUp(): Promise<void> {
    const id = `catch up ${this.heard.length}`;
    this.say(call(id, 'no/such_method'));
    await this.hearsAnswer(id);
  }
}

export function call(id: unknown, method: string, params: unknown = {}): WireMessage {
  return { jsonrpc: '2.0', id, method, params };
}

export function tell(method: string, params: unknown = {}): WireMessage {
  return { jsonrpc: '2.0', method, params };
}

export function answer(id: unknown, result: unknown): WireMessage {
  return { jsonrpc: '2.0', id, result };
}

function asLine(message: WireMessage | string): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** Returns a seeded random generator of numbers from 0 (inclusive) to 1 (exclusive). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
