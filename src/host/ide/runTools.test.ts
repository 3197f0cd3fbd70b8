import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import * as vscode from 'vscode';
import { sourced } from '../../../test/unit-support/ruleAnswers';
import { loadParser } from '../../../test/unit-support/ruleRequests';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { ClientQuestion, Judgment, PermissionCase } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import { findRuling } from '../../rules/judge/findRuling';
import { placeRequest } from '../permissions/judge';
import { runTools } from './runTools';
import type { Language } from '../editor/languages';
import type { ToolCall, ToolRun, ToolServices } from './tool';

const folder = tempFolder({ after });
const own = join(folder, 'own.ts');
writeFileSync(own, 'one\ntwo\n');

let asked: ClientQuestion[] = [];
let answer: string | undefined;
let judgment: Judgment | undefined;
/** Rules as the settings have them, instead of a judgment. */
let ownRules: readonly object[] | undefined;

async function ruled(request: PermissionCase, rules: readonly object[]): Promise<Judgment | undefined> {
  const placed = await placeRequest(request, [folder], await loadParser());
  const option = findRuling(sourced(rules), placed, request.options)?.option;
  return option && { option, rule: '' };
}

async function call(name: keyof typeof runTools, args: object = {}, signal = new AbortController().signal) {
  const rules = { answer: (request: PermissionCase) => (ownRules ? ruled(request, ownRules) : judgment) };
  const services = { rules, now: () => 0 } as unknown as ToolServices;
  const context = {
    session: 's' as SessionKey,
    agentName: 'A',
    cwd: folder,
    ask: (question: ClientQuestion) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
  };
  const given: ToolCall = {
    context,
    folders: [],
    services,
    language: {} as Language,
    args: args as Readonly<Record<string, unknown>>,
    signal,
  };
  const run: ToolRun = runTools[name];
  return run(given);
}

beforeEach(() => {
  editor.reset();
  editor.folders = [folder];
  [asked, answer, judgment, ownRules] = [[], undefined, undefined, undefined];
  Object.assign(vscode.debug, { breakpoints: [], activeStackItem: undefined });
});

