import type { AcpConnection } from '../acp/connection';
import { decodeStopReason } from '../acp/decodeAgent';
import { decodeConfigOptions } from '../acp/decodeConfig';
import { asObject } from '../acp/decodeValue';
import { requestCancelled } from '../acp/errors';
import { agentMethods } from '../acp/methods';
import type { SessionChannel } from '../session/sessionChannel';
import type { SessionId } from '../shared/ids';
import type { ConfigOption } from '../shared/transcript';

/** A session's way to its agent over this connection. Each prompt waits for `beforeTurn`. */
export function createChannel(
  connection: Pick<AcpConnection, 'request' | 'notify'>,
  sessionId: SessionId,
  redact: (text: string) => string,
  beforeTurn?: () => Promise<void> | undefined,
): SessionChannel {
  let unsent: { isCancelled: boolean } | undefined;
  return {
    sessionId,
    prompt: async (text) => {
      const ready = beforeTurn?.();
      if (ready) {
        const waiting = { isCancelled: false };
        unsent = waiting;
        await ready;
        unsent = undefined;
        // The agent has heard of neither.
        if (waiting.isCancelled) throw requestCancelled();
      }
      const prompt = [{ type: 'text' as const, text }];
      return decodeStopReason(await connection.request(agentMethods.prompt, { sessionId, prompt }));
    },
    cancel: () => {
      if (unsent) {
        unsent.isCancelled = true;
        return;
      }
      // Fails only with the connection, whose end says more.
      connection.notify(agentMethods.cancel, { sessionId }).catch(() => undefined);
    },
    redact,
    setConfigOption: (option, value) => setOption(connection, sessionId, option, value),
  };
}

async function setOption(
  connection: Pick<AcpConnection, 'request'>,
  sessionId: SessionId,
  { configId, via }: ConfigOption,
  value: string | boolean,
): Promise<readonly ConfigOption[] | undefined> {
  if (via === 'configOptions') {
    const params =
      typeof value === 'boolean'
        ? { sessionId, configId, type: 'boolean' as const, value }
        : { sessionId, configId, value };
    const answer: unknown = await connection.request(agentMethods.setConfigOption, params);
    return decodeConfigOptions(asObject(answer)?.['configOptions']);
  }
  const id = String(value);
  if (via === 'modes') await connection.request(agentMethods.setMode, { sessionId, modeId: id });
  else await connection.request(agentMethods.setModel, { sessionId, modelId: id });
  return undefined;
}
