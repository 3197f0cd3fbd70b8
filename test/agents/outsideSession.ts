// A session of an agent's own, as its command-line tool leaves one: its program is run by another client, which then ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cleanEnv } from '../workbench/run.mjs';
import type { AgentSetting } from '../e2e/harness';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/** Plays one turn of a new session in a folder, without Parley, and resolves to the agent's id of the session. */
export async function playOutside(
  { command = '', args = [], env = {} }: AgentSetting,
  cwd: string,
  text: string,
): Promise<string> {
  const agent = spawn(command, args, { cwd, env: { ...cleanEnv(), ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => agent.once('exit', resolve));
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: agent.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) waiting.get(message.id ?? -1)?.(message);
    // Another client may refuse whatever an agent asks it.
    else if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'Not supported' } });
  });
  const send = (message: object) => agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let sent = 0;
  const ask = async (method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
    const id = (sent += 1);
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answered;
    return result ?? assert.fail(`${method}: ${JSON.stringify(error)}`);
  };
  try {
    await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await ask('session/new', { cwd, mcpServers: [] });
    await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    return String(sessionId);
  } finally {
    agent.stdin.end();
    const killed = setTimeout(() => agent.kill('SIGKILL'), 5000);
    await exited;
    clearTimeout(killed);
  }
}
