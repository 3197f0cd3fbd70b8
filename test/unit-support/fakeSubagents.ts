// A session whose agent and subagents are the test.
import type { SessionId } from '../../src/shared/values/ids';
import { SessionHarness, settle } from './fakeSession';

/** A session in a turn with a running subagent. */
export class Subagents extends SessionHarness {
  async begin(...children: readonly string[]): Promise<this> {
    this.open();
    this.session.sendPrompt('Go');
    await settle();
    for (const child of children) this.announce(child);
    return this;
  }

  announce(sessionId: string, fields: object = {}, by?: string): this {
    const capabilities = { cancel: {} };
    const update = { sessionUpdate: 'subagent_update', sessionId, title: `Agent ${sessionId}`, capabilities };
    this.session.agentSide.handleUpdate({ ...update, state: { state: 'running' }, ...fields }, by as SessionId);
    return this;
  }

  /** Sends an update with only these fields. */
  tell(sessionId: string, fields: object): this {
    return this.update({ sessionUpdate: 'subagent_update', sessionId, ...fields });
  }

  from(sessionId: string, ...updates: readonly object[]): this {
    for (const update of updates) this.session.agentSide.handleUpdate(update, sessionId as SessionId);
    return this;
  }

  askFrom(sessionId: string, toolCall: object) {
    const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
    const { signal } = new AbortController();
    return this.session.agentSide.handlePermission({ toolCall, options }, signal, undefined, sessionId as SessionId);
  }

  row(sessionId: string) {
    return this.all('subagent').find((entry) => entry.sessionId === sessionId)!;
  }
}

/** Returns a tool call of protocol version 1. */
export const call = (toolCallId: string, fields: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: `Call ${toolCallId}`,
  status: 'in_progress',
  ...fields,
});

/** The outcome of a withdrawn permission request. */
export const cancelled = { outcome: { outcome: 'cancelled' } };
