// The gates of the product, each asked in the product itself: `mutations.mjs` lists what they are made of, and `npm run test:gates`
// takes each away and looks whether a test here fails.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { LaunchResolver } from '../../src/host/agents/launchResolver';
import { toolCallSubject } from '../../src/acp/v1/permission';
import { openLink } from '../../src/host/chat/editorActions';
import { FileBridge } from '../../src/host/files/fileBridge';
import type { SecretStorage } from 'vscode';
import { AgentInputs } from '../../src/host/agents/agentInputs';
import type { Log } from '../../src/host/log/log';
import { UserPermissionRules } from '../../src/host/permissions/permissionRules';
import { RuleAnswers } from '../../src/host/permissions/ruleAnswers';
import { RuleBook } from '../../src/host/permissions/ruleBook';
import { Settings } from '../../src/host/settings/settings';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import type { ClientContext } from '../../src/session/services';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview } from '../../src/shared/pages/messages';
import { AskedInputs } from '../unit-support/askedInputs';
import { mementoOf } from '../unit-support/memento';
import { keptState, ProductWindow } from '../unit-support/productWindow';
import { asks, isDone, isReady, lives, PoolHarness, text, until } from '../unit-support/poolHarness';
import { editor } from '../unit-support/vscode';

const folder = mkdtempSync(join(tmpdir(), 'parley-gates-'));
const project = join(folder, 'project');
mkdirSync(project);
after(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  editor.reset();
  editor.folders = [project];
});

const inputs = new AgentInputs({} as SecretStorage, () => '');
const log = { info: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Log;
const agents = new PoolHarness();
const settings = new Settings({ get: () => undefined, update: () => Promise.resolve() });

const never = new AbortController().signal;
const context = (ask: ClientContext['ask'] = () => Promise.reject(new Error('asked'))): ClientContext => ({
  session: 's' as SessionKey,
  agentName: 'Codex',
  cwd: project,
  ask,
});

const spec = (script: object): AgentSpec => ({ ...agents.spec(script), source: 'settings' });
const setAgent = (script: object, env: Readonly<Record<string, string>> = {}) => {
  const { command, args } = agents.spec({});
  // In a file of its own: command lines are shown to the user.
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  editor.settings['parley.agents'] = { Codex: { command, args: [args[0], file], env } };
};

function everythingIn(place: string): string {
  const names = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

let made = 0;
const open: ProductWindow[] = [];
function openWindow(kept = keptState(join(folder, `kept-${(made += 1)}`))): ProductWindow {
  const window = new ProductWindow(kept);
  open.push(window);
  return window;
}
afterEach(async () => {
  for (const window of open.splice(0)) await window.stop();
});

void describe("a folder that isn't trusted", () => {
  void it('provides no program to start and no environment', async () => {
    const launches = new LaunchResolver(log, inputs);
    editor.isTrusted = false;
    await assert.rejects(launches.resolve(spec({}), project), { name: 'FailureError' });
    const remote = { ...spec({}), url: 'ws://127.0.0.1:1' };
    await assert.rejects(launches.resolve(remote, project), { name: 'FailureError' });
    await assert.rejects(launches.environment(), { name: 'FailureError' });
    editor.isTrusted = true;
    assert.equal((await launches.resolve({ ...spec({}), source: 'builtin' }, project)).command, process.execPath);
  });

  void it('denies agents access to its files', async () => {
    const files = new FileBridge({ outsideWorkspace: () => settings.get('files.outsideWorkspace') });
    const path = join(project, 'closed.txt');
    writeFileSync(path, 'before');
    editor.isTrusted = false;
    await assert.rejects(files.readTextFile(context(), { path }, never), /trusted/);
    await assert.rejects(files.writeTextFile(context(), { path, content: 'after' }, never), /trusted/);
    assert.equal(readFileSync(path, 'utf8'), 'before');
    editor.isTrusted = true;
    assert.equal(await files.readTextFile(context(), { path }, never), 'before');
    files.dispose();
  });

  void it('provides no rules that answer for the user', async () => {
    const memory = mementoOf();
    const policy = { takesEverything: true, takesAllowRules: true, rules: [] };
    const book = new RuleBook({ settings, memory, policy, log });
    const parser = { get: () => Promise.resolve(undefined) };
    const answers = new RuleAnswers(memory);
    const everything = { freedomOf: () => 'everything' as const };
    const rules = new UserPermissionRules({ log, book, everything, answers, parser, now: () => 1 });
    editor.settings['parley.permissions'] = [{ answer: 'allow_once', kind: 'fetch' }];
    const request = {
      session: 's',
      agentName: 'Codex',
      cwd: project,
      subject: toolCallSubject({ toolCallId: 'c1' }),
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' as const }],
      entry: {
        kind: 'tool_call',
        toolCallId: 'c1',
        title: 'https://example.com',
        toolKind: 'fetch',
        content: [],
        locations: [],
      },
    } as unknown as Parameters<typeof rules.answer>[0];
    editor.isTrusted = false;
    assert.equal((await rules.answer(request))?.option, undefined);
    editor.isTrusted = true;
    assert.equal((await rules.answer(request))?.option?.optionId, 'yes');
    editor.settings['parley.permissions'] = [];
    assert.equal((await rules.answer(request))?.option?.optionId, 'yes');
    book.dispose();
  });

  void it('starts no agent and runs no command', async () => {
    setAgent({});
    editor.isTrusted = false;
    const window = openWindow();
    const page = window.openChat();
    page.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'hello' });
    assert.equal(window.pool.sessions.length, 0);
    const create = window.terminals.create(
      context(),
      { command: process.execPath, args: ['-e', ''], env: {} },
      { onOutput: () => undefined, onExit: () => undefined },
    );
    await assert.rejects(create);
    assert.equal(await window.terminals.countRunning(), 0);
  });

  for (const command of [
    'parley.newSessionInWorktree',
    'parley.cleanUpWorktrees',
    'parley.tryWith',
    'parley.bringChanges',
    'parley.moveToWorktree',
    'parley.reviewWorktree',
    'parley.login',
  ]) {
    void it(`says so instead of running ${command}`, async () => {
      setAgent({});
      editor.isTrusted = false;
      openWindow();
      await editor.commands.get(command)?.();
      assert.deepEqual(
        editor.shown.map(({ kind, items }) => [kind, ...items]),
        [['warning', 'Manage Trust']],
      );
    });
  }
});

