import type { Entry } from '../../src/shared/transcript';
import { AgentMessageView } from './agentMessage';
import { ElicitationView } from './elicitationEntry';
import type { EntryScope, EntryView } from './entryView';
import { LoginView } from './loginEntry';
import { ErrorView, NoticeView } from './notices';
import { SubagentView } from './subagentEntry';
import { ThoughtView } from './thought';
import { ToolCallView } from './toolCall';
import { UserMessageView } from './userMessage';

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
