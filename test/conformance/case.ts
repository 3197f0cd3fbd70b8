import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Handler, Params, ScriptedAgent } from './agent';
import { agentName, connections } from './connections';
import { Editor } from './editor';
import { Page } from './page';
import type { WireLog } from './wireLog';
import type { Message } from './wireSchema';

export { until } from '../integration/poll';

/** How long an agent's process may live on after its last session, in milliseconds. */
const untilEnded = 8000;

/** What was on the wire in all cases so far. */
export const wholeWire: WireLog[] = [];

/** A turn as the agent plays it. */
export interface Turn {
  readonly agent: ScriptedAgent;
  readonly sessionId: string;
  readonly prompt: readonly Message[];
  /** Says a piece of the answer. */
  readonly say: (text: string) => void;
  readonly update: (update: Message) => void;
}

/** One case: the agents that it starts, the sessions in them, and their end. */
export class Case {
  readonly page = new Page();
  readonly editor = new Editor();
  readonly agents: ScriptedAgent[] = [];
  private sessions = 0;
  private readonly folders: string[] = [];
  private readonly changed = new Set<string>();

  /** Opens a session, which starts the agent; resolves when its process is there. `handlers` say how it answers. */
  async start(
    handlers: Readonly<Record<string, Handler>> = {},
    { agent = agentName, cwd = '' } = {},
  ): Promise<ScriptedAgent> {
    const connected = connections().next(handlers);
    this.sessions += 1;
    await vscode.commands.executeCommand('parley.newSession', { agent, ...(cwd === '' ? {} : { cwd }) });
    const started = await connected;
    this.agents.push(started);
    wholeWire.push(started.log);
    return started;
  }

  /** Opens a session and resolves when the agent has opened it, Parley knows, and the page shows it: what is typed goes there. */
  async open(
    handlers: Readonly<Record<string, Handler>> = {},
    { agent: name = agentName } = {},
  ): Promise<ScriptedAgent> {
    const agent = await this.start(handlers, { agent: name });
    await agent.call('session/new');
    await agent.catchUp();
    await this.page.sees({ role: 'feed' });
    return agent;
  }

  /** Notes that a session was opened by other means, so that the case closes it. */
  opened(): void {
    this.sessions += 1;
  }

  /** Opens one more session in an agent that runs. */
  async openAnother(agent: ScriptedAgent): Promise<void> {
    const count = agent.calls.filter((method) => method === 'session/new').length;
    this.sessions += 1;
    await vscode.commands.executeCommand('parley.newSession', { agent: agentName });
    await agent.call('session/new', count + 1);
    await agent.catchUp();
  }

  /** Opens a session as from the palette, where agent and folder are asked for. */
  async startFromPalette(handlers: Readonly<Record<string, Handler>>): Promise<ScriptedAgent> {
    this.sessions += 1;
    const next = this.nextAgent(handlers);
    await vscode.commands.executeCommand('parley.newSession');
    return next;
  }

  /** Deletes the session used last; a notice offers to bring it back. */
  async delete(): Promise<void> {
    this.sessions -= 1;
    await vscode.commands.executeCommand('parley.deleteSession');
  }

  /** Opens a session of an agent that does not come that far; resolves when the command has returned. */
  async openInVain(agent: string): Promise<void> {
    this.sessions += 1;
    await vscode.commands.executeCommand('parley.newSession', { agent });
  }

  /** Forks the session used last. */
  async fork(): Promise<void> {
    this.sessions += 1;
    await vscode.commands.executeCommand('parley.forkSession');
  }

  /** Opens the list of sessions, from which one is to be chosen. */
  async reopen(): Promise<void> {
    this.sessions += 1;
    await vscode.commands.executeCommand('parley.openSession');
  }

  /** Does something with a session in the list on the page, by its menu, and closes the list. */
  async actsInList(title: string, action: string): Promise<void> {
    await vscode.commands.executeCommand('parley.showSessions');
    // Rows under a pointer that rests stay where they are.
    await this.page.click({ role: 'searchbox', name: 'Search sessions' });
    await this.page.opensMenu({ role: 'option', hasText: title });
    await this.page.click({ role: 'menuitem', name: action, exact: true });
    await this.page.click({ role: 'button', name: 'Back', exact: true });
  }

  /** Takes the next process that Parley starts, for an agent that it starts anew. */
  nextAgent(handlers: Readonly<Record<string, Handler>> = {}): Promise<ScriptedAgent> {
    return connections()
      .next(handlers)
      .then((agent) => {
        this.agents.push(agent);
        wholeWire.push(agent.log);
        return agent;
      });
  }

  /** Sends a message in the session used last; resolves when that session has nothing to do any more. */
  async prompt(text: string): Promise<void> {
    await vscode.commands.executeCommand('parley.sendPrompt', text);
  }

  /** Plays a whole turn: the agent does `play` and ends with the stop reason that it returns, `end_turn` if none. */
  async turn(agent: ScriptedAgent, play: (turn: Turn) => unknown = () => undefined, text = 'go'): Promise<void> {
    const failed = new Promise<never>((_resolve, reject) => {
      agent.on('session/prompt', async (params) => {
        try {
          const stopReason = await play(turnOf(agent, params));
          return { stopReason: typeof stopReason === 'string' ? stopReason : 'end_turn' };
        } catch (error) {
          // The session may be busy for good, for example with a question that nobody answers any more.
          reject(error instanceof Error ? error : new Error(String(error)));
          return { stopReason: 'end_turn' };
        }
      });
    });
    await Promise.race([this.prompt(text), failed]);
  }

  /** Stops the turn of the session used last. */
  async cancel(): Promise<void> {
    await vscode.commands.executeCommand('parley.cancelTurn');
  }

  /** Closes the session used last. */
  async close(): Promise<void> {
    if (this.sessions === 0) return;
    this.sessions -= 1;
    await vscode.commands.executeCommand('parley.closeSession');
  }

  /** Absolute path of the workspace folder. */
  get workspace(): string {
    return vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  }

  /** A new folder in the workspace, removed at the end. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(this.workspace, 'case-'));
    this.folders.push(folder);
    return folder;
  }

  /** Changes a setting of the user's for this case. */
  async set(setting: string, value: unknown): Promise<void> {
    this.changed.add(setting);
    await vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
  }

  /** Fails when a message of Parley's was wrong. */
  check(): void {
    assert.deepEqual(
      this.agents.flatMap(({ log }) => log.faults),
      [],
    );
  }

  /** Closes every session, and waits for the end of their agents: one that has not ended would take the next session. */
  async closeAll(): Promise<void> {
    while (this.sessions > 0) await this.close();
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('The process of an agent outlives its sessions.')), untilEnded).unref();
    });
    await Promise.race([Promise.all(this.agents.map(({ ended }) => ended)), late]);
  }

  /** Closes every session of the case; fails when a process of the agent stays. */
  async end(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await this.closeAll().finally(() => {
      for (const agent of this.agents) agent.act({ exit: 0 });
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const setting of this.changed) await this.set(setting, undefined);
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
    this.check();
  }
}

function turnOf(agent: ScriptedAgent, params: Params): Turn {
  const sessionId = String(params['sessionId']);
  return {
    agent,
    sessionId,
    prompt: params['prompt'] as readonly Message[],
    say: (text) => agent.say(text, sessionId),
    update: (update) => agent.update(update, sessionId),
  };
}

/** Whether a process with this id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // That is the answer.
  }
}
