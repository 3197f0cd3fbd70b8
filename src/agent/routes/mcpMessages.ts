import type { AcpConnection } from '../../acp/wire/connection';
import { decodeMcpMessage } from '../../acp/decode/decodeMcpMessage';
import { invalidParams, mcpLimitReached, mcpServerUnavailable } from '../../acp/base/errors';
import { agentMethods, clientMethods } from '../../acp/wire/methods';
import type { McpService } from '../../session/services';

/** Maximum number of MCP requests of one agent that run at the same time. */
const mostActive = 64;

/** Serves the agent's requests to MCP servers that it reaches through this connection. */
export function serveMcpMessages(
  connection: Pick<AcpConnection, 'onRequest' | 'notify'>,
  service: McpService | undefined,
): void {
  if (!service) return;
  const active = new Set<string>();
  connection.onRequest(clientMethods.mcpMessage, async (params, signal) => {
    const { serverId, requestId, method, params: inner } = decodeMcpMessage(params);
    const key = JSON.stringify([serverId, requestId]);
    if (active.has(key)) throw invalidParams('A request with this requestId is still active.', { field: 'requestId' });
    if (active.size >= mostActive) throw mcpLimitReached(mostActive);
    active.add(key);
    try {
      const notify = (of: string, about: Readonly<Record<string, unknown>> | undefined) => {
        if (!active.has(key)) return;
        void connection.notify(agentMethods.mcpMessage, {
          serverId,
          requestId,
          method: of,
          ...(about ? { params: about } : {}),
        });
      };
      const reply = service.message({ serverId, method, ...(inner ? { params: inner } : {}) }, notify, signal);
      if (!reply) throw mcpServerUnavailable();
      return await reply;
    } finally {
      active.delete(key);
    }
  });
}
