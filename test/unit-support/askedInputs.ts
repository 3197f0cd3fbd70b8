// Quick picks and input boxes, answered by the test in the order in which they are shown.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import { EventEmitter, window } from './vscode';

export interface AskedItem {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly picked?: boolean;
}

/** A list that is open. */
export class AskedList {
  items: readonly AskedItem[] = [];
  selectedItems: readonly AskedItem[] = [];
  title = '';
  placeholder = '';
  canSelectMany = false;
  buttons: readonly unknown[] = [];
  private readonly accepted = new EventEmitter();
  private readonly hidden = new EventEmitter();
  private readonly triggered = new EventEmitter();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.triggered.event;
  readonly onDidTriggerItemButton = new EventEmitter().event;
  private readonly asked: AskedInputs;

  constructor(asked: AskedInputs) {
    this.asked = asked;
  }

  show(): void {
    const selected = this.asked.next('list')(this) as readonly (AskedItem | undefined)[] | undefined;
    if (!selected) {
      this.hide();
      return;
    }
    this.selectedItems = selected.map((item) => item ?? assert.fail('There is no such item.'));
    this.accepted.fire(undefined);
  }

  back(): undefined {
    this.triggered.fire(undefined);
  }

  hide(): undefined {
    this.hidden.fire(undefined);
  }

  dispose(): void {}
}

/** A line of text that is typed. */
export class AskedBox {
  value = '';
  title = '';
  placeholder = '';
  prompt = '';
  validationMessage: unknown = undefined;
  busy = false;
  buttons: readonly unknown[] = [];
  private readonly changed = new EventEmitter();
  private readonly accepted = new EventEmitter();
  private readonly hidden = new EventEmitter();
  private readonly triggered = new EventEmitter();
  readonly onDidChangeValue = this.changed.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.triggered.event;
  private isOver = false;
  private readonly asked: AskedInputs;

  constructor(asked: AskedInputs) {
    this.asked = asked;
  }

  show(): void {
    void this.answered();
  }

  /** Types a value, and resolves once the answer to it is shown. */
  async type(value: string): Promise<void> {
    const { prompt } = this;
    this.validationMessage = undefined;
    this.prompt = '';
    this.value = value;
    this.changed.fire(value);
    while (this.prompt === '' && this.validationMessage === undefined) await nextTurn();
    if (this.prompt === '') this.prompt = prompt;
  }

  /** Presses the button, and resolves once it has done its work. */
  async press(): Promise<void> {
    this.triggered.fire(this.buttons[0]);
    while (this.busy) await nextTurn();
  }

  back(): void {
    this.isOver = true;
    this.triggered.fire(undefined);
  }

  hide(): void {
    this.isOver = true;
    this.hidden.fire(undefined);
  }

  dispose(): void {}

  private async answered(): Promise<void> {
    try {
      await this.asked.next('box')(this);
    } catch (error) {
      this.asked.failed(error);
      this.hide();
    }
    if (!this.isOver) this.accepted.fire(undefined);
  }
}

type Answer = (input: never) => unknown;

/** The user's answers to the next inputs. */
export class AskedInputs {
  private readonly answers: { readonly kind: 'one' | 'list' | 'box'; readonly answer: Answer }[] = [];
  private problem: Error | undefined;

  constructor(t: TestContext) {
    const own = {
      createQuickPick: () => new AskedList(this),
      createInputBox: () => new AskedBox(this),
    };
    Object.assign(window, own);
    t.after(() => {
      for (const name of Object.keys(own)) Reflect.deleteProperty(window, name);
      if (this.problem !== undefined) throw this.problem;
    });
    t.mock.method(
      window as unknown as Record<'showQuickPick', (items: unknown) => Promise<unknown>>,
      'showQuickPick',
      async (items: unknown) => this.next('one')((await items) as never),
    );
  }

  /** How many answers are left. Fails if one of the answers has. */
  get left(): number {
    if (this.problem !== undefined) throw this.problem;
    return this.answers.length;
  }

  /** Picks an entry of a list by its label. */
  pickOne(label: string): void {
    const answer = (items: readonly AskedItem[]) => items.find((item) => item.label === label) ?? assert.fail(label);
    this.answers.push({ kind: 'one', answer: answer });
  }

  /** Selects entries of a list. Without a result, the list is closed. */
  list(answer: (list: AskedList) => readonly (AskedItem | undefined)[] | undefined): void {
    this.answers.push({ kind: 'list', answer: answer });
  }

  /** Types into a box, which is then accepted unless the answer has closed it. */
  box(answer: (box: AskedBox) => unknown): void {
    this.answers.push({ kind: 'box', answer: answer });
  }

  next(kind: 'one' | 'list' | 'box'): (input: unknown) => unknown {
    const next = this.answers.shift();
    if (next?.kind !== kind) assert.fail(`Nobody answers a ${kind}.`);
    return next.answer as (input: unknown) => unknown;
  }

  failed(error: unknown): void {
    this.problem ??= error instanceof Error ? error : new Error(String(error));
  }
}
