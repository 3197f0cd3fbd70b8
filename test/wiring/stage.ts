// A window with the whole product, set as a row needs it, and what can be observed of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Session } from '../../src/session/session';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, ToWebview } from '../../src/shared/pages/messages';
import type { WireMessage } from '../unit-support/scriptedAgent';
import { FakePage, keptState, ProductWindow, type KeptState } from '../unit-support/productWindow';
import { removeFolder } from '../unit-support/tempFolder';
import { editor, Uri } from '../unit-support/vscode';
import { Desk } from './desk';
import { isOwnError } from './hostile';
import { playedAgent, programs } from './programs';
import { quiet } from './shortTimers';
import type { WiringAgent } from './wiringAgent';

/** The user's first message in each scene. */
export const typed = 'what the user typed';

/** What a window has before a row is played. */
export type Scene = 'untrusted' | 'empty' | 'idle' | 'working' | 'asking' | 'changed';

/** Kinds of lasting effects that nothing has which is refused. */
export type Harm = 'agents' | 'programs' | 'wire' | 'files' | 'settings' | 'secrets' | 'opened' | 'terminals';

type Harms = Readonly<Record<Harm, string>>;

export class Stage {
  readonly root: string;
  readonly project: string;
  readonly desk: Desk;
  readonly kept: KeptState;
  readonly window: ProductWindow;
  readonly page: FakePage;
  private readonly restored: (() => void)[] = [];
  private readonly muted = new Set<string>();
  private readonly seen = new WeakMap<FakePage, number>();
  private marked = { page: 0, executed: 0, shown: 0, opened: 0, made: 0, documents: 0, panels: 0 };

