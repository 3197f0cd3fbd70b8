import { homedir, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { knownAgents, stateOf } from '../../sandbox/agents/knownAgents';

/** Where temporary files usually are, whatever the environment says. */
const temporary = process.platform === 'win32' ? [] : ['/tmp', '/var/tmp', '/dev/shm'];

/** Returns the folders in which agents write: no program of Parley's own is from there. `more` has worktrees, and what the user allows. */
export function writtenFolders(more: readonly string[]): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const states = knownAgents.flatMap((agent) => stateOf(agent, homedir(), process.env as Record<string, string>));
  return [...folders.map(({ uri }) => uri.fsPath), tmpdir(), ...temporary, ...states, ...more];
}
