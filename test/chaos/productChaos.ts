// The whole product in plain Node, for chaos around the agent: definitions of MCP servers, disks, and windows.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach } from 'node:test';
import type { Session } from '../../src/session/session';
import type { SessionKey } from '../../src/shared/values/ids';
import { isReady, lives, PoolHarness, text, until } from '../unit-support/poolHarness';
import { keptState, ProductWindow, type FakePage, type KeptState } from '../unit-support/productWindow';
import { removeFolder } from '../unit-support/tempFolder';
import { editor } from '../unit-support/vscode';

export const words = 'what the user typed';
export const answer = 'the honest answer';

/** Windows on folders of their own, with an agent that answers; after each test nothing of it is left, and no process. */
export class ProductChaos {
  private readonly root = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
  readonly project = join(this.root, 'project');
  private readonly agents = new PoolHarness();
  private readonly open: ProductWindow[] = [];
  private made = 0;

  constructor() {
    after(() => removeFolder(this.root));
    beforeEach(() => {
      editor.reset();
      mkdirSync(this.project);
      editor.folders = [this.project];
      this.setAgent({ turns: [{ steps: [{ say: answer }] }] });
    });
    afterEach(async () => {
      for (const window of this.open.splice(0)) await window.stop();
      rmSync(this.project, { recursive: true, force: true });
      const pids = editor.logged.flatMap((line) => /as process (\d+)/.exec(line)?.[1] ?? []).map(Number);
      assert.deepEqual(pids.filter(lives), [], 'a process is left');
    });
  }

  setAgent(script: object): void {
    const { command, args, env } = this.agents.spec(script);
    editor.settings['parley.agents'] = { Codex: { command, args, env } };
  }

  /** What the editor keeps of a new workspace: of another user, or of the same one as `beside`. */
  state(beside?: KeptState): KeptState {
    return keptState(join(this.root, `kept-${String((this.made += 1))}`), beside?.global);
  }

  window(kept = this.state()): { window: ProductWindow; page: FakePage } {
    const window = new ProductWindow(kept);
    this.open.push(window);
    return { window, page: window.openChat() };
  }

  /** Ends a window before its test does. */
  async close(window: ProductWindow): Promise<void> {
    this.open.splice(this.open.indexOf(window), 1);
    await window.stop();
  }
}

/** Sends what the user types into a chat without a session, which starts one. */
export function send(window: ProductWindow, page: FakePage, said = words): Session {
  page.say({ type: 'sendPrompt', session: '' as SessionKey, text: said });
  const session = window.pool.sessions.at(-1);
  assert.ok(session);
  return session;
}

export const isAnswered = (session: Session) =>
  isReady(session) && session.transcript.view.activity.state === 'idle' && text(session).includes(answer);

/** The session takes another message and answers it. */
export async function goesOn(session: Session): Promise<void> {
  const answers = () => text(session).split(answer).length;
  const before = answers();
  session.sendPrompt('and now?');
  await until(session, (one) => isReady(one) && answers() > before);
  assert.ok(text(session).includes(words), 'what the user typed is gone');
}
