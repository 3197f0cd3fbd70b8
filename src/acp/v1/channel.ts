import { decodeConfigOptions } from '../decode/decodeConfig';
import { asObject, asOneOf, asString } from '../../shared/values/decodeValue';
import type { ChannelConnection, ChannelOptions } from '../dialect/dialect';
import { agentMethods } from '../wire/methods';
import { PromptsUnderway } from '../dialect/promptsUnderway';
import type { SessionChannel, SteeringOutcome } from '../shape/sessionChannel';
import type { SessionUpdate } from '../shape/sessionUpdate';
import type { ContentBlock } from '../../shared/transcript/content';
import { Emitter } from '../../shared/values/event';
import type { SessionId } from '../../shared/values/ids';
import type { ConfigOption } from '../../shared/transcript/transcript';
import type { TurnUsage } from '../../shared/amounts/turnUsage';
import { decodeTurnUsage } from '../decode/decodeTurnUsage';

/** Creates a session's channel to its agent over this connection. */
export function createChannel(
  connection: ChannelConnection,
  sessionId: SessionId,
  options: ChannelOptions,
): SessionChannel {
  const updated = new Emitter<SessionUpdate>();
  const underway = new PromptsUnderway(options);
  const { can, redact } = options;
  const steer = async (content: readonly ContentBlock[]): Promise<SteeringOutcome> => {
    const { blocks: prompt } = await underway.read(content);
    // If the turn has already ended, the message must become a prompt, because Parley learns when a prompt's turn ends.
    const _meta = { steering: { idleBehavior: 'promptRequired' } };
    const answer = asObject(await connection.request(agentMethods.steer, { sessionId, prompt, _meta }));
    return asOneOf(answer?.['outcome'], ['injected', 'startedNewTurn', 'promptRequired'] as const) ?? 'failed';
  };
  return {
    sessionId,
    onDidUpdate: updated.event,
    ...(can?.steering === true ? { steer } : {}),
    prompt: async (content, onUnsupported) => {
      const prepared = underway.prepare(content, onUnsupported);
      const prompt = prepared instanceof Promise ? await prepared : prepared;
      const answer: unknown = await connection.request(agentMethods.prompt, { sessionId, prompt });
      updated.fire({ sessionUpdate: 'state_update', state: 'idle', ...decodePromptResult(answer) });
      return undefined;
    },
    cancel: () => {
      if (underway.cancel()) return;
      // Fails only with the connection, and its end explains more.
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
  connection: Pick<ChannelConnection, 'request'>,
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

/** An agent's report at the end of a turn. */
interface PromptResult {
  /** As the agent wrote it; `end_turn` if missing. */
  readonly stopReason: string;
  readonly usage?: TurnUsage;
}

/** Reads a response to `session/prompt`, which may be empty or `null`. */
export function decodePromptResult(value: unknown): PromptResult {
  const answer = asObject(value);
  const usage = decodeTurnUsage(answer);
  return { stopReason: asString(answer?.['stopReason']) ?? 'end_turn', ...(usage ? { usage } : {}) };
}
