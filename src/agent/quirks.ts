import type { UpdateQuirks } from '../acp/dialect';

/** What one agent needs and no rule of the protocol tells. */
export interface AgentQuirks extends UpdateQuirks {
  /** Takes "no such file" for a failure of its own tool, and can create a file only if reading it first gives empty text. */
  readonly missingFileReadsEmpty: boolean;
  /** Wants the key of a login as a plain text in `_meta["api-key"]`, not inside an object. */
  readonly apiKeyIsText: boolean;
  /** Answers `session/load` first and tells the history then; now and then it refuses at first what it can load. */
  readonly loadsLate: boolean;
}

const none: AgentQuirks = {
  missingFileReadsEmpty: false,
  apiKeyIsText: false,
  loadsLate: false,
  replayNoise: undefined,
  modeAsText: undefined,
};

/** By the name an agent gives itself in `agentInfo`. An agent is added only with traffic that shows the need. */
const known: ReadonlyMap<string, AgentQuirks> = new Map([
  [
    'gemini-cli',
    {
      ...none,
      missingFileReadsEmpty: true,
      apiKeyIsText: true,
      loadsLate: true,
      replayNoise: /^\s*<session_context>[\s\S]*|\[Function (?:Call|Response): [^\]\n]*\]/g,
      modeAsText: /^\[MODE_UPDATE\] (\S+)$/,
    },
  ],
]);

/** The quirks of the agent that calls itself `agentName`; none for all but a few. */
export function quirksOf(agentName: string): AgentQuirks {
  return known.get(agentName) ?? none;
}
