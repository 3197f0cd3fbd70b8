import * as vscode from 'vscode';

/** What happens when an agent touches a file outside its session's folders. */
export type OutsidePolicy = 'ask' | 'allow' | 'deny';

/** Value of `parley.agents` as the user wrote it, the same for the whole window; `parseAgents` makes sense of it. */
export function readAgentSettings(): unknown {
  return vscode.workspace.getConfiguration('parley').get<unknown>('agents');
}

/** Name of the agent a new session uses when the user does not choose; empty when there is no such wish. */
export function readDefaultAgent(): string {
  return vscode.workspace.getConfiguration('parley').get('defaultAgent', '');
}

export function readOutsidePolicy(): OutsidePolicy {
  const value = vscode.workspace.getConfiguration('parley').get<string>('files.outsideWorkspace');
  return value === 'allow' || value === 'deny' ? value : 'ask';
}

/** Fires when one of the settings that name agents changed. */
export function onDidChangeAgentSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('parley.agents') || event.affectsConfiguration('parley.defaultAgent')) listener();
  });
}

/** Address of the registry of agents. */
export function readRegistryUrl(): string {
  return vscode.workspace.getConfiguration('parley').get('registry.url', '').trim();
}

/** Value of `parley.mcpServers` as the user wrote it; `parseServers` makes sense of it. */
export function readMcpServers(scope: vscode.Uri): unknown {
  return vscode.workspace.getConfiguration('parley', scope).get<unknown>('mcpServers');
}

/** Whether agents are offered the servers of `mcp.json`. */
export function readUseMcpJson(): 'ask' | 'always' | 'never' {
  const value = vscode.workspace.getConfiguration('parley').get<string>('mcp.useMcpJson');
  return value === 'always' || value === 'never' ? value : 'ask';
}
