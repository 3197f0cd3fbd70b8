import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { projectFolder } from '../integration/projectFolder';
import { ScriptedAgent, type Handler } from './agent';

/** The scripted agent, as `parley.agents` names it. */
export const agentName = 'Conformance';
/** The scripted agent with arguments, a folder and variables of its own. */
export const configuredAgentName = 'Configured';
/** The scripted agent with a system prompt of the user's, in place of its own, and without MCP servers. */
export const instructedAgentName = 'Instructed';
/** The scripted agent, to which the user offers no files, and no terminals. */
export const withoutFilesName = 'Without files';
export const withoutTerminalsName = 'Without terminals';
/** The scripted agent, which is offered version 2 of the protocol. */
export const secondName = 'Second';
/** The same, as programs of their own: what is remembered of one is nothing about another. */
export const answersFirstName = 'Answers 1';
export const refusesName = 'Refuses 2';
export const exitsName = 'Exits';
/** An agent whose program does not exist. */
export const missingAgentName = 'Missing';

/** A value that only the configured agent's environment holds. */
export const secretValue = 'sk-conformance-0123456789abcdef';

/** Where the processes of the scripted agent report to the cases. */
export class Connections {
  private readonly server: Server;
  private waiting: { handlers: Readonly<Record<string, Handler>>; take: (agent: ScriptedAgent) => void }[] = [];

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (socket) => {
      const expected = this.waiting.shift();
      // Nobody waits for it: a process that a case left behind.
      if (!expected) socket.destroy();
      else new ScriptedAgent(socket, expected.handlers, expected.take);
    });
  }

  /** Listens, and puts the agents into the user's settings. */
  static async open(): Promise<Connections> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    const program = join(projectFolder(), 'test', 'conformance', 'scriptedAgent.mjs');
    const plain = { command: process.execPath, args: [program, port] };
    await vscode.workspace.getConfiguration().update(
      'parley.agents',
      {
        [agentName]: plain,
        [configuredAgentName]: {
          command: process.execPath,
          args: [program, port, 'two words', '${workspaceFolder}'],
          env: { CONFORMANCE_TOKEN: secretValue },
          cwd: '/',
        },
        [instructedAgentName]: { ...plain, mcp: false, systemPrompt: { mode: 'override', text: 'Be brief.' } },
        [withoutFilesName]: { ...plain, clientCapabilities: { fs: false } },
        [withoutTerminalsName]: { ...plain, clientCapabilities: { fs: true, terminal: false } },
        [secondName]: { ...plain, protocolVersion: 'auto' },
        ...Object.fromEntries(
          [answersFirstName, refusesName, exitsName].map((name) => [
            name,
            { ...plain, args: [program, port, name], protocolVersion: 'auto' },
          ]),
        ),
        [missingAgentName]: { command: '/nowhere/conformance-agent' },
      },
      vscode.ConfigurationTarget.Global,
    );
    await vscode.extensions.getExtension('parley.parley-acp')?.activate();
    return new Connections(server);
  }

  /** The next process that reports; `handlers` say how it answers. */
  next(handlers: Readonly<Record<string, Handler>>): Promise<ScriptedAgent> {
    return new Promise((take) => this.waiting.push({ handlers, take }));
  }

  /** Forgets who waits: their case has ended. */
  forget(): void {
    this.waiting = [];
  }

  async close(): Promise<void> {
    this.server.close();
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update('parley.agents', undefined, vscode.ConfigurationTarget.Global);
  }
}

let opened: Connections | undefined;

/** The connections of this run. */
export function connections(): Connections {
  if (!opened) throw new Error('The run has not begun.');
  return opened;
}

/** Begins the run. */
export async function openConnections(): Promise<Connections> {
  opened = await Connections.open();
  return opened;
}
