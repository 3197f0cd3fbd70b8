import type { Entry } from '../../src/shared/transcript/transcript';
import { AgentMessageView } from './message/agentMessage';
import { ElicitationView } from './card/elicitationEntry';
import type { EntryScope, EntryView } from './view/entryView';
import { LoginView } from './card/loginEntry';
import { ErrorView, NoticeView } from './card/notices';
import { SubagentView } from './message/subagentEntry';
import { ThoughtView } from './message/thought';
import { ToolCallView } from './toolCall/toolCall';
import { UserMessageView } from './message/userMessage';

/** Creates the view of an entry. The view is empty before its first `set`. */
export function createEntryView(entry: Entry, scope: EntryScope): EntryView {
  switch (entry.kind) {
    case 'user_message':
      return new UserMessageView(scope, entry);
    case 'agent_message':
      return new AgentMessageView(scope, entry);
    case 'agent_thought':
      return new ThoughtView(scope, entry);
    case 'tool_call':
      return new ToolCallView(scope, entry);
    case 'subagent':
      return new SubagentView(scope, entry);
    case 'plan':
    case 'notice':
    case 'compaction':
      return new NoticeView(scope, entry);
    case 'elicitation':
      return new ElicitationView(scope, entry);
    case 'error':
      return new ErrorView(scope, entry);
    case 'login':
      return new LoginView(scope, entry);
  }
}
