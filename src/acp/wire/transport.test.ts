import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { AcpConnection } from './connection';
import { isConnectionClosed } from '../base/errors';
import { Inbox } from './inbox';
import { agentMethods, clientMethods } from './methods';
import type { ReaderHooks, Transport, TransportReader, TransportWriter } from './transport';

/** An agent in the same process: messages are objects, without streams. */
class Memory implements Transport {
  readonly sent: Message[] = [];
  reader: MemoryReader | undefined;

  openReader(hooks: ReaderHooks): TransportReader {
    return (this.reader = new MemoryReader(hooks));
  }

  openWriter(): TransportWriter {
    const { sent } = this;
    return new (class extends AbstractMessageWriter implements TransportWriter {
      readonly isWritable = true;
      write(message: Message): Promise<void> {
        sent.push(message);
        return Promise.resolve();
      }
      end(): void {
        // Nothing to release.
      }
    })();
  }
}

class MemoryReader extends AbstractMessageReader implements TransportReader {
  private readonly inbox: Inbox;
  private callback: DataCallback | undefined;

  constructor(hooks: ReaderHooks) {
    super();
    this.inbox = new Inbox({
      dispatchNow: (message) => hooks.dispatchNow?.(message) === true,
      handOver: (message) => this.callback?.(message),
    });
  }

  listen(callback: DataCallback): { dispose(): void } {
    this.callback = callback;
    return { dispose: () => (this.callback = undefined) };
  }

  hold(isHeld: boolean): void {
    this.inbox.hold(isHeld);
  }

  markDispatched(): void {
    this.inbox.markDispatched();
  }

  hear(...messages: readonly object[]): void {
    for (const message of messages) this.inbox.push({ jsonrpc: '2.0', ...message });
  }

  close(): void {
    this.fireClose();
  }
}

test('works over any transport, in order and until the end', async () => {
  const memory = new Memory();
  const connection = new AcpConnection(memory);
  const heard: unknown[] = [];
  connection.onNotification(clientMethods.sessionUpdate, (params) => heard.push(params));
  connection.onRequest(clientMethods.terminalOutput, () => ({ output: 'so far', truncated: false }));
  connection.listen();
  const answer = connection.request(agentMethods.closeSession, { sessionId: 's1' }).then(() => heard.length);
  const { id } = memory.sent[0] as Message & { id: number };
  memory.reader?.hear(
    { method: 'session/update', params: { n: 1 } },
    { id: 'a', method: 'terminal/output', params: {} },
    { id, result: {} },
    { method: 'session/update', params: { n: 2 } },
  );
  assert.equal(await answer, 1, 'the answer stays between the updates');
  await new Promise(setImmediate);
  assert.deepEqual(heard, [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(
    memory.sent.slice(1).map((message) => (message as Message & { result: unknown }).result),
    [{ output: 'so far', truncated: false }],
  );
  const pending = connection.request(agentMethods.logout, {});
  memory.reader?.close();
  await assert.rejects(pending, isConnectionClosed);
  connection.dispose();
});
