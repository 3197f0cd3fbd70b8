import type { AgentQuirks } from '../../../src/agent/base/quirks';
import type { Row } from '../rows';
import { group, here, hereAnd, shownBy } from './group';

/** What real agents do differently, by the numbers of docs/agents.md. */
export const quirkRows: readonly Row[] = group('quirks', [
  ['Q01', 'updates before their session is known', here],
  [
    'Q02',
    'child sessions',
    hereAnd("src/session/update/reduceToolCall.test.ts › finds the parent call of a subagent's call"),
  ],
  [
    'Q03',
    'turns that go on after their answer',
    hereAnd(
      'src/session/session.test.ts › shows updates after the end of the turn without becoming busy',
      'src/session/quirks.test.ts › closes open calls that arrived after the turn before it',
      'src/session/quirks.test.ts › closes calls and thoughts after the last turn when the agent exits',
    ),
  ],
  [
    'Q04',
    'replays that come late, twice or with notes of the agent',
    hereAnd(
      'src/agent/connection/lateReplay.test.ts › has its history before the next message, despite the early response',
      'src/agent/connection/lateReplay.test.ts › is requested twice before giving up',
      'src/agent/pool/agentFailures.test.ts › resumes the session if it can',
    ),
  ],
  [
    'Q05',
    'words before any prompt',
    shownBy(
      'src/agent/pool/agentPool.test.ts › keeps updates that arrive before the session has an id',
      "test/conformance/cases/quirks.ts › keeps updates sent before a session's id, even with reused ids",
    ),
  ],
  ['Q06', 'capabilities that are not true', here],
  ['Q07', 'a session that fails again and again', here],
  [
    'Q08',
    'calls that were never announced',
    hereAnd(
      'src/session/questions/questions.test.ts › shows a call that was never announced',
      'src/session/quirks.test.ts › announced last, as by Cline, is one call and keeps its progress',
    ),
  ],
  [
    'Q09',
    'calls that are sent twice',
    shownBy(
      'src/session/quirks.test.ts › changes only its output when updates repeat',
      'src/session/update/reduceToolCall.test.ts › treats an id reused in a later turn as a new call',
    ),
  ],
  [
    'Q10',
    'calls that are never finished',
    hereAnd(
      'src/session/session.test.ts › closes everything left open when the turn ends',
      'src/session/quirks.test.ts › that was rejected and left in progress ends as cancelled',
    ),
  ],
  [
    'Q11',
    'calls that never say that they run',
    shownBy('test/page/quirks.test.ts › shows output of a command that never reports running'),
  ],
  [
    'Q12',
    'terminals for display only',
    shownBy(
      'test/conformance/cases/updates.ts › streams the output of a command that the agent runs itself',
      'src/session/update/reduceToolCall.test.ts › show output before any other information and appear in their call',
      'src/session/update/reduceToolCall.test.ts › ignore content of unknown terminals',
    ),
  ],
  [
    'Q13',
    'output that is replaced, or a raw value alone',
    hereAnd('test/page/quirks.test.ts › shows raw output alone, as text, object, or list'),
  ],
  [
    'Q14',
    'three kinds of diffs',
    hereAnd(
      'src/review/files/reportedBase.test.ts › replaces a part if its new text occurs exactly once',
      "webview/entries/words/toolLabel.test.ts › puts the verb first, then the file's name, then its folder",
    ),
  ],
  [
    'Q15',
    'lines of 0 and null, titles of many lines',
    shownBy(
      "src/session/update/reduceToolCall.test.ts › changes only an update's fields, ignores null, and replaces lists",
      'test/page/quirks.test.ts › keeps titles of many lines or raw JSON in one row',
    ),
  ],
  [
    'Q16',
    'missing files that must read as empty',
    hereAnd('src/agent/routes/clientHandlers.test.ts › return empty text for missing files, only for Gemini'),
  ],
  [
    'Q17',
    'files that the agent writes to disk as well',
    shownBy('test/integration/suites/filesWrite.test.ts › succeeds while the agent writes the file to disk itself'),
  ],
  [
    'Q18',
    'shell lines as commands, early releases',
    shownBy(
      'test/conformance/cases/terminals.ts › runs a whole shell line without arguments in a shell',
      'test/conformance/cases/updates.ts › shows a terminal while it runs and after its release',
      'test/conformance/cases/terminals.ts › releasing ends the command, answers waiting requests, and removes the id',
    ),
  ],
  [
    'Q19',
    'encodings in _meta of a write',
    hereAnd('test/integration/suites/filesWrite.test.ts › creates a new file with its byte order mark, where possible'),
  ],
  [
    'Q20',
    'options in any order, kinds that repeat',
    shownBy("src/session/questions/questions.test.ts › shows options in the agent's order and returns the chosen id"),
  ],
  [
    'Q21',
    'questions that differ from their call',
    hereAnd(
      "src/session/questions/questions.test.ts › shows the question on its call without losing the call's fields",
      "src/session/questions/questions.test.ts › uses the request's own fields, whatever the call was announced with",
      "src/session/questions/questions.test.ts › keeps a request's own diff if it was allowed, not rejected",
      'src/session/recordedHabits.test.ts › doesn’t change its request by announcing the call later',
    ),
  ],
  [
    'Q22',
    'agents that ask about everything, or nothing',
    shownBy('test/page/quirks.test.ts › does not repeat text that a question already shows'),
  ],
  [
    'Q23',
    'questions in many forms',
    hereAnd(
      'src/acp/v1/questionnaire.test.ts › become a form whose answers are sent by question index',
      'test/conformance/cases/permissions.ts › shows unknown kinds as options; optionless requests can be withdrawn',
    ),
  ],
  [
    'Q24',
    'questions that the agent takes back',
    shownBy('test/conformance/cases/base.ts › answers a request that the agent withdraws exactly once'),
  ],
  [
    'Q25',
    'reviews of plans',
    hereAnd('src/session/quirks.test.ts › that reviews a plan shows it, even from the raw input'),
  ],
  [
    'Q26',
    'a second prompt is a lottery',
    shownBy('test/conformance/cases/prompt.ts › a second message waits until the previous turn ends'),
  ],
  [
    'Q27',
    'cancelled turns',
    shownBy(
      'test/conformance/cases/prompt.ts › cancels a turn in order and ends it with the response',
      'src/session/session.test.ts › cancels once, closes calls, keeps listening, and ends with the response',
    ),
  ],
  [
    'Q28',
    'errors that look like success',
    hereAnd(
      'src/acp/base/errors.test.ts › finds the readable text wherever the agent put it',
      'src/session/quirks.test.ts › without output gets a notice, unless the agent said or did something',
      'src/session/quirks.test.ts › fails with the text on the card after a system error',
      'src/session/recordedHabits.test.ts › fails with a card that offers to send again, whatever it answered',
    ),
  ],
  ['Q29', 'silent retries', shownBy('test/page/quirks.test.ts › shows that an agent has been silent for long')],
  ['Q30', 'odd ends of turns', shownBy('src/session/session.test.ts › explains why a turn ended, whatever the reason')],
  [
    'Q31',
    'very long lines',
    shownBy(
      'test/conformance/cases/stdio.ts › reads a message of 10 MB',
      'src/acp/wire/traffic.test.ts › keeps an oversized message as a summary without its contents',
    ),
  ],
  [
    'Q32',
    'chunks without ids, and empty ones',
    shownBy(
      'src/session/update/reduceUpdate.test.ts › ignores empty chunks',
      'src/session/update/reduceUpdate.test.ts › starts a message at a new role, call, call end, or turn',
    ),
  ],
  [
    'Q33',
    'modes that are told in many ways',
    hereAnd('src/acp/v1/normalizeUpdate.test.ts › turns a message into a mode if it has no other text'),
  ],
  [
    'Q34',
    'titles that are missing, late or twice; plans again',
    shownBy(
      'src/session/update/reduceUpdate.test.ts › sets, keeps, and clears the title, falling back to the first prompt',
      'src/session/update/reduceUpdate.test.ts › does nothing for an unchanged plan',
    ),
  ],
  [
    'Q35',
    'methods of no protocol',
    shownBy(
      'test/conformance/cases/base.ts › answers unknown requests with "method not found"',
      'test/conformance/cases/base.ts › ignores unknown notifications',
    ),
  ],
  [
    'Q36',
    'MCP servers that an agent drops',
    shownBy('src/agent/connection/sessionSetup.test.ts › reports skipped servers once and without secrets'),
  ],
  [
    'Q37',
    'processes that do not end',
    shownBy(
      'src/agent/process/agentProcess.test.ts › ignoring the end of stdin leads to SIGTERM, then SIGKILL',
      'src/agent/pool/agentFailures.test.ts › asks the user to wait if slow, and runs until stopped',
    ),
  ],
  [
    'Q38',
    'logins in many forms',
    shownBy(
      'src/acp/decode/decodeAuth.test.ts › reads a terminal method from _meta if it has no other type',
      'src/acp/decode/decodeAuth.test.ts › prefers a command in _meta, even on an unknown type',
      'src/agent/login/logins.test.ts › a missing command is a failure, but a closed terminal is not',
    ),
  ],
  [
    'Q39',
    'plans that are only the input of a tool',
    shownBy('src/session/recordedHabits.test.ts › shows its to-do list as a plan'),
  ],
  [
    'Q40',
    'notices that look like parts of an answer',
    shownBy(
      'src/session/recordedHabits.test.ts › reports background work in notices, each once, apart from its answers',
    ),
  ],
  [
    'Q41',
    'commands in the background, told in many ways',
    shownBy(
      'src/session/recordedHabits.test.ts › is noticed for Gemini, which never reports its end',
      'src/session/recordedHabits.test.ts › runs until Qwen and Claude report its end',
      'src/session/recordedHabits.test.ts › has ended once Copilot reports the exit with another call',
    ),
  ],
  [
    'Q42',
    'turns that a rejection cancels',
    shownBy('src/session/quirks.test.ts › is stopped, not cut off, if Codex cancels it after a rejection'),
  ],
  [
    'Q43',
    'locations that are folders',
    shownBy('src/host/review/recording/namedFolders.test.ts › lists no folder of a tool call as a changed file'),
  ],
  [
    'Q44',
    'keys of a login as plain text',
    shownBy('src/agent/login/logins.test.ts › sends keys and gateways in _meta, for one agent as plain text'),
  ],
  [
    'Q45',
    'retries and failures in the words of an answer',
    shownBy(
      'src/session/ownWords.test.ts › shows retries apart from the answer, a failure on a card',
      'src/session/ownWords.test.ts › shows an answer that follows after a failure',
    ),
  ],
]);

/** The row of each quirk that is recognized by the agent's name. */
export const rowsOfQuirks: Readonly<Record<keyof AgentQuirks, string>> = {
  missingFileReadsEmpty: 'Q16',
  apiKeyIsText: 'Q44',
  loadsLate: 'Q04',
  replayNoise: 'Q04',
  modeAsText: 'Q33',
  ownWords: 'Q45',
};
