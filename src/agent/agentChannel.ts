import type { AcpConnection } from '../acp/connection';
import type { AgentCapabilities } from '../acp/decodeAgent';
import { decodeConfigOptions } from '../acp/decodeConfig';
import { decodePromptResult } from '../acp/decodePromptResult';
import { asObject, asOneOf } from '../acp/decodeValue';
import { requestCancelled } from '../acp/errors';
import { agentMethods } from '../acp/methods';
import { plainContent, promptContent, type PromptCapabilities, type ReadContext } from './promptContent';
import type { SessionChannel, SteeringOutcome } from '../session/sessionChannel';
import type { ContentBlock } from '../shared/content';
import type { SessionId } from '../shared/ids';
import type { ConfigOption } from '../shared/transcript';

/** What a channel needs beside its connection. */
export interface ChannelOptions {
  readonly can?: (PromptCapabilities & Pick<AgentCapabilities, 'steering'>) | undefined;
  readonly redact: (text: string) => string;
  /** Each prompt waits for it. */
  readonly beforeTurn?: () => Promise<void> | undefined;
  readonly readContext?: ReadContext | undefined;
}

/** A session's way to its agent over this connection. */
export function createChannel(
  connection: Pick<AcpConnection, 'request' | 'notify'>,
  sessionId: SessionId,
  { can, redact, beforeTurn, readContext }: ChannelOptions,
): SessionChannel {
  let unsent: { isCancelled: boolean } | undefined;
  const read = readContext ?? (() => Promise.resolve(undefined));
  const steer = async (content: readonly ContentBlock[]): Promise<SteeringOutcome> => {
    const { blocks: prompt } = await promptContent(content, can, read);
    // Too late for the turn, it is to become a prompt, whose end Parley hears of.
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const answer = asObject(await connection.request(agentMethods.steer, { sessionId, prompt, _meta }));
    return asOneOf(answer?.['outcome'], ['injected', 'startedNewTurn', 'promptRequired'] as const) ?? 'failed';
  };
  return {
    sessionId,
    ...(can?.steering === true ? { steer } : {}),
    prompt: async (content, onLeftOut) => {
      const ready = beforeTurn?.();
      const isPlain = content.every(({ type }) => type === 'text');
      const waiting = { isCancelled: false };
      if (ready || !isPlain) unsent = waiting;
      if (ready) await ready;
      const { blocks: prompt, leftOut } = isPlain ? plainContent(content) : await promptContent(content, can, read);
      unsent = undefined;
      // The agent has heard of neither.
      if (waiting.isCancelled) throw requestCancelled();
      if (leftOut.length > 0) onLeftOut(leftOut);
      return decodePromptResult(await connection.request(agentMethods.prompt, { sessionId, prompt }));
    },
    cancel: () => {
      if (unsent) {
        unsent.isCancelled = true;
        return;
      }
      // Fails only with the connection, whose end says more.
      connection.notify(agentMethods.cancel, { sessionId }).catch(() => undefined);
    },
    cancelSubagent: (subagent) => {
      connection.notify(agentMethods.cancel, { sessionId: subagent }).catch(() => undefined);
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
