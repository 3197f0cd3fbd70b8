import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

/** A client with the protocol's own SDK for TypeScript, written like the example in its README. */
export function connect(agent, onText) {
  const app = client({ name: 'bench' }).onNotification(methods.client.session.update, ({ params }) => {
    onText(params.update.content.text);
  });
  const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  const connection = app.connect(stream);
  const { agent: peer } = connection;
  return {
    initialize: () => peer.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} }),
    newSession: (cwd) => peer.request(methods.agent.session.new, { cwd, mcpServers: [] }),
    prompt: (sessionId) =>
      peer.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] }),
    close: () => connection.close(),
  };
}
