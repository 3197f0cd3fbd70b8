import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { window } from '../../../test/unit-support/vscode';
import { Emitter } from '../../shared/values/event';
import type { ToWebview } from '../../shared/pages/messages';
import type { ChatPages } from '../pages/chatPages';
import { goToTurn } from './goToTurn';

interface Item {
  readonly label: string;
}

/** A list that the test uses in place of the user. */
class FakePicker {
  readonly changed = new Emitter<readonly Item[]>();
  readonly accepted = new Emitter<void>();
  readonly hidden = new Emitter<void>();
  readonly onDidChangeActive = this.changed.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  items: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  private active: readonly Item[] = [];

  get activeItems(): readonly Item[] {
    return this.active;
  }

  set activeItems(items: readonly Item[]) {
    this.active = items;
    this.changed.fire(items);
  }

  choose(label: string): void {
    this.activeItems = this.items.filter((item) => item.label === label);
  }

  readonly show = () => undefined;
  readonly hide = () => this.hidden.fire();
  readonly dispose = () => [this.changed, this.accepted, this.hidden].forEach((one) => one.dispose());
}

/** Opens the list of turns of a session with two, and returns it with the messages to the page. */
async function open(t: TestContext) {
  const harness = new SessionHarness().open();
  for (const text of ['first', 'second']) {
    harness.session.sendPrompt(text);
    await harness.agent.end();
  }
  const { session } = harness;
  const posted: ToWebview[] = [];
  const page = { post: (message: ToWebview) => posted.push(message) };
  const pages = {
    activeSession: session,
    visiblePages: [page],
    withSession: (_key: string, act: (one: typeof page) => void) => {
      act(page);
      return Promise.resolve();
    },
  };
  const picker = new FakePicker();
  Object.assign(window, { createQuickPick: () => picker });
  t.after(() => Reflect.deleteProperty(window, 'createQuickPick'));
  const done = goToTurn(pages as unknown as ChatPages);
  const seen = () =>
    posted.map((message) =>
      message.type === 'revealEntry' ? `${message.isPreview ? 'preview' : 'go to'} ${message.entry}` : message.type,
    );
  return { picker, done, seen };
}

test('cancelling the list of turns restores the scroll position', async (t) => {
  const { picker, done, seen } = await open(t);
  picker.choose('second');
  picker.choose('first');
  picker.hide();
  await done;
  assert.deepEqual(seen().slice(-2), ['preview prompt:1', 'endPreview']);
});

test('choosing a turn keeps the page there', async (t) => {
  const { picker, done, seen } = await open(t);
  picker.choose('second');
  picker.choose('first');
  picker.selectedItems = picker.activeItems;
  picker.accepted.fire();
  await done;
  assert.deepEqual(seen().slice(-2), ['preview prompt:1', 'go to prompt:1']);
});
