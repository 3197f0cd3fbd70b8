// Real agents in the whole product in plain Node: their models are scripted, and the editor is played by the test.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import type { TestContext } from 'node:test';
import type { Session } from '../../src/session/session';
import type { AgentSettings } from '../e2e/harness';
import type { AgentId, RequestKey } from '../../src/shared/values/ids';
import type { ToolCallEntry } from '../../src/shared/transcript/transcript';
import { FakeDocuments } from '../unit-support/fakeDocuments';
import { all, asks, isDone, isReady, text, until } from '../unit-support/poolHarness';
import { keptState, ProductWindow, type FakePage } from '../unit-support/productWindow';
import { buildKeeper } from '../unit-support/sandbox';
import { tempFolder } from '../unit-support/tempFolder';
import { editor, type Uri } from '../unit-support/vscode';
import { recipes } from './agentRecipes.mjs';
import { agentSetting, installAgent } from './installAgent.mjs';
import { startModelServer, type ModelRequest, type ModelStep } from './modelServer.mjs';
import { nameIn, settingIn, settingsIn, type Way } from './support';

export type AgentName = keyof typeof recipes;

/** How long an agent may take to start and get to its next question. */
const patienceMs = 90_000;

const approval = { outcome: 'allow', risk_level: 'low', user_authorization: 'high', rationale: 'You asked for it.' };

/** A window with real agents, whose models follow scripts. */
export class ProductAgents {
  readonly project: string;
  readonly documents = new FakeDocuments();
  private readonly homes: string;
  private readonly keptFolder: string;
  private readonly agents: Record<string, AgentSettings[string]> = {};
  private opened: { readonly window: ProductWindow; readonly page: FakePage } | undefined;

  private constructor(root: string) {
    this.project = join(root, 'project');
    this.homes = join(root, 'homes');
    this.keptFolder = join(root, 'kept');
    mkdirSync(this.project);
  }

  /** Makes a folder with these files. What the test has opened is closed at its end. */
  static create(context: TestContext, files: Readonly<Record<string, string>>): ProductAgents {
    editor.reset();
    let remove: () => Promise<void> = () => Promise.resolve();
    const desk = new ProductAgents(tempFolder({ after: (end) => (remove = end) }));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(desk.project, name)), { recursive: true });
      writeFileSync(join(desk.project, name), content);
    }
    editor.folders = [desk.project];
    // The editor's documents follow what agents write by themselves.
    const watcher = watch(desk.project, () => desk.documents.all.forEach((document) => document.follow()));
    context.after(async () => {
      watcher.close();
      await desk.opened?.window.stop();
      desk.documents.dispose();
      editor.reset();
      await remove();
    });
    return desk;
  }

  /** Adds an agent whose model follows this script; resolves to what the model was asked. */
  async add(
    context: TestContext,
    key: AgentName,
    script: (request: ModelRequest, body: string) => ModelStep,
    way: Way = 1,
  ) {
    const model = await startModelServer((request, body) => {
      // In its usual mode, Codex asks its model whether to allow a call.
      if (request.prompt.includes('APPROVAL REQUEST')) return { text: JSON.stringify(approval) };
      // Qwen also looks for something to remember, with tools that only read, and Claude for what the user may want next.
      const canRun = request.tools.some((name) => /^(bash|exec_command|run_shell_command)$/i.test(name));
      return canRun && !request.prompt.startsWith('[SUGGESTION MODE') ? script(request, body) : { text: 'Nothing.' };
    });
    context.after(() => model.close());
    const recipe = recipes[key];
    const home = join(this.homes, key);
    mkdirSync(home, { recursive: true });
    await recipe.prepare?.(home, model.url);
    const folder = await installAgent(recipe);
    const setting = agentSetting(recipe, { folder, node: execPath, home, modelUrl: model.url });
    const own = { ...setting, env: { PATH: env['PATH'] ?? '', ...setting.env } };
    this.agents[nameIn(way, recipe.name)] = settingIn(way, own, model.url);
    Object.assign(editor.settings, settingsIn(way));
    if (way === 'held') await buildKeeper(join(this.keptFolder, 'extension', 'dist'));
    return model.seen;
  }

  /** Opens a session of the first agent, or of this one, in a mode in which the user decides. */
  async open(key?: AgentName, mode?: string): Promise<Session> {
    const { window, page } = this.window();
    if (key === undefined) page.say({ type: 'newSession' });
    else page.say({ type: 'startAgent', agent: `settings:${recipes[key].name}` as AgentId });
    const session = window.pool.sessions.at(-1) ?? assert.fail('no session');
    await until(session, isReady, patienceMs);
    await asksTheUser(session, mode);
    return session;
  }

  /** Opens a session of the first agent, and sends a message there. */
  async send(message: string, mode?: string): Promise<Session> {
    const session = await this.open(undefined, mode);
    this.window().page.say({ type: 'sendPrompt', session: session.key, text: message });
    return session;
  }

  window() {
    if (this.opened) return this.opened;
    editor.settings['parley.agents'] = this.agents;
    const [first] = Object.keys(this.agents);
    editor.settings['parley.defaultAgent'] = first;
    const window = new ProductWindow(keptState(this.keptFolder));
    this.opened = { window, page: window.openChat() };
    return this.opened;
  }

  /** Whether the session's agent is held by a sandbox for files and network. */
  isSandboxed(session: Session): boolean {
    return this.window().window.pool.sandboxOf(session)?.policy.mode === 'filesAndNetwork';
  }

  file(name: string): string {
    return readFileSync(join(this.project, name), 'utf8');
  }

  /** Resolves to the arguments of a command of the editor, when it is run. */
  nextCommand(id: string): Promise<readonly unknown[]> {
    return new Promise((resolve) => editor.commands.set(id, (...args) => resolve(args)));
  }

  /** The methods that agents have called. */
  get methods(): readonly string[] {
    const entries = this.window().window.pool.traffic.flatMap(({ traffic }) => traffic.entries());
    return entries.flatMap(({ direction, message }) =>
      direction === 'receive' ? ((message as { method?: string }).method ?? []) : [],
    );
  }

  /** Types a text into the side of a proposal that can be edited, as the user does. */
  type(uri: Uri, typed: string): void {
    const document = { uri, getText: () => typed, isClosed: false, isDirty: true };
    editor.fire('workspace.onDidChangeTextDocument', { document, contentChanges: [], reason: undefined });
  }
}

