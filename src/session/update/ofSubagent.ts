import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import { isShownOfSubagent } from '../../acp/shape/updateKinds';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { PlanId, SessionId, TerminalId } from '../../shared/values/ids';
import type { Transcript } from '../../shared/transcript/transcript';
import { toolCallEntryId } from './entryIds';

/**
 * Converts an update of a subagent's session to one of the transcript that shows it; undefined for updates about that
 * session itself: its settings, title, tokens, and the agent's messages to it. Message and call ids are already unique.
 */
export function ofSubagent(
  transcript: Transcript,
  update: SessionUpdate,
  subagent: SessionId,
): SessionUpdate | undefined {
  if (!isShownOfSubagent(update)) return undefined;
  const own = <Id extends string>(id: Id) => `${subagent}/${id}` as Id;
  const ownTerminal = (id: TerminalId) => {
    const driver = transcript.terminals.get(id)?.driver;
    // The id of one of Parley's terminals is already unique.
    return driver === undefined || driver === 'agent' ? own(id) : id;
  };
  const ownContent = (item: ToolCallContent): ToolCallContent =>
    item.type === 'terminal' ? { ...item, terminalId: ownTerminal(item.terminalId) } : item;
  switch (update.sessionUpdate) {
    case 'tool_call_update': {
      const { parent, content, ...rest } = update.fields;
      // Some agents report the call that started the subagent, but the call is already shown above the subagent.
      const above = parent === undefined ? undefined : transcript.entries.get(toolCallEntryId(parent));
      const isOwn = above?.subagent === subagent;
      const fields = {
        ...rest,
        ...(content ? { content: content.map(ownContent) } : {}),
        ...(isOwn && parent !== undefined ? { parent } : {}),
      };
      return { ...update, fields };
    }
    case 'tool_call_content_chunk':
      return { ...update, content: ownContent(update.content) };
    case 'terminal_update':
    case 'terminal_output_chunk':
      return { ...update, terminalId: ownTerminal(update.terminalId) };
    case 'plan_update':
      return { ...update, plan: { ...update.plan, planId: own(update.plan.planId), subagent } };
    case 'plan_removed':
      return { ...update, planId: own<PlanId>(update.planId) };
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return { ...update, compactionId: own(update.compactionId) };
    // Their ids are already the transcript's, or they have none.
    case 'agent_message':
    case 'agent_message_chunk':
    case 'agent_thought':
    case 'agent_thought_chunk':
    case 'notice':
    case 'subagent_update':
    case 'unknown':
      return update;
  }
}
