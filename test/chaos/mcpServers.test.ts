// Definitions of MCP servers that are wrong, one way each. The user reads what is left out and why, the other servers are there, and
// the session goes on.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { all, text, until } from '../unit-support/poolHarness';
import { editor } from '../unit-support/vscode';
import { goesOn, isAnswered, ProductChaos, send, words } from './productChaos';

const chaos = new ProductChaos();
const good = { command: process.execPath, args: ['--version'] };

/** What a server of the settings is, and what the user reads of it. */
const wrong: Readonly<Record<string, readonly [definition: unknown, told: RegExp]>> = {
  'is a number': [7, /bad/],
  'is null': [null, /bad/],
  'is a list': [['node'], /bad/],
  'is empty': [{}, /bad/],
  'has an empty command': [{ command: '' }, /missing command/],
  'has a command that is a list': [{ command: ['node'] }, /bad/],
  'has a command that is missing': [{ command: 'no-such-program-anywhere' }, /wasn’t found/],
  'has arguments that are a text': [{ command: 'node', args: '--flag' }, /args/],
  'has arguments that are lists': [{ command: 'node', args: [['--flag']] }, /args/],
  'has an environment that is a list': [{ command: 'node', env: ['A=1'] }, /env/],
  'has a variable that is an object': [{ command: 'node', env: { A: {} } }, /env/],
  'has a type that nobody knows': [{ type: 'carrier-pigeon', command: 'node' }, /type/],
  'has an address that is none': [{ type: 'http', url: 'not an address' }, /bad/],
  'has an address of a file': [{ type: 'http', url: 'file:///etc/passwd' }, /bad/],
  'has headers that are a list': [{ type: 'http', url: 'https://a.example', headers: ['X: 1'] }, /bad/],
  'needs a transport that the agent lacks': [{ type: 'sse', url: 'https://a.example' }, /sse/],
  'needs a file of variables that is missing': [
    { command: 'node', envFile: '/nowhere/.env' },
    /couldn’t read its environment file/,
  ],
  'uses a variable without a meaning': [{ command: 'node', args: ['${nonsense:x}'] }, /can’t be resolved/],
};

/** The names of the servers that the agent was given. */
function given(window: ReturnType<typeof chaos.window>['window']): readonly string[] {
  const [log] = window.pool.traffic;
  const opened = log?.traffic
    .entries()
    .find(({ message }) => (message as { method?: string }).method === 'session/new');
  const { mcpServers } = (opened?.message as { params: { mcpServers: readonly { name: string }[] } }).params;
  return mcpServers.map(({ name }) => name);
}

void describe('a definition of an MCP server', () => {
  for (const [how, [definition, told]] of Object.entries(wrong)) {
    void it(`that ${how} is skipped with a notice`, async () => {
      editor.settings['parley.mcpServers'] = { bad: definition, good };
      const { window, page } = chaos.window();
      const session = send(window, page);
      await until(session, isAnswered);
      assert.deepEqual(given(window), ['good']);
      const notices = all(session, 'notice').map((notice) => JSON.stringify(notice));
      assert.match(notices.join('\n'), told);
      await goesOn(session);
    });
  }

  void it('whose name is a command link runs nothing', async () => {
    const name = '[Open the log](command:workbench.action.terminal.new)';
    editor.settings['parley.mcpServers'] = { [name]: {}, good };
    const { window, page } = chaos.window();
    const session = send(window, page);
    await until(session, isAnswered);
    assert.deepEqual(given(window), ['good']);
    assert.equal(text(session).includes('\u202e'), false);
    assert.deepEqual(
      editor.executed.filter(({ id }) => id.startsWith('workbench.action.terminal')),
      [],
    );
    await goesOn(session);
  });
});

void describe('a file of MCP servers', () => {
  for (const [how, content] of Object.entries({
    'is not JSON': '{ "servers": {',
    'is a list': '[]',
    'is a number': '7',
    'is empty': '',
    'has servers that are a text': '{ "servers": "all" }',
    'is binary': '\u0000\u0001\u0002',
  })) {
    void it(`that ${how} breaks no session`, async () => {
      mkdirSync(join(chaos.project, '.vscode'));
      writeFileSync(join(chaos.project, '.vscode', 'mcp.json'), content);
      editor.settings['parley.mcpServers'] = { good };
      const { window, page } = chaos.window();
      const session = send(window, page);
      await until(session, isAnswered);
      assert.deepEqual(given(window), ['good']);
      assert.ok(text(session).includes(words));
      await goesOn(session);
    });
  }
});