/** Chooses a mode, or one in which the user decides about requests: by default, Codex and Qwen ask a model first. */
async function asksTheUser(session: Session, wanted?: string): Promise<void> {
  const mode = session.transcript.view.configOptions.find(({ category }) => category === 'mode');
  if (mode?.type !== 'select') return;
  const value = [wanted, 'read-only', 'default'].find((one) => mode.choices.some((choice) => choice.value === one));
  if (value !== undefined && value !== mode.currentValue)
    assert.ok(await session.setConfigOption(mode.configId, value));
}

/** Resolves to the call with the next question, or to undefined once the turn is over and the agent has said this. */
export async function nextQuestion(session: Session, last: string): Promise<ToolCallEntry | undefined> {
  const isOver = () => isDone(session) && text(session).includes(last);
  const failed = () => all(session, 'error').length > 0;
  await until(session, (one) => asks(one) || isOver() || failed(), patienceMs);
  assert.ok(!failed(), text(session));
  return asks(session) ? all(session, 'tool_call').find(({ permission }) => permission.state === 'asked') : undefined;
}

/** The request of a call that waits for an answer, and its options by kind. */
export function questionOf({ permission }: ToolCallEntry): { request: RequestKey; option: (kind: string) => string } {
  if (permission.state !== 'asked') assert.fail(permission.state);
  const { request, options } = permission;
  const option = (kind: string) =>
    options.find((one) => one.kind === kind)?.optionId ?? assert.fail(JSON.stringify(options));
  return { request, option };
}

/** Allows whatever the agent asks until it has said this; resolves to the calls that asked. */
export async function allowUntil(session: Session, last: string): Promise<readonly ToolCallEntry[]> {
  const asked: ToolCallEntry[] = [];
  for (;;) {
    const call = await nextQuestion(session, last);
    if (!call) return asked;
    asked.push(call);
    const { request, option } = questionOf(call);
    session.answerPermission(request, option('allow_once'));
  }
}