void describe('files outside the folders', () => {
  void it('are denied by the setting without a question', async () => {
    const files = new FileBridge({ outsideWorkspace: () => settings.get('files.outsideWorkspace') });
    const path = join(folder, 'outside.txt');
    writeFileSync(path, 'private');
    editor.settings['parley.files.outsideWorkspace'] = 'deny';
    await assert.rejects(files.readTextFile(context(), { path }, never), /settings deny access/);
    await assert.rejects(files.writeTextFile(context(), { path, content: '' }, never), /settings deny access/);
    assert.equal(readFileSync(path, 'utf8'), 'private');
    files.dispose();
  });

  void it('are read only after a question if nothing is set', async () => {
    const files = new FileBridge({ outsideWorkspace: () => settings.get('files.outsideWorkspace') });
    const path = join(folder, 'asked.txt');
    writeFileSync(path, 'private');
    await assert.rejects(files.readTextFile(context(), { path }, never), /asked/);
    files.dispose();
  });
});

void describe('a link of an agent', () => {
  for (const href of [
    'command:workbench.action.terminal.new',
    'file:///etc/passwd',
    'vscode://x/y',
    'javascript:1',
    'data:,x',
    'ssh://h',
  ]) {
    void it(`isn't opened as ${href}`, async () => {
      await openLink(href);
      assert.deepEqual(editor.opened, []);
      assert.equal(editor.shown.at(-1)?.kind, 'warning');
    });
  }

  void it('opens in the browser unchanged', async () => {
    await openLink('https://example.com/?a=%26b');
    assert.deepEqual(editor.opened, ['https://example.com/?a=%26b']);
  });

  void it('opens in the mail program only if the user agrees', async () => {
    await openLink('mailto:a@b.example');
    assert.deepEqual(editor.opened, []);
    editor.answers.push('Open Link');
    await openLink('mailto:a@b.example');
    assert.deepEqual(editor.opened, ['mailto:a@b.example']);
  });
});

