/** Returns a key that distinguishes sessions of different agents. */
export function sessionMark(agentId: string, sessionId: string): string {
  return `${agentId}\n${sessionId}`;
}