void describe('tasks', () => {
  const build = {
    name: 'build',
    source: 'Workspace',
    detail: 'make all',
    execution: new vscode.ShellExecution('rm -rf x'),
  };
  const lint = { name: 'lint', source: 'npm', execution: new vscode.ProcessExecution('npm', ['run', 'lint']) };
  let ended = 0;

  beforeEach(() => {
    ended = 0;
    Object.assign(vscode.tasks, {
      fetchTasks: () => Promise.resolve([build, lint]),
      executeTask: (task: object) => {
        const execution = { task, terminate: () => ended++ };
        setImmediate(() => editor.fire('tasks.onDidEndTaskProcess', { execution, exitCode: 3 }));
        return Promise.resolve(execution);
      },
    });
  });

  void it('are listed by the names that run them', async () => {
    const { text, data } = await call('listTasks');
    assert.equal(text, 'build (make all)\nnpm: lint');
    assert.deepEqual(data['tasks'], [
      { name: 'build', detail: 'make all' },
      { name: 'npm: lint', detail: '' },
    ]);
  });

  void it('run only after the user sees and allows the command', async () => {
    await assert.rejects(call('runTask', { name: 'build' }), /didn't respond/);
    answer = 'reject';
    await assert.rejects(call('runTask', { name: 'build' }), /The user rejected this/);
    answer = 'allow';
    assert.deepEqual(await call('runTask', { name: 'build' }), {
      text: 'The task exited with code 3.',
      data: { exitCode: 3 },
    });
    assert.equal(asked.at(-1)?.title, 'Run task build');
    assert.match(JSON.stringify(asked.at(-1)?.content), /rm -rf x\\nmake all/);
    await call('runTask', { name: 'npm: lint' });
    assert.match(JSON.stringify(asked.at(-1)?.content), /npm run lint/);
    await assert.rejects(call('runTask', { name: 'gone' }), /Use a name that listTasks returns/);
  });

  void it('are judged by the commands that run, whatever their names are', async () => {
    const shell = (name: string, command: string, options?: object) => ({
      name,
      source: 'Workspace',
      execution: new vscode.ShellExecution(command, options),
    });
    const all = [
      shell('npm test', 'rm -rf src && git push --force'),
      shell('lint', 'npm run lint'),
      shell('hidden', 'git -C . push'),
      shell('env', 'npm run lint', { env: { PATH: '.' } }),
      shell('shell', 'npm run lint', { executable: './evil' }),
      shell('args', 'npm run lint', { executable: '/bin/sh', shellArgs: ['-c', 'rm x'] }),
      shell('input', 'npm run ${input:x}'),
      { name: 'words', source: 'Workspace', execution: new vscode.ProcessExecution('npm', ['run', 'lint;rm x']) },
      { name: 'custom', source: 'Workspace', execution: {} },
      { name: 'group', source: 'Workspace' },
      shell('last', 'npm run lint'),
    ];
    editor.settings['tasks.tasks'] = [
      { label: 'group', dependsOn: ['lint', 'npm test'] },
      { label: 'last', dependsOn: 'hidden' },
    ];
    Object.assign(vscode.tasks, { fetchTasks: () => Promise.resolve(all) });
    const names = all.map(({ name }) => name);
    const outcomes = async (rules: readonly object[]) => {
      ownRules = rules;
      const found: Record<string, string> = {};
      for (const name of names) {
        await call('runTask', { name }).then(
          () => (found[name] = 'ran'),
          (error: unknown) => (found[name] = /rules don't allow/.test(String(error)) ? 'rejected' : 'asked'),
        );
      }
      return found;
    };
    const usual = Object.fromEntries(names.map((name) => [name, 'asked']));
    const allow = [
      { command: 'npm *', answer: 'allow_once' },
      { title: 'Run task *', answer: 'allow_once' },
    ];
    // The rules don't judge such a word for cmd.exe, where other quotes are needed.
    const words = process.platform === 'win32' ? 'asked' : 'ran';
    assert.deepEqual(await outcomes(allow), { ...usual, lint: 'ran', words });
    const reject = [
      ...allow,
      { command: '*rm -rf*', answer: 'reject_once' },
      { command: 'git push *', answer: 'reject_once' },
    ];
    assert.deepEqual(await outcomes(reject), {
      ...usual,
      'npm test': 'rejected',
      lint: 'ran',
      words,
      hidden: 'rejected',
      group: 'rejected',
      last: 'rejected',
    });
  });

  void it('stop when the call is cancelled', async () => {
    answer = 'allow';
    const cancel = new AbortController();
    Object.assign(vscode.tasks, {
      executeTask: (task: object) => {
        cancel.abort();
        return Promise.resolve({ task, terminate: () => ended++ });
      },
    });
    const { text } = await call('runTask', { name: 'npm: lint' }, cancel.signal);
    assert.equal(text, 'The task ended without an exit code.');
    assert.equal(ended, 1);
  });
});

void describe('the debugger', () => {
  const frames = [{ id: 7, name: 'main', line: 2, source: { path: own } }];
  const sent: unknown[] = [];
  const session = {
    customRequest: (command: string, args: object) => {
      sent.push([command, args]);
      const answers: Readonly<Record<string, object>> = {
        stackTrace: { stackFrames: frames },
        scopes: {
          scopes: [
            { variablesReference: 1, expensive: false },
            { variablesReference: 2, expensive: true },
          ],
        },
        variables: { variables: [{ name: 'count', value: '3' }] },
        evaluate: { result: '6' },
      };
      return Promise.resolve(answers[command]);
    },
  };

  void it("shows breakpoints in the session's folders and where a program stopped", async () => {
    const at = (path: string) => new vscode.Location(vscode.Uri.file(path), new vscode.Range(1, 0, 1, 0));
    const breakpoints = [
      new vscode.SourceBreakpoint(at(own), false),
      new vscode.SourceBreakpoint(at('/elsewhere/x.ts')),
    ];
    Object.assign(vscode.debug, { breakpoints });
    const { text } = await call('debugState');
    assert.equal(text, 'breakpoint own.ts:2 (disabled)\nNo program is stopped in the debugger.');
    Object.assign(vscode.debug, { activeStackItem: { session, threadId: 1, frameId: 7 } });
    const { data } = await call('debugState');
    assert.deepEqual(data, {
      breakpoints: [{ path: 'own.ts', line: 2, enabled: false, condition: '' }],
      isStopped: true,
      stack: [{ name: 'main', path: 'own.ts', line: 2 }],
      variables: [{ name: 'count', value: '3' }],
    });
  });

  void it('evaluates only expressions that the user allows', async () => {
    await assert.rejects(call('debugEvaluate', { expression: 'count * 2' }), /No program is stopped/);
    Object.assign(vscode.debug, { activeStackItem: { session, threadId: 1, frameId: 7 } });
    sent.length = 0;
    judgment = { option: { optionId: 'reject', name: 'Reject', kind: 'reject_once' }, rule: 'No' };
    await assert.rejects(call('debugEvaluate', { expression: 'count * 2' }), /permission rules don't allow this/);
    assert.deepEqual(sent, []);
    judgment = undefined;
    answer = 'allow';
    assert.equal((await call('debugEvaluate', { expression: 'count * 2' })).text, '6');
    assert.deepEqual(sent, [['evaluate', { expression: 'count * 2', frameId: 7, context: 'repl' }]]);
    assert.equal(asked.at(-1)?.title, 'Evaluate count * 2');
  });
});

void describe('tools of other extensions', () => {
  const invoked: unknown[] = [];

  beforeEach(() => {
    invoked.length = 0;
    const inputSchema = { type: 'object' };
    Object.assign(vscode.lm, {
      tools: [{ name: 'other_search', description: 'Searches.', inputSchema }],
      invokeTool: (name: string, options: { readonly input: object }) => {
        invoked.push([name, options.input]);
        return Promise.resolve({ content: [new vscode.LanguageModelTextPart('found'), { kind: 'other' }] });
      },
    });
  });

  void it('are listed, and run only after the user sees and allows them', async () => {
    assert.equal((await call('extensionTools')).text, 'other_search: Searches.\n{"type":"object"}');
    await assert.rejects(call('extensionTools', { name: 'gone' }), /without a name to list them/);
    const request = { name: 'other_search', input: { query: 'x' } };
    answer = 'reject';
    await assert.rejects(call('extensionTools', request), /The user rejected this/);
    assert.deepEqual(invoked, []);
    answer = 'allow';
    assert.equal((await call('extensionTools', request)).text, 'found');
    assert.deepEqual(invoked, [['other_search', { query: 'x' }]]);
    assert.match(JSON.stringify(asked.at(-1)?.content), /query/);
  });
});
