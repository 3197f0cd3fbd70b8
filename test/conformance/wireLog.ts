import { faultsOfSecond } from '../unit-support/secondSchema';
import { findFaults, type Message } from './wireSchema';

/** Everything that one agent process heard: the bytes, the messages in them, and what is wrong with either. */
export class WireLog {
  readonly messages: Message[] = [];
  readonly faults: string[] = [];
  /** Methods of the agent's own requests by id, so that answers can be checked. */
  readonly asked = new Map<unknown, string>();
  /** The version of the protocol that the agent has agreed to. */
  version: 1 | 2 = 1;
  private rest: Buffer = Buffer.alloc(0);
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /** Takes the next bytes and returns the messages that they complete. */
  push(chunk: Buffer): readonly Message[] {
    const bytes = Buffer.concat([this.rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    this.rest = bytes.subarray(end);
    if (end === 0) return [];
    const lines = this.decoder.decode(bytes.subarray(0, end)).split('\n').slice(0, -1);
    const messages = lines.flatMap((line) => this.read(line));
    this.messages.push(...messages);
    return messages;
  }

  private read(line: string): readonly Message[] {
    const message = parse(line);
    if (!message) {
      this.faults.push(`not a message: ${line.slice(0, 200)}`);
      return [];
    }
    const answers = message['method'] === undefined ? this.asked.get(message['id']) : undefined;
    const params = message['params'] as Message | undefined;
    // An offer of version 2 is in its own words.
    const version = message['method'] === 'initialize' && params?.['protocolVersion'] === 2 ? 2 : this.version;
    const faults = version === 2 ? faultsOfSecond(message, answers) : findFaults(message, answers);
    for (const fault of faults) this.faults.push(`${fault} in ${line.slice(0, 400)}`);
    return [message];
  }
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch {
    return undefined; // The caller reports it.
  }
}
