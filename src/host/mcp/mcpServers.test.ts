import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import type { Memento, SecretStorage } from 'vscode';
import { Uri } from 'vscode';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { McpServers } from './mcpServers';

test('ports of the user’s servers are told from those of a workspace', async (t) => {
  const root = tempFolder(t);
  const [project, storage] = [join(root, 'project'), join(root, 'User', 'globalStorage', 'parley')];
  const write = (path: string, servers: object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ servers }));
  };
  write(join(project, '.vscode', 'mcp.json'), { a: { url: 'http://127.0.0.1:2375/' } });
  write(join(root, 'User', 'mcp.json'), { b: { type: 'sse', url: 'http://localhost:3000/sse' } });
  const ofUser = { c: { url: 'http://[::1]:4000/mcp' }, d: { url: 'https://a.example' }, e: { command: 'node' } };
  const portsFor = (spec: Partial<AgentSpec>, useMcpJson: 'ask' | 'never') =>
    new McpServers({
      settings: {
        mcpServers: () => ({ ...ofUser, f: { url: 'http://127.0.0.1:5000' } }),
        mcpServersOfUser: ofUser,
        ...settingsWith({ 'mcp.useMcpJson': useMcpJson }),
      },
      memory: {} as Memento,
      secrets: {} as SecretStorage,
      globalStorage: Uri.file(storage),
      environment: () => Promise.resolve({ env: {} }),
    }).portsFor(spec as AgentSpec, [project]);
  assert.deepEqual(await portsFor({}, 'ask'), { ofUser: [4000, 3000], others: [5000, 2375] });
  assert.deepEqual(await portsFor({}, 'never'), { ofUser: [4000], others: [5000] });
  assert.deepEqual(await portsFor({ mcp: false }, 'ask'), { ofUser: [], others: [] });
});
