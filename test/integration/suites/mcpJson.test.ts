import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../../src/agent/spec/agentSpec';
import { McpServers, type McpServersOptions } from '../../../src/host/mcp/mcpServers';
import { Settings } from '../../../src/host/settings/settings';
import type { ClientQuestion } from '../../../src/session/services';
import type { AgentId } from '../../../src/shared/values/ids';
import { suite, test, type TestContext } from '../api';
import { removeFolder } from '../filesSupport';
import { until } from '../poll';

const spec: AgentSpec = {
  id: 'settings:A' as AgentId,
  name: 'A',
  command: 'a',
  args: [],
  env: {},
  source: 'settings',
};
const never = new AbortController().signal;
const file = (servers: object, inputs: readonly object[] = []) => JSON.stringify({ servers, inputs });

class Memory implements vscode.Memento {
  private readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get(key: string): undefined {
    return this.values.get(key) as undefined;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

class Secrets implements vscode.SecretStorage {
  readonly values = new Map<string, string>();
  readonly onDidChange = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event;

  keys(): Promise<string[]> {
    return Promise.resolve([...this.values.keys()]);
  }

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.values.delete(key);
    return Promise.resolve();
  }
}

/** Creates a user with two folders and an `mcp.json`, who gives the configured answers. */
async function user(context: TestContext) {
  const home = await mkdtemp(join(tmpdir(), 'parley-mcp-'));
  const folders = [join(home, 'a'), join(home, 'b')];
  for (const folder of folders) await mkdir(join(folder, '.vscode'), { recursive: true });
  await mkdir(join(home, 'User', 'globalStorage', 'parley'), { recursive: true });
  const programs = [join(home, 'first.exe'), join(home, 'second.exe')] as const;
  for (const program of programs) await writeFile(program, '', { mode: 0o755 });
  const secrets = new Secrets();
  const settings = new Settings(new Memory());
  context.after(() => settings.dispose());
  const options: McpServersOptions = {
    settings,
    memory: new Memory(),
    secrets,
    globalStorage: vscode.Uri.file(join(home, 'User', 'globalStorage', 'parley')),
    environment: () => Promise.resolve({ env: {} }),
  };
  const asked: string[] = [];
  const answers: (string | undefined)[] = [];
  const window = vscode.window as unknown as Record<string, unknown>;
  const shows = ['showInputBox', 'showQuickPick'] as const;
  const before = shows.map((name) => window[name]);
  const answer = (words: string) => {
    asked.push(programs.reduce((text, program) => text.replaceAll(program, basename(program, '.exe')), words));
    return Promise.resolve(answers.shift());
  };
  window['showInputBox'] = ({ prompt, password }: vscode.InputBoxOptions) =>
    answer(`${prompt ?? ''}${password ? ' (hidden)' : ''}`);
  context.after(async () => {
    shows.forEach((name, index) => (window[name] = before[index]));
    await removeFolder(home);
  });
  const questions: ClientQuestion[] = [];
  // Like the chat, answers with the option of this name.
  const ask = async (question: ClientQuestion) => {
    questions.push(question);
    const name = await answer(`${question.asks?.question ?? ''}\n${question.asks?.text ?? ''}`);
    return question.options.find((option) => option.name === name)?.optionId;
  };
  const mcp = new McpServers(options);
  const names = async (agent = spec, one = mcp) => {
    const { servers, skipped } = await one.get(
      agent,
      { mcpStdio: true, mcpHttp: false, mcpSse: false },
      folders,
      ask,
      never,
    );
    return [...servers, ...skipped.map(({ name, reason }) => ({ name: `${name}: ${reason}` }))].map(({ name }) => name);
  };
  return {
    asked,
    answers,
    questions,
    mcp,
    secrets,
    names,
    options,
    folders,
    first: { command: programs[0] },
    second: { command: programs[1] },
    write: (folder: 0 | 1, text: string) => writeFile(join(folders[folder]!, '.vscode', 'mcp.json'), text),
    writeOwn: (text: string) => writeFile(join(home, 'User', 'mcp.json'), text),
  };
}

suite('servers of mcp.json', () => {
  test('asks once about all files, and again when their servers change', async (context) => {
    const { asked, answers, names, write, writeOwn, options, folders, first, second } = await user(context);
    assert.deepEqual(await names(), [], 'Nothing is named, so nothing is asked.');
    await write(0, file({ near: first }));
    await write(1, file({ near: first, second: { ...first, args: ['-c', 'x'.repeat(200)] } }));
    await writeOwn(file({ own: first, web: { type: 'http', url: 'https://mcp.example' } }));
    answers.push('Allow');
    const web = 'web: the agent doesn’t support http servers';
    const other = (await names()).find((name) => name.startsWith('near ('));
    assert.match(other ?? '', /defines another server with this name$/);
    assert.deepEqual(asked.length, 1);
    assert.match(asked[0]!, /^Let agents use these MCP servers from mcp\.json\?\nnear \(.*\)\nCommand: first\n/);
    assert.match(asked[0]!, /second \(.*\)\nCommand: first -c x{200}\n[^]*own \([^]*URL: https:\/\/mcp\.example\n/);
    // The answer also applies in another window.
    // On Windows, no shell can start a server in a folder that isn't the session's.
    const isSkipped = process.platform === 'win32';
    const far = isSkipped ? `second: the protocol can’t set its folder, ${folders[1]}` : 'second';
    assert.deepEqual((await names(spec, new McpServers(options))).sort(), ['near', far, 'own', other, web].sort());
    assert.equal(asked.length, 1);
    await write(0, file({ near: second }));
    answers.push('Don’t allow');
    const left = [far, 'own', web].sort();
    const withoutOther = async () => (await names()).filter((name) => !name.startsWith('near (')).sort();
    assert.deepEqual(await withoutOther(), left);
    assert.match(asked[1]!, /this MCP server from mcp\.json\?\nnear \(.*\)\nCommand: second$/);
    assert.deepEqual(await withoutOther(), left);
    assert.equal(asked.length, 2, 'A refusal stands for what was refused.');
    await write(0, file({ near: { ...second, env: { NODE_OPTIONS: '--require ./x.js' } } }));
    answers.push('Don’t allow');
    assert.deepEqual(await withoutOther(), left);
    assert.match(asked[2]!, /Environment variable: NODE_OPTIONS=--require \.\/x\.js$/);
  });

  test('a withdrawn question skips the servers and is asked again', async (context) => {
    const { asked, answers, questions, names, write, first } = await user(context);
    await write(0, file({ near: first }));
    answers.push(undefined, 'Allow');
    assert.deepEqual(await names(), ['near: not approved yet; new sessions will ask again']);
    assert.deepEqual(await names(), ['near']);
    assert.equal(asked.length, 2);
    questions[0]?.look?.show();
    await until(() => vscode.window.activeTextEditor?.document.fileName.endsWith('mcp.json') === true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('an agent gets only the servers its settings list, without other questions', async (context) => {
    const { asked, answers, names, write, first } = await user(context);
    await write(0, file({ one: first, two: first }));
    assert.deepEqual(await names({ ...spec, mcp: false }), []);
    assert.deepEqual(await names({ ...spec, mcp: ['three'] }), []);
    assert.deepEqual(asked, []);
    answers.push('Allow');
    assert.deepEqual(await names({ ...spec, mcp: ['two'] }), ['two']);
    assert.doesNotMatch(asked[0]!, /^one/m);
  });

  test('stores an input as a secret until the user resets it', async (context) => {
    const { asked, answers, names, mcp, secrets, write, first } = await user(context);
    const inputs = [{ type: 'promptString', id: 'key', description: 'The key', password: true }];
    await write(0, file({ near: { ...first, env: { KEY: '${input:key}' } } }, inputs));
    answers.push('Allow', undefined);
    assert.deepEqual(await names(), ['near: no value was entered for “key”']);
    answers.push('open sesame');
    // Two sessions at the same time ask one question.
    assert.deepEqual(await Promise.all([names(), names()]), [['near'], ['near']]);
    assert.deepEqual(asked.slice(1), ['The key (hidden)', 'The key (hidden)']);
    assert.deepEqual([...secrets.values.values()], ['open sesame']);
    assert.doesNotMatch([...secrets.values.keys()].join(), /key|mcp\.json/);
    await mcp.forgetAnswers();
    assert.equal(secrets.values.size, 0);
    answers.push('Allow', 'again');
    assert.deepEqual(await names(), ['near']);
    assert.equal(asked.length, 5);
  });

  test('a value entered for a server is not used for its namesake', async (context) => {
    const { asked, answers, names, write, first } = await user(context);
    const server = (env: object) => file({ near: { ...first, env: { KEY: '${input:key}', ...env } } }, [{ id: 'key' }]);
    await write(0, server({}));
    answers.push('Allow', 'sesame', 'Allow', 'other');
    assert.deepEqual(await names(), ['near']);
    await write(0, server({ BASE_URL: 'https://evil.example' }));
    assert.deepEqual(await names(), ['near']);
    assert.deepEqual(asked.filter((words) => words === 'key').length, 2);
  });

  test('an input applies to its session if secrets cannot be stored', async (context) => {
    const { answers, names, secrets, write, first } = await user(context);
    const refuse = (): Promise<never> => Promise.reject(new Error('There is no keyring.'));
    Object.assign(secrets, { get: refuse, store: refuse });
    await write(0, file({ near: { ...first, args: ['${input:key}'] } }, [{ id: 'key' }]));
    answers.push('Allow', 'sesame');
    assert.deepEqual(await names(), ['near']);
  });

  test('reports a damaged file by name and uses the others', async (context) => {
    const { answers, names, write, writeOwn, first } = await user(context);
    await write(0, '{ "servers": ');
    await writeOwn(`// mine\n${file({ own: first })}`);
    answers.push('Allow');
    const [own, damaged, ...more] = await names();
    assert.deepEqual([own, more], ['own', []]);
    assert.match(damaged ?? '', /mcp\.json: couldn’t be read/);
  });

  test('the setting decides without a question', async (context) => {
    const { asked, names, write, first } = await user(context);
    await write(0, file({ near: first }));
    const configuration = vscode.workspace.getConfiguration();
    const set = (value?: string) =>
      configuration.update('parley.mcp.useMcpJson', value, vscode.ConfigurationTarget.Global);
    context.after(() => set());
    await set('never');
    assert.deepEqual(await names(), []);
    await set('always');
    assert.deepEqual(await names(), ['near']);
    assert.deepEqual(asked, []);
  });
});
