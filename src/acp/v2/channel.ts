import * as l10n from '@vscode/l10n';
import { decodeConfigOptions } from '../decode/decodeConfig';
import { asObject, asString } from '../../shared/values/decodeValue';
import type { ChannelConnection, ChannelOptions } from '../dialect/dialect';
import { internal } from '../base/errors';
import { agentMethods } from '../wire/methods';
import { PromptsUnderway } from '../dialect/promptsUnderway';
import type { SessionChannel } from '../shape/sessionChannel';
import { toDisposable } from '../../shared/values/disposable';
import type { MessageId, SessionId } from '../../shared/values/ids';
import { methods } from './methods';

/** Creates a session's channel to its agent over this connection. */
export function createChannel(
  connection: ChannelConnection,
  sessionId: SessionId,
  options: ChannelOptions,
): SessionChannel {
  const underway = new PromptsUnderway(options);
  const notifyCancel = (id: SessionId) => {
    // Fails only with the connection, and its end explains more.
    connection.notify(agentMethods.cancel, { sessionId: id }).catch(() => undefined);
  };
  return {
    sessionId,
    // The agent's own updates say everything.
    onDidUpdate: () => toDisposable(() => undefined),
    insertsPrompts: true,
    prompt: async (content, onUnsupported) => {
      const prepared = underway.prepare(content, onUnsupported);
      const prompt = prepared instanceof Promise ? await prepared : prepared;
      const answer: unknown = await connection.request(methods.prompt, { sessionId, prompt });
      const messageId = asString(asObject(answer)?.['messageId']);
      if (!messageId) throw internal(l10n.t('The agent didn’t return a message ID.'));
      return messageId as MessageId;
    },
    cancel: () => {
      underway.cancel();
      notifyCancel(sessionId);
    },
    cancelSubagent: notifyCancel,
    cancelToolCall: async (toolCallId) => {
      await connection.request(methods.cancelToolCall, { sessionId, toolCallId });
    },
    cancelTerminal: async (terminalId) => {
      await connection.request(methods.cancelTerminal, { sessionId, terminalId });
    },
    redact: options.redact,
    setConfigOption: async ({ configId }, value) => {
      const params =
        typeof value === 'boolean'
          ? { sessionId, configId, type: 'boolean' as const, value }
          : { sessionId, configId, type: 'id' as const, value };
      const answer: unknown = await connection.request(methods.setConfigOption, params);
      return decodeConfigOptions(asObject(answer)?.['configOptions']);
    },
  };
}
