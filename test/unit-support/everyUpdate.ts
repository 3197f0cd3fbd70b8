// An update of each kind as agents send it, without ids of messages. A missing kind is a type error.
import type { UpdateName } from '../../src/acp/shape/updateKinds';

const content = { type: 'text', text: 'words' };

const samples: Readonly<Record<Exclude<UpdateName, 'unknown'>, object>> = {
  user_message_chunk: { content },
  agent_message_chunk: { content },
  agent_thought_chunk: { content },
  user_message: { messageId: 'u9', content: [content] },
  agent_message: { messageId: 'a9', content: [content] },
  agent_thought: { messageId: 't9', content: [content] },
  tool_call: { toolCallId: 'c9', title: 'Read' },
  tool_call_update: { toolCallId: 'c9', title: 'Read' },
  tool_call_content_chunk: { toolCallId: 'c9', content: { type: 'content', content } },
  terminal_update: { terminalId: 'x9', command: 'npm test' },
  terminal_output_chunk: { terminalId: 'x9', data: 'b2s=' },
  plan: { entries: [{ content: 'Read', priority: 'low', status: 'pending' }] },
  plan_update: { plan: { planId: 'p9', type: 'markdown', content: 'Read' } },
  plan_removed: { planId: 'p9' },
  notice: { severity: 'info', title: 'News' },
  compaction_update: { compactionId: 'k9', status: 'completed' },
  compaction_summary_chunk: { compactionId: 'k9', content },
  subagent_update: { sessionId: 'sub9', title: 'Search', state: { state: 'idle', stopReason: 'end_turn' } },
  available_commands_update: { availableCommands: [{ name: 'init' }] },
  config_option_update: { configOptions: [] },
  current_mode_update: { currentModeId: 'code' },
  session_info_update: { title: 'Title' },
  usage_update: { used: 1, size: 2 },
  prompt_suggestions_update: { suggestions: [{ prompt: [content] }] },
  state_update: { state: 'idle', stopReason: 'end_turn' },
};

/** All of them, in an order that an agent could send them in. */
export const everyUpdate: readonly { readonly sessionUpdate: string }[] = Object.entries(samples).map(
  ([sessionUpdate, fields]) => ({ sessionUpdate, ...fields }),
);
