import * as l10n from '@vscode/l10n';
import { allowed } from './permission';
import { requiredText, ToolProblem, type EditorTool, type SessionAnswer, type ToolCall, type ToolResult } from './tool';

/** The longest message that an agent can send to another one, and the longest answer that it gets, in UTF-16 units. */
const longestPrompt = 50_000;
const longestAnswer = 30_000;

/** The tools with which agents ask others. */
export const agentTools: readonly EditorTool[] = [
  {
    name: 'listAgents',
    description: 'Other coding agents that you can ask.',
    properties: {},
    required: [],
    effect: 'none',
    run: listAgents,
  },
  {
    name: 'startSession',
    description:
      'Starts a session of another agent in this folder, with a task. It knows nothing of this conversation.',
    properties: {
      agent: { type: 'string', description: 'A name that listAgents returns' },
      prompt: { type: 'string' },
    },
    required: ['agent', 'prompt'],
    effect: 'runs',
    run: startSession,
  },
  {
    name: 'readAnswer',
    description: 'Waits for the answer of a session that you started.',
    properties: { session: { type: 'string' } },
    required: ['session'],
    effect: 'none',
    run: readAnswer,
  },
];

function listAgents(call: ToolCall): Promise<ToolResult> {
  const { agents } = call.services.asker();
  const text = agents.length === 0 ? 'There are no agents.' : agents.join('\n');
  return Promise.resolve({ text, data: { agents } });
}

async function startSession(call: ToolCall): Promise<ToolResult> {
  const asker = call.services.asker();
  const { session, agentName } = call.context;
  const agent = requiredText(call, 'agent');
  const prompt = requiredText(call, 'prompt');
  if (!asker.agents.includes(agent))
    throw new ToolProblem('There is no such agent. Use a name that listAgents returns.');
  if (prompt.trim() === '') throw new ToolProblem('“prompt” is empty. Call the tool again with the task.');
  if (prompt.length > longestPrompt) {
    throw new ToolProblem(
      `“prompt” is longer than ${longestPrompt} characters. Call the tool again with a shorter one.`,
    );
  }
  asker.check(session);
  await allowed(call, {
    tool: 'startSession',
    title: l10n.t('Start a session with {0}', agent),
    kind: 'other',
    paths: [],
    content: [],
    asks: { question: l10n.t('Let {0} start a session with {1}?', agentName, agent), text: prompt },
    isGuarded: false,
  });
  const started = asker.start(session, agent, prompt);
  return { text: `Started session ${started}. Call readAnswer with it.`, data: { session: started } };
}

async function readAnswer(call: ToolCall): Promise<ToolResult> {
  const started = requiredText(call, 'session');
  const { state, text } = await call.services.asker().answerOf(call.context.session, started, call.signal);
  const cut = text.length > longestAnswer ? `${text.slice(0, longestAnswer)}\n… The rest is too long.` : text;
  return { text: [sentenceFor(state), cut].filter((part) => part !== '').join('\n\n'), data: { state, answer: cut } };
}

function sentenceFor(state: SessionAnswer['state']): string {
  switch (state) {
    case 'completed':
      return '';
    case 'stopped':
      return 'The user stopped the session.';
    case 'failed':
      return 'The session failed.';
    case 'closed':
      return 'The user closed the session.';
    case 'waitsForUser':
      return 'The session waits for the user. Call readAnswer again.';
    case 'running':
      return 'The session is still working. Call readAnswer again.';
  }
}