  private constructor(root: string, settings: Readonly<Record<string, unknown>>, isTrusted: boolean) {
    this.root = root;
    this.project = join(root, 'project');
    mkdirSync(join(this.project, '.vscode'), { recursive: true });
    writeFileSync(join(this.project, 'a.txt'), 'one\ntwo\nthree\n');
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'secret.txt'), 'secret');
    editor.reset();
    programs.reset();
    editor.isTrusted = isTrusted;
    editor.folders = [this.project];
    editor.settings = {
      'parley.agents': { Codex: playedAgent, Gemini: playedAgent },
      // The defaults of the manifest, which the editor knows.
      'parley.registry.url': 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json',
      'parley.keepAwake': 'never',
      ...settings,
    };
    this.desk = new Desk();
    this.kept = keptState(join(root, 'kept'));
    this.window = new ProductWindow(this.kept);
    this.page = this.window.openChat();
  }

  /** Opens a window with this scene. */
  static async open(
    scene: Scene,
    {
      settings = {},
      prepare,
    }: { settings?: Readonly<Record<string, unknown>>; prepare?: (agent: WiringAgent) => void } = {},
  ): Promise<Stage> {
    const stage = new Stage(mkdtempSync(join(tmpdir(), 'parley-wiring-')), settings, scene !== 'untrusted');
    if (prepare) programs.prepare = prepare;
    await quiet();
    if (scene === 'idle') await stage.sendFirst();
    if (scene === 'working' || scene === 'asking' || scene === 'changed') {
      const before = programs.prepare;
      programs.prepare = (agent) => {
        before(agent);
        agent.says = undefined;
      };
      await stage.sendFirst();
      if (scene === 'asking') await stage.ask();
      if (scene === 'changed') await stage.change();
    }
    stage.mark();
    return stage;
  }

  /** The session that was opened last. */
  get session(): Session {
    const session = this.window.pool.sessions.at(-1);
    assert.ok(session, 'there is no session');
    return session;
  }

  /** Its key. Where there is none, that of a session that no longer exists. */
  get key(): SessionKey {
    return this.window.pool.sessions.at(-1)?.key ?? ('session:gone' as SessionKey);
  }

  /** The agent that was started last. */
  get agent(): WiringAgent {
    const agent = programs.agents.at(-1);
    assert.ok(agent, 'no agent was started');
    return agent;
  }

  path(...names: readonly string[]): string {
    return join(this.project, ...names);
  }

  uri(...names: readonly string[]): string {
    return Uri.file(this.path(...names)).toString();
  }

  read(...names: readonly string[]): string {
    return readFileSync(this.path(...names), 'utf8');
  }

  /** Sends a message without a session, which opens one. */
  async send(text = typed): Promise<void> {
    this.page.say({ type: 'sendPrompt', session: '' as SessionKey, text });
    await quiet();
  }

  /** Sends the first message, which starts the agent. */
  private async sendFirst(): Promise<void> {
    this.page.say({ type: 'sendPrompt', session: '' as SessionKey, text: typed });
    await programs.agentStarted();
    await quiet();
  }

  /** The agent asks for a permission. */
  async ask(): Promise<void> {
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const toolCall = { toolCallId: 'c1', title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } };
    this.agent.ask('session/request_permission', { toolCall, options });
    await quiet();
  }

  /** The agent changes a file, and ends its turn. */
  async change(name = 'a.txt', content = 'one\n2\nthree\n'): Promise<void> {
    this.agent.update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'Edit',
      kind: 'edit',
      status: 'in_progress',
      locations: [{ path: this.path(name) }],
    });
    this.agent.ask('fs/write_text_file', { path: this.path(name), content });
    await quiet();
    this.agent.update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' });
    this.agent.endTurn();
    await quiet();
  }

  /** Forgets what was observed until now. */
  mark(): void {
    this.marked = {
      page: this.page.got.length,
      executed: editor.executed.length,
      shown: editor.shown.length,
      opened: editor.opened.length,
      made: editor.made.length,
      documents: this.desk.shownDocuments.length,
      panels: this.desk.panels.length,
    };
    for (const { webview } of this.desk.panels) this.seen.set(webview, webview.got.length);
    for (const agent of programs.agents) agent.heard.length = 0;
  }

  /** Runs a command as anyone can, and waits until nothing happens any more. Rejects if the command does. */
  async run(id: string, ...args: readonly unknown[]): Promise<void> {
    await this.settle(() => this.call(id, ...args));
  }

  /** Calls a command, which may last. */
  call(id: string, ...args: readonly unknown[]): unknown {
    if (this.muted.has(id)) return undefined;
    const command = editor.commands.get(id);
    assert.ok(command, `${id} isn’t registered`);
    return command(...args);
  }

  /** Does something, and waits until nothing happens any more. */
  async settle(act: () => unknown): Promise<void> {
    const failures: unknown[] = [];
    const attempt = async () => {
      await act();
    };
    // It may wait for a turn that the test ends. Who passes an object that throws gets that error back.
    void attempt().catch((error: unknown) => {
      if (!isOwnError(error)) failures.push(error);
    });
    await quiet();
    if (failures.length > 0) throw failures[0];
  }

  /** Says something to the host as the chat page does, and waits until nothing happens any more. */
  say(message: FromWebview): Promise<void> {
    return this.sayOn(this.page, message);
  }

  /** The same as another page. */
  async sayOn(page: FakePage, message: { readonly type: string }): Promise<void> {
    if (this.muted.has(message.type)) return;
    await this.settle(() => page.say(message as FromWebview));
  }

  /** From now on, the product gets this command or message no more. */
  mute(name: string): void {
    this.muted.add(name);
  }

  /** The messages that the page got since the mark. */
  get posted(): readonly ToWebview[] {
    return this.page.got.slice(this.marked.page);
  }

  /** The page got a message of this type, which is returned. */
  posts<Type extends ToWebview['type']>(type: Type): Extract<ToWebview, { readonly type: Type }> {
    const found = this.posted.findLast((message) => message.type === type);
    assert.ok(found, `the page got no ${type}: ${this.posted.map((message) => message.type).join(', ')}`);
    return found as Extract<ToWebview, { readonly type: Type }>;
  }

  /** The user was shown a message or a dialog with such words. */
  shows(words: RegExp): void {
    const told = editor.shown
      .slice(this.marked.shown)
      .map(({ kind, message, items }) => `${kind}: ${message} ${textOf(items)}`);
    assert.ok(
      told.some((text) => words.test(text)),
      `${String(words)} isn’t shown: ${told.join('\n') || 'nothing is'}`,
    );
  }

  /** The editor was asked to run a command, whose arguments are returned. */
  executes(id: string): readonly unknown[] {
    const all = editor.executed.slice(this.marked.executed);
    const found = all.findLast((one) => one.id === id);
    assert.ok(found, `${id} isn’t run: ${all.map((one) => one.id).join(', ')}`);
    return found.args;
  }

  /** A part of the editor was used, whose arguments are returned. */
  uses(what: string): readonly unknown[] {
    const all = editor.made.slice(this.marked.made);
    const found = all.findLast((one) => one.what === what);
    assert.ok(found, `${what} isn’t used: ${all.map((one) => one.what).join(', ')}`);
    return found.args;
  }

  /** The text of a file that the user saved. */
  saved(name: string): string {
    assert.ok(existsSync(join(this.root, name)), `${name} isn’t saved`);
    return readFileSync(join(this.root, name), 'utf8');
  }

  /** The messages that a page of its own got since the mark. */
  since(viewType: string): readonly Readonly<Record<string, unknown>>[] {
    const page = this.desk.panel(viewType)?.webview;
    const got = (page?.got ?? []) as unknown as readonly Readonly<Record<string, unknown>>[];
    return got.slice(page ? (this.seen.get(page) ?? 0) : 0);
  }

  /** The page of this kind, loaded. Where it isn't opened, a page that nobody listens to. */
  async ready(viewType: string): Promise<FakePage> {
    const page = this.desk.panel(viewType)?.webview;
    if (!page) return new FakePage();
    await this.settle(() => page.say({ type: 'ready' } as never));
    return page;
  }

  /** A text is shown in an editor; paths are those of the project. */
  get documents(): readonly string[] {
    return this.desk.shownDocuments.slice(this.marked.documents).map((path) => relative(this.project, path));
  }

  /** A page of this kind was opened. */
  opensPage(viewType: string): FakePage {
    const found = this.desk.panels.slice(this.marked.panels).findLast((panel) => panel.viewType === viewType);
    assert.ok(found, `no ${viewType} is opened`);
    return found.webview;
  }

  /** The agent got a message of this method, whose parameters are returned. */
  hears(method: string, agent = this.agent): Readonly<Record<string, unknown>> {
    const found = agent.got(method).at(-1);
    assert.ok(found, `the agent got no ${method}: ${agent.heard.map((one) => methodOf(one)).join(', ')}`);
    return found['params'] as Readonly<Record<string, unknown>>;
  }

  /** Everything that lasts, or that reaches others. */
  harms(): Harms {
    return {
      agents: String(programs.agents.length),
      programs: programs.others.map(({ command, args }) => [command, ...args].join(' ')).join('\n'),
      wire: programs.agents.map(({ heard }) => heard.map((one) => methodOf(one)).join(' ')).join('\n'),
      files: [
        filesIn(this.project),
        filesIn(join(this.root, 'outside')),
        filesIn(join(this.kept.global, 'prompts')),
      ].join('\n'),
      settings: JSON.stringify(editor.settings),
      secrets: [...this.kept.secrets.keys()].join('\n'),
      opened: editor.opened.join('\n'),
      terminals: String(editor.made.filter(({ what }) => /createTerminal|executeTask/.test(what)).length),
    };
  }

  /** Nothing of this happened since. */
  unharmed(before: Harms, except: readonly Harm[] = []): void {
    const now = this.harms();
    for (const kind of Object.keys(now) as Harm[]) {
      if (!except.includes(kind)) assert.equal(now[kind], before[kind], `${kind} changed`);
    }
  }

  /** Notes the calls of a method in its place, of a part that only another environment has. */
  notesCalls(owner: object, name: string): readonly (readonly unknown[])[] {
    const calls: (readonly unknown[])[] = [];
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, {
      configurable: true,
      value: (...args: readonly unknown[]) => void calls.push(args),
    });
    this.restoreLater(owner, name, before);
    return calls;
  }

  /** Gives a part of the product that only another environment has. */
  givesPart(owner: object, name: string, part: unknown): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, get: () => part });
    this.restoreLater(owner, name, before);
  }

  private restoreLater(owner: object, name: string, before: PropertyDescriptor | undefined): void {
    this.restored.push(() => {
      if (before) Object.defineProperty(owner, name, before);
      else Reflect.deleteProperty(owner, name);
    });
  }

  async close(): Promise<void> {
    const { problems } = this.desk;
    for (const restore of this.restored) restore();
    await this.window.stop();
    await quiet();
    editor.forgetListeners();
    await removeFolder(this.root);
    assert.deepEqual(problems, []);
  }
}

/** The method of a message; an answer has none. */
const methodOf = ({ method }: WireMessage): string => (typeof method === 'string' ? method : 'answer');

function textOf(items: readonly unknown[]): string {
  return JSON.stringify(items, (_key, value: unknown) =>
    typeof value === 'object' && value instanceof Uri ? value.toString() : value,
  );
}

function filesIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git/') && statSync(join(folder, name)).isFile())
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .join('\n');
}
