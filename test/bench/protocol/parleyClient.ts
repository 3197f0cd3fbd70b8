import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { AcpConnection } from '../../../src/acp/wire/connection';
import { ndjson } from '../../../src/acp/wire/ndjson';
import { agentMethods, clientMethods } from '../../../src/acp/wire/methods';
import { TrafficLog } from '../../../src/acp/wire/traffic';

interface TextUpdate {
  readonly update: { readonly content: { readonly text: string } };
}

/** Parley's connection with its traffic log, as the extension runs it. */
export function connect(agent: ChildProcessByStdio<Writable, Readable, null>, onText: (text: string) => void) {
  const connection = new AcpConnection(ndjson({ input: agent.stdout, output: agent.stdin }), {
    traffic: new TrafficLog(),
  });
  connection.onNotification(clientMethods.sessionUpdate, (params) => {
    onText((params as TextUpdate).update.content.text);
  });
  connection.listen();
  return {
    initialize: () => connection.request(agentMethods.initialize, { protocolVersion: 1, clientCapabilities: {} }),
    newSession: (cwd: string) => connection.request(agentMethods.newSession, { cwd, mcpServers: [] }),
    prompt: (sessionId: string) =>
      connection.request(agentMethods.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    close: () => {
      connection.dispose();
    },
  };
}