void describe('a page', () => {
  void it('has a policy that allows only its own files', () => {
    const page = openWindow().openChat();
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(page.html)?.[1]
      ?.replaceAll('&#39;', "'");
    const nonce = /<script type="module" nonce="([^"]+)"/.exec(page.html)?.[1] ?? '';
    assert.ok(nonce.length >= 20);
    assert.deepEqual(policy?.split('; '), [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' ${page.cspSource}`,
      `style-src 'nonce-${nonce}' ${page.cspSource}`,
      `font-src ${page.cspSource}`,
      'worker-src blob:',
      `img-src ${page.cspSource} data: blob:`,
      'media-src data: blob:',
    ]);
    const roots = (page.options as { localResourceRoots: { path: string }[] }).localResourceRoots;
    assert.deepEqual(
      roots.map(({ path }) => path.endsWith('/dist/webview')),
      [true],
    );
  });

  void it('answers only for the session that it shows', async () => {
    const allow = { optionId: 'yes', name: 'Yes', kind: 'allow_once' };
    setAgent({
      turns: [
        {
          steps: [
            {
              request: 'session/request_permission',
              params: { toolCall: { toolCallId: 'c1', title: 'rm -rf x' }, options: [allow] },
            },
            { report: true },
          ],
        },
      ],
    });
    const window = openWindow();
    const first = window.openChat();
    first.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'go' });
    const asking = window.pool.sessions[0]!;
    await until(asking, asks);
    first.say({ type: 'newSession' });
    assert.notEqual(asking.key, window.pool.sessions.at(-1)!.key);
    const [request] = [...asking.transcript.entries.values()].flatMap((entry) =>
      entry.kind === 'tool_call' && entry.permission.state === 'asked' ? [entry.permission.request] : [],
    );
    assert.ok(request !== undefined);
    first.say({ type: 'answerPermission', session: asking.key, request, optionId: 'yes' });
    await new Promise(setImmediate);
    assert.equal(asks(asking), true, 'a page has answered for a session it does not show');
    first.say({ type: 'selectSession', session: asking.key });
    first.say({ type: 'answerPermission', session: asking.key, request, optionId: 'yes' });
    await until(asking, isDone);
    assert.match(text(asking), /yes/);
  });

  void it("does nothing for messages that aren't a chat page's", () => {
    setAgent({});
    const window = openWindow();
    const page = window.openChat();
    const foreign: unknown[] = [null, undefined, 'newSession', 7, [], {}, { type: 7 }, { type: ['newSession'] }];
    for (const type of ['', 'formatDisk', 'toString', 'constructor', '__proto__']) foreign.push({ type, session: '' });
    for (const message of foreign) page.say(message as FromWebview);
    assert.deepEqual(window.pool.sessions, []);
    page.say({ type: 'newSession' });
    assert.equal(window.pool.sessions.length, 1);
  });
});

void describe('allowing everything', () => {
  const isOn = () => editor.executed.findLast(({ args }) => args[0] === 'parley.allowsEverything')?.args[1];

  void it('ends with its session', async () => {
    setAgent({ turns: [{ steps: [{ say: 'hello' }] }] });
    const window = openWindow();
    const page = window.openChat();
    page.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'go' });
    const session = window.pool.sessions[0]!;
    await until(session, isDone);
    editor.answers.push('Allow Everything');
    page.say({ type: 'allowEverything', session: session.key, isOn: true });
    while (isOn() !== true) await new Promise(setImmediate);
    page.say({ type: 'closeSession', session: session.key });
    await new Promise(setImmediate);
    assert.deepEqual(window.pool.sessions, []);
    assert.equal(isOn(), false);
  });
});

void describe('a session for another one', () => {
  /** Opens a session that is held to more than others are by default. */
  const openHeld = () => {
    setAgent({});
    const window = openWindow();
    return { window, held: window.pool.createSession({ spec: spec({}), cwd: project, sandbox: 'filesAndNetwork' }) };
  };
  const sandboxOf = (window: ProductWindow) => window.pool.sessions.at(-1)?.transcript.view.sandbox;

  void it("that an agent starts isn't in a weaker sandbox", () => {
    const { window, held } = openHeld();
    window.asked.start(held.key, 'Codex', 'Look around.');
    assert.equal(window.pool.sessions.length, 2);
    assert.equal(sandboxOf(window), 'filesAndNetwork');
  });

  void it("that reviews it isn't in a weaker sandbox", async (t) => {
    const { window, held } = openHeld();
    const inputs = new AskedInputs(t);
    await window.review.beforeTurn(held.key);
    change(window, 'reviewed.txt', held.key);
    const review = () => editor.commands.get('parley.reviewWithAgent')?.(held.key);
    editor.isTrusted = false;
    const count = () => window.pool.sessions.length;
    await review();
    assert.equal(count(), 1);
    editor.isTrusted = true;
    inputs.pickOne('Codex');
    void review();
    while (count() === 1) await new Promise(setImmediate);
    assert.equal(sandboxOf(window), 'filesAndNetwork');
  });
});

void describe('a link from anywhere', () => {
  /** Follows a link to a draft with an agent, and looks at what has started after everything else was done. */
  async function follow(window: ProductWindow): Promise<number> {
    const { args } = editor.made.findLast(({ what }) => what === 'window.registerUriHandler')!;
    const [handler] = args as [{ handleUri(uri: { path: string; query: string }): unknown }];
    await handler.handleUri({ path: '/new', query: 'agent=Codex&prompt=hello' });
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    return window.pool.sessions.length;
  }

  void it('starts an agent that is new here only if the user agrees', async () => {
    setAgent({});
    const window = openWindow();
    assert.equal(await follow(window), 0);
    assert.match(editor.shown.at(-1)?.message ?? '', /A link asks to start Codex/);
    editor.answers.push('Start Codex');
    assert.equal(await follow(window), 1);
    editor.shown.length = 0;
    assert.equal(await follow(window), 2);
    assert.deepEqual(editor.shown, []);
  });

  void it("starts nothing in a folder that isn't trusted", async () => {
    setAgent({});
    editor.isTrusted = false;
    const window = openWindow();
    assert.equal(await follow(window), 0);
    assert.deepEqual(
      editor.shown.map(({ kind, items }) => [kind, ...items]),
      [['warning', 'Manage Trust']],
    );
  });
});

