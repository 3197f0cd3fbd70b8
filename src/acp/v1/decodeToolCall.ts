import type { TerminalId, ToolCallId } from '../../shared/values/ids';
import type { ToolCallStatus } from '../../shared/transcript/transcript';
import { decodeLocation, decodeToolCallContent, withPlan } from '../decode/decodeContent';
import {
  asList,
  asNumber,
  asObject,
  asOneOf,
  asRaw,
  asString,
  compact,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';
import type { ReportedExit, ToolCallFields } from '../shape/sessionUpdate';
import { toolKinds } from '../../shared/transcript/toolKinds';
import { splitOutput, type SplitOutput } from './outputPictures';

const statuses: readonly ToolCallStatus[] = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];

/**
 * A command that the agent runs itself and reports through `_meta`, a convention of several agents outside the schema.
 */
export interface ReportedTerminal {
  readonly terminalId: TerminalId;
  /** The update introduces the terminal. */
  readonly info?: { readonly cwd?: string };
  readonly output?: string;
  readonly exit?: ReportedExit;
}

/**
 * A `tool_call`, a `tool_call_update`, or the `toolCall` of a permission request
 * (https://agentclientprotocol.com/protocol/tool-calls).
 */
export interface DecodedToolCall {
  readonly toolCallId: ToolCallId;
  /** Without `parent`, which depends on the other calls. */
  readonly fields: ToolCallFields;
  readonly terminal: ReportedTerminal | undefined;
  /** Images and audio from the raw output. */
  readonly media: SplitOutput['media'];
  /** The id of the parent call, as Claude reports it. */
  readonly parentToolUseId: string | undefined;
  /** The subagent that makes the call, as Copilot reports it. */
  readonly subagentId: string | undefined;
}

/**
 * Reads a tool call from any of its three places; undefined without an id. Skips absent, `null`, and malformed fields.
 */
export function decodeToolCall(value: unknown): DecodedToolCall | undefined {
  const call = asObject(value);
  const toolCallId = asString(call?.['toolCallId']);
  if (!call || !toolCallId) return undefined;
  const meta = asObject(call['_meta']);
  const claude = asObject(meta?.['claudeCode']);
  const { rawOutput, media } = splitOutput(call['rawOutput'] ?? undefined);
  return {
    toolCallId: toolCallId as ToolCallId,
    fields: compact({
      title: asString(call['title']),
      name: asString(call['name']) ?? asString(claude?.['toolName']) ?? mcpToolName(meta),
      toolKind: isAbsent(call['kind']) ? undefined : (asOneOf(call['kind'], toolKinds) ?? 'other'),
      status: asOneOf(call['status'], statuses),
      content: withPlan(call, asList(call['content'], decodeToolCallContent)),
      locations: asList(call['locations'], decodeLocation),
      rawInput: asRaw(call['rawInput'] ?? undefined),
      rawOutput: asRaw(rawOutput),
    }),
    media,
    terminal: meta && decodeTerminal(meta),
    parentToolUseId: asString(claude?.['parentToolUseId']),
    subagentId: asString(asObject(meta?.['github.com/copilot'])?.['agentId']),
  };
}

/** Qwen sends the name of an MCP tool only here, and its arguments as the title. */
function mcpToolName(meta: JsonObject | undefined): string | undefined {
  return meta?.['provenance'] === 'mcp' ? asString(meta['toolName']) : undefined;
}

function decodeTerminal(meta: JsonObject): ReportedTerminal | undefined {
  const info = asObject(meta['terminal_info']);
  const output = asObject(meta['terminal_output']) ?? asObject(meta['terminal_output_delta']);
  const exit = asObject(meta['terminal_exit']);
  const terminalId = [info, output, exit].map((part) => asString(part?.['terminal_id'])).find(Boolean);
  if (terminalId === undefined) return undefined;
  return compact({
    terminalId: terminalId as TerminalId,
    info: info && compact({ cwd: asString(info['cwd']) }),
    output: asString(output?.['data']),
    exit: exit && compact({ exitCode: asNumber(exit['exit_code']), signal: asString(exit['signal']) }),
  });
}
