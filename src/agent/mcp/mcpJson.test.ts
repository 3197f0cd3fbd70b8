import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnvFile } from './resolveServers';
import { parseJsonWithComments } from '../base/jsonc';
import { parseMcpJson } from './mcpJson';

test('accepts comments and trailing commas and keeps comment-like strings', () => {
  const text = `\uFEFF// a line
    { "url": "https://x//y", /* a "block" */ "list": [1, 2,], "odd": "a,]\\" // no", }`;
  assert.deepEqual(parseJsonWithComments(text), { url: 'https://x//y', list: [1, 2], odd: 'a,]" // no' });
  assert.throws(() => parseJsonWithComments('{ "a": '));
});

test("reads servers and inputs of an mcp.json and other editors' form", () => {
  const file = parseMcpJson(
    `{ "servers": { "one": { "type": "stdio", "command": "one", "envFile": "\${workspaceFolder}/.env" } },
       "inputs": [
         { "type": "promptString", "id": "key", "description": "The key", "password": true },
         { "type": "pickString", "id": "level", "options": ["low", { "label": "High", "value": "high" }], "default": "high" },
         { "type": "command", "id": "cmd", "command": "x" }, { "id": 7 }, "text"
       ] }`,
    '.vscode/mcp.json',
    '/w',
  );
  const transport = { type: 'stdio', command: 'one', args: [], env: {}, envFile: '${workspaceFolder}/.env' };
  assert.deepEqual(file.servers, [{ name: 'one', origin: '.vscode/mcp.json', folder: '/w', transport }]);
  assert.deepEqual(file.inputs, [
    { id: 'key', description: 'The key', password: true, value: '', options: [] },
    {
      id: 'level',
      description: '',
      password: false,
      value: 'high',
      options: [
        { label: 'low', value: 'low' },
        { label: 'High', value: 'high' },
      ],
    },
  ]);
  const other = parseMcpJson('{ "mcpServers": { "two": { "url": "https://two.example" } } }', 'x');
  assert.deepEqual(other.servers[0]?.transport, { type: 'http', url: 'https://two.example', headers: {} });
  assert.deepEqual(parseMcpJson('[]', 'x'), { servers: [], skipped: [], inputs: [] });
});

test('an environment file may have comments, quotes, and exports', () => {
  const text = '# no\nA=1\r\nexport B = "two words\\n" # why\nC=\'as $it is\'\nD=x # why\nE=\nnot a line\nF=a=b';
  assert.deepEqual(parseEnvFile(text), { A: '1', B: 'two words\n', C: 'as $it is', D: 'x', E: '', F: 'a=b' });
});