void describe('a secret', () => {
  const secret = 'correct-horse-battery-staple-9';

  void it("in an agent's environment never appears in logs or the chat", async () => {
    setAgent(
      {
        turns: [
          {
            steps: [{ stderr: `refused: ${secret}\n` }, { notify: '_trace', params: { note: `the key is ${secret}` } }],
            error: { code: -32603, message: `The key ${secret} was refused` },
          },
        ],
      },
      { ANTHROPIC_API_KEY: secret },
    );
    const window = openWindow();
    const page = window.openChat();
    page.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'go' });
    const session = window.pool.sessions[0]!;
    await until(session, (one) => text(one).includes('promptFailed'));
    assert.match(text(session), /The key \[redacted\] was refused/);
    const { traffic } = window.pool.traffic[0]!;
    assert.match(traffic.export(), /the key is \[redacted\]/);
    const places = { log: editor.logged.join('\n'), protocolLog: traffic.export(), page: JSON.stringify(page.got) };
    for (const [place, said] of Object.entries(places)) {
      const at = said.indexOf(secret);
      assert.equal(at === -1 ? '' : said.slice(Math.max(0, at - 100), at), '', `in the ${place}`);
    }
  });
});

void describe('the end of a window', () => {
  void it('ends every agent and command without a watchdog', async () => {
    setAgent({ turns: [{ steps: [{ waitForCancel: true }] }] });
    const window = openWindow();
    const page = window.openChat();
    page.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'go' });
    await until(window.pool.sessions[0]!, isReady);
    const pid = Number(/as process (\d+)/.exec(editor.logged.join('\n'))?.[1]);
    const exited: unknown[] = [];
    await window.terminals.create(
      context(),
      { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} },
      { onOutput: () => undefined, onExit: (exit) => void exited.push(exit) },
    );
    assert.equal(lives(pid), true);
    await window.stop();
    assert.equal(lives(pid), false);
    assert.equal(await window.terminals.countRunning(), 0);
  });

  void it('writes the conversation before anything else happens', async () => {
    setAgent({ turns: [{ steps: [{ say: 'an answer' }, { waitForCancel: true }] }] });
    const kept = keptState(join(folder, `kept-${(made += 1)}`));
    const window = openWindow(kept);
    await window.store.open();
    const page = window.openChat();
    page.say({ type: 'sendPrompt', session: '' as SessionKey, text: 'the last words' });
    const session = window.pool.sessions[0]!;
    await until(session, (one) => text(one).includes('an answer'));
    session.sendPrompt('typed at the very end');
    // The editor ends the host a moment after it asked, so no disk is waited for.
    const stopped = window.stop();
    await new Promise(setImmediate);
    const stored = everythingIn(join(kept.folder, 'storage', 'sessions'));
    assert.match(stored, /the last words/);
    assert.match(stored, /typed at the very end/);
    await stopped;
  });

  void it('writes the changes under review before anything else happens', async () => {
    const kept = keptState(join(folder, `kept-${(made += 1)}`));
    const window = openWindow(kept);
    await window.review.beforeTurn('s' as SessionKey);
    change(window, 'last.txt');
    const stopped = window.stop();
    await new Promise(setImmediate);
    assert.match(everythingIn(join(kept.folder, 'storage', 'review')), /last\.txt/);
    await stopped;
  });

  void it('writes the changes of agents that wrote until they exited', async () => {
    const kept = keptState(join(folder, `kept-${(made += 1)}`));
    const window = openWindow(kept);
    await window.review.beforeTurn('s' as SessionKey);
    const { pool } = window;
    const stopAll = pool.stopAll.bind(pool);
    pool.stopAll = async () => {
      await stopAll();
      change(window, 'late.txt');
    };
    await window.stop();
    assert.match(everythingIn(join(kept.folder, 'storage', 'review')), /late\.txt/);
  });
});

/** Records a change by an agent. */
function change(window: ProductWindow, name: string, session = 's' as SessionKey): void {
  const uri = `file://${join(project, name)}`;
  const { log } = window.review;
  log.track(uri, { kind: 'text', text: 'before' });
  log.agentEdit(uri, { kind: 'text', text: 'after' }, { kind: 'agent', agentName: 'A', session, turn: 1 });
}
