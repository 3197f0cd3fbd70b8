/** What one agent needs and no rule of the protocol tells. */
export interface AgentQuirks {
  /** Takes "no such file" for a failure of its own tool, and can create a file only if reading it first gives empty text. */
  readonly missingFileReadsEmpty: boolean;
  /** Wants the key of a login as a plain text in `_meta["api-key"]`, not inside an object. */
  readonly apiKeyIsText: boolean;
}

const none: AgentQuirks = { missingFileReadsEmpty: false, apiKeyIsText: false };

/** By the name an agent gives itself in `agentInfo`. An agent is added only with traffic that shows the need. */
const known: ReadonlyMap<string, Partial<AgentQuirks>> = new Map([
  ['gemini-cli', { missingFileReadsEmpty: true, apiKeyIsText: true }],
]);

/** The quirks of the agent that calls itself `agentName`; none for all but a few. */
export function quirksOf(agentName: string): AgentQuirks {
  return { ...none, ...known.get(agentName) };
}
