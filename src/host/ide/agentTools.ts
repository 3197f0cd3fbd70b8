import { editorTools, type EditorToolName } from '../../shared/pages/editorTools';
import { allowed } from './permission';
import { requiredText, ToolProblem, type SessionAnswer, type ToolCall, type ToolResult, type ToolRun } from './tool';

/** The longest message that an agent can send to another one, and the longest answer that it gets, in UTF-16 units. */
const longestPrompt = 50_000;
const longestAnswer = 30_000;

/** The tools with which agents ask others. */
export const agentTools = { listAgents, startSession, readAnswer } as const satisfies Partial<
  Record<EditorToolName, ToolRun>
>;

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
  const words = editorTools.startSession.words();
  await allowed(call, {
    tool: 'startSession',
    title: words.request(agent),
    kind: 'other',
    paths: [],
    content: [],
    asks: { question: words.ask(agentName, agent), text: prompt },
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
