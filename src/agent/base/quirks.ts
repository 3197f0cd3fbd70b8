import type { UpdateQuirks } from '../../acp/dialect/dialect';

/** Deviations of one agent that the protocol has no rule for. */
export interface AgentQuirks extends UpdateQuirks {
  /**
   * Treats "no such file" as a failure of its own tool, and can create a file only if reading it first returns empty
   * text.
   */
  readonly missingFileReadsEmpty: boolean;
  /** Expects a login's key as plain text in `_meta["api-key"]`, not inside an object. */
  readonly apiKeyIsText: boolean;
  /** Answers `session/load` before it replays the history, and sometimes refuses at first to load a valid session. */
  readonly loadsLate: boolean;
}

const none: AgentQuirks = {
  missingFileReadsEmpty: false,
  apiKeyIsText: false,
  loadsLate: false,
  replayNoise: undefined,
  modeAsText: undefined,
};

/** Remarks and failures as Copilot sends them. */
const ownWords = { remark: /^Info: ([\s\S]+)$/, failure: /^Error: / };

/** By the agent's name in `agentInfo`. An agent is added only with traffic that shows the need. */
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
  ['Copilot', { ...none, ownWords }],
  [
    'pi-acp',
    { ...none, ownWords: { ...ownWords, remark: /^\s*(Retrying \(attempt [^\n]+|Retry finished[^\n]*)\s*$/ } },
  ],
]);

/** Returns the quirks of the agent with this name; most agents have none. */
export function quirksOf(agentName: string): AgentQuirks {
  return known.get(agentName) ?? none;
}
