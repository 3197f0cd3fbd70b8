import type { Entry } from '../../shared/transcript/transcript';

interface KindOfEntry {
  /** Whether it is part of the conversation, not a remark on it: a notice, a failure, or a login. */
  readonly isConversation: boolean;
  /** Whether it is a response of the agent. */
  readonly isResponse: boolean;
  /** Whether its id has an id that its agent chose, which may come again after a reload. */
  readonly hasAgentId: boolean;
}

/** What the session needs to know about each kind of entry. A missing kind is a type error. */
export const entryKinds: Readonly<Record<Entry['kind'], KindOfEntry>> = {
  user_message: { isConversation: true, isResponse: false, hasAgentId: true },
  agent_message: { isConversation: true, isResponse: true, hasAgentId: true },
  agent_thought: { isConversation: true, isResponse: false, hasAgentId: true },
  tool_call: { isConversation: true, isResponse: true, hasAgentId: true },
  plan: { isConversation: true, isResponse: true, hasAgentId: false },
  notice: { isConversation: false, isResponse: false, hasAgentId: false },
  compaction: { isConversation: true, isResponse: false, hasAgentId: false },
  elicitation: { isConversation: true, isResponse: false, hasAgentId: false },
  error: { isConversation: false, isResponse: false, hasAgentId: false },
  login: { isConversation: false, isResponse: false, hasAgentId: false },
  subagent: { isConversation: true, isResponse: false, hasAgentId: true },
};
