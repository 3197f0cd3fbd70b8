import * as l10n from '@vscode/l10n';
import { decodeConfigOptions } from '../decode/decodeConfig';
import { asObject, asString } from '../../shared/decodeValue';
import type { ChannelConnection, ChannelOptions } from '../dialect/dialect';
import { internal, requestCancelled } from '../base/errors';
import { agentMethods } from '../wire/methods';
import { plainContent, promptContent } from '../dialect/promptContent';
import type { SessionChannel } from '../shape/sessionChannel';
import { toDisposable } from '../../shared/disposable';
import type { MessageId, SessionId } from '../../shared/ids';
import { methods } from './methods';

/** Creates a session's channel to its agent over this connection. */
export function createChannel(
  connection: ChannelConnection,
  sessionId: SessionId,
  { can, redact, beforeTurn, readContext }: ChannelOptions,
): SessionChannel {
  /** Prompts that wait for what must happen before they are sent. */
  const unsent = new Set<{ isCancelled: boolean }>();
  const read = readContext ?? (() => Promise.resolve(undefined));
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
      const ready = beforeTurn?.();
      const isPlain = content.every(({ type }) => type === 'text');
      const waiting = { isCancelled: false };
      if (ready || !isPlain) unsent.add(waiting);
      if (ready) await ready;
      const { blocks: prompt, unsupportedBlocks } = isPlain
        ? plainContent(content)
        : await promptContent(content, can, read);
      unsent.delete(waiting);
      // Neither the prompt nor the cancellation was sent to the agent.
      if (waiting.isCancelled) throw requestCancelled();
      if (unsupportedBlocks.length > 0) onUnsupported(unsupportedBlocks);
      const answer: unknown = await connection.request(methods.prompt, { sessionId, prompt });
      const messageId = asString(asObject(answer)?.['messageId']);
      if (!messageId) throw internal(l10n.t('The agent didn’t return a message ID.'));
      return messageId as MessageId;
    },
    cancel: () => {
      for (const waiting of unsent) waiting.isCancelled = true;
      notifyCancel(sessionId);
    },
    cancelSubagent: notifyCancel,
    cancelToolCall: async (toolCallId) => {
      await connection.request(methods.cancelToolCall, { sessionId, toolCallId });
    },
    cancelTerminal: async (terminalId) => {
      await connection.request(methods.cancelTerminal, { sessionId, terminalId });
    },
    redact,
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
