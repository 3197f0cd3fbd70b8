// The editor's quick picks and input boxes, as extensions open them and as a user sees and answers them.
import { EventEmitter, QuickPickItemKind } from '../unit-support/vscode';
import { Changes } from './changes';

export interface Button {
  readonly tooltip?: string;
}

export interface Item {
  readonly label: string;
  readonly kind?: number;
  readonly description?: string;
  readonly detail?: string;
  readonly alwaysShow?: boolean;
  readonly picked?: boolean;
  readonly buttons?: readonly Button[];
}

interface ListOptions {
  readonly title?: string;
  readonly placeHolder?: string;
  readonly canPickMany?: boolean;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  readonly onDidSelectItem?: (item: Item | string) => unknown;
}

interface BoxOptions {
  readonly title?: string;
  readonly prompt?: string;
  readonly placeHolder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly validateInput?: (value: string) => unknown;
}

interface Token {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** After its entries moved, the list of sessions takes no choice for half a second, and a person looks before they choose. */
const lookMs = 550;

/** What quick picks and input boxes share: one of them is shown at a time. */
class QuickInput {
  title: string | undefined = undefined;
  step: number | undefined = undefined;
  totalSteps: number | undefined = undefined;
  enabled = true;
  ignoreFocusOut = false;
  value = '';
  placeholder: string | undefined = undefined;
  isShown = false;
  readonly hidden = new EventEmitter();
  readonly accepted = new EventEmitter();
  readonly triggered = new EventEmitter();
  readonly typed = new EventEmitter();
  readonly onDidHide = this.hidden.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidTriggerButton = this.triggered.event;
  readonly onDidChangeValue = this.typed.event;
  protected readonly inputs: QuickInputs;
  private isBusy = false;
  private shownButtons: readonly Button[] = [];

  constructor(inputs: QuickInputs) {
    this.inputs = inputs;
  }

  get busy(): boolean {
    return this.isBusy;
  }

  set busy(value: boolean) {
    this.isBusy = value;
    this.inputs.changes.note();
  }

  get buttons(): readonly Button[] {
    return this.shownButtons;
  }

  set buttons(value: readonly Button[]) {
    this.shownButtons = value;
    this.inputs.changes.note();
  }

  show(): void {
    this.inputs.showOnly(this);
  }

  hide(): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.inputs.changes.note();
    this.hidden.fire({ reason: 1 });
  }

  dispose(): void {
    this.hide();
  }
}

/** A quick pick. */
export class QuickPick extends QuickInput {
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  activeItems: readonly Item[] = [];
  /** When an entry that was in its place was last replaced by another. */
  movedAt = -Infinity;
  readonly pressed = new EventEmitter();
  readonly activated = new EventEmitter();
  readonly selected = new EventEmitter();
  readonly onDidTriggerItemButton = this.pressed.event;
  readonly onDidChangeActive = this.activated.event;
  readonly onDidChangeSelection = this.selected.event;
  private offered: readonly Item[] = [];
  private chosen: readonly Item[] = [];

  get items(): readonly Item[] {
    return this.offered;
  }

  set items(items: readonly Item[]) {
    const moves = this.offered.some(({ label }, at) => items[at]?.label !== label);
    if (moves) this.movedAt = performance.now();
    this.offered = [...items];
    this.activeItems = this.visible.slice(0, 1);
    this.chosen = this.canSelectMany ? items.filter(({ picked }) => picked === true) : [];
    this.inputs.changes.note();
  }

  get selectedItems(): readonly Item[] {
    return this.chosen;
  }

  set selectedItems(items: readonly Item[]) {
    this.chosen = items;
    this.inputs.changes.note();
  }

  /** The entries that the typed text leaves. The editor also matches letters that are apart. */
  get visible(): readonly Item[] {
    const wanted = this.value.toLowerCase();
    const texts = ({ label, description = '', detail = '' }: Item) => [
      label,
      this.matchOnDescription ? description : '',
      this.matchOnDetail ? detail : '',
    ];
    return this.offered.filter(
      (item) =>
        item.kind !== QuickPickItemKind.Separator &&
        (item.alwaysShow === true || texts(item).some((one) => one.toLowerCase().includes(wanted))),
    );
  }
}

/** An input box. */
export class InputBox extends QuickInput {
  password = false;
  prompt: string | undefined = undefined;
  valueSelection: readonly [number, number] | undefined = undefined;
  validationMessage: unknown = undefined;
}

/** The quick inputs of a window. */
export class QuickInputs {
  readonly changes = new Changes();
  private current: QuickInput | undefined;

  /** The members of `vscode.window` that open quick inputs. */
  readonly api = {
    createQuickPick: () => new QuickPick(this),
    createInputBox: () => new InputBox(this),
    showQuickPick: (items: unknown, options?: ListOptions, token?: Token) => this.pickFrom(items, options, token),
    showInputBox: (options?: BoxOptions, token?: Token) => this.enterInto(options, token),
  };

  showOnly(input: QuickInput): void {
    if (this.current !== input) this.current?.hide();
    this.current = input;
    input.isShown = true;
    this.changes.note();
  }

  /** Closes what is open, as Escape does. */
  close(): void {
    this.current?.hide();
  }

  /** Resolves once a list or a box is open. */
  async isOpen(): Promise<void> {
    await this.untilShown();
  }

  /** The texts of the entries in sight. */
  texts(): readonly string[] {
    return this.list?.visible.map(textOf) ?? [];
  }

  /** Resolves once the list has an entry with this text. */
  async sees(text: string): Promise<void> {
    await this.entry(text);
  }

  /** Types into the list, so that it shows only what holds this text. */
  async filters(text: string): Promise<void> {
    const list = await this.untilList();
    list.value = text;
    list.activeItems = list.visible.slice(0, 1);
    list.typed.fire(text);
    this.changes.note();
  }

  /** Chooses the first entry with this text, or ticks it in a list for several. */
  async picks(text: string): Promise<void> {
    const { list, item } = await this.steadyEntry(text);
    if (list.canSelectMany) {
      const others = list.selectedItems.filter((one) => one !== item);
      list.selectedItems = others.length < list.selectedItems.length ? others : [...others, item];
      list.selected.fire(list.selectedItems);
      return;
    }
    list.activeItems = [item];
    list.selectedItems = [item];
    list.selected.fire([item]);
    list.accepted.fire({ inBackground: false });
  }

  /** Takes what is ticked, or the entry in focus. */
  async accepts(): Promise<void> {
    const shown = await this.untilShown();
    if (shown instanceof QuickPick)
      await this.changes.until(
        () => !shown.busy || undefined,
        () => 'The list is still empty.',
      );
    if (shown instanceof QuickPick && !shown.canSelectMany) {
      await look(shown);
      shown.selectedItems = shown.activeItems.slice(0, 1);
      shown.selected.fire(shown.selectedItems);
    }
    shown.accepted.fire({ inBackground: false });
  }

  /** Presses a button beside the title. */
  async presses(tooltip: string): Promise<void> {
    const { shown, button } = await this.changes.until(
      () => {
        const button = this.shown?.buttons.find((one) => (one.tooltip ?? '').includes(tooltip));
        return this.shown && button && { shown: this.shown, button };
      },
      () => `There is no button “${tooltip}” beside the title of ${this.describe()}`,
    );
    shown.triggered.fire(button);
  }

  /** Presses a button of the first entry with this text. */
  async pressesInList(text: string, tooltip: string): Promise<void> {
    const { list, item } = await this.steadyEntry(text);
    const button = item.buttons?.find((one) => (one.tooltip ?? '').includes(tooltip));
    if (!button) throw new Error(`“${textOf(item)}” has no button “${tooltip}”.`);
    list.pressed.fire({ item, button });
  }

  /** Enters a value into the box that shows this text; resolves to whether what is typed can be read. */
  async enters(text: string, value: string): Promise<'text' | 'password'> {
    const box = await this.changes.until(
      () => {
        const { shown } = this;
        if (!(shown instanceof InputBox)) return undefined;
        const words = [shown.title, shown.prompt, shown.placeholder].join('\n').toLowerCase();
        return words.includes(text.toLowerCase()) ? shown : undefined;
      },
      () => `There is no box “${text}”, but ${this.describe()}`,
    );
    box.value = value;
    box.typed.fire(value);
    box.accepted.fire(undefined);
    return box.password ? 'password' : 'text';
  }

  private get shown(): QuickInput | undefined {
    return this.current?.isShown === true ? this.current : undefined;
  }

  private get list(): QuickPick | undefined {
    return this.shown instanceof QuickPick ? this.shown : undefined;
  }

  private untilShown(): Promise<QuickInput> {
    return this.changes.until(
      () => this.shown,
      () => 'Nothing to answer is open.',
    );
  }

  private untilList(): Promise<QuickPick> {
    return this.changes.until(
      () => this.list,
      () => `There is no list, but ${this.describe()}`,
    );
  }

  private entry(text: string): Promise<{ readonly list: QuickPick; readonly item: Item }> {
    const wanted = text.toLowerCase();
    return this.changes.until(
      () => {
        const item = this.list?.visible.find((one) => textOf(one).toLowerCase().includes(wanted));
        return this.list && item && { list: this.list, item };
      },
      () => `There is no entry “${text}” in ${this.describe()}`,
    );
  }

  private async steadyEntry(text: string): Promise<{ readonly list: QuickPick; readonly item: Item }> {
    for (;;) {
      const found = await this.entry(text);
      if (!(await look(found.list))) return found;
    }
  }

  private describe(): string {
    const { shown } = this;
    if (!shown) return 'nothing';
    const title = `“${shown.title ?? shown.placeholder ?? ''}”`;
    return shown instanceof QuickPick ? `the list ${title}: ${this.texts().join(' | ')}` : `the box ${title}`;
  }

  private async pickFrom(items: unknown, options: ListOptions = {}, token?: Token): Promise<unknown> {
    const list = new QuickPick(this);
    list.title = options.title;
    list.placeholder = options.placeHolder;
    list.canSelectMany = options.canPickMany === true;
    list.matchOnDescription = options.matchOnDescription === true;
    list.matchOnDetail = options.matchOnDetail === true;
    list.busy = true;
    list.show();
    const texts = new Map<Item, string>();
    const offered = (await items) as readonly (Item | string)[];
    list.busy = false;
    list.items = offered.map((one) => {
      if (typeof one !== 'string') return one;
      const item = { label: one };
      texts.set(item, one);
      return item;
    });
    const original = (item: Item) => texts.get(item) ?? item;
    const answer = () =>
      list.canSelectMany
        ? list.selectedItems.map(original)
        : list.selectedItems[0] === undefined
          ? undefined
          : original(list.selectedItems[0]);
    return untilAnswered(list, answer, token);
  }

  private enterInto(options: BoxOptions = {}, token?: Token): Promise<unknown> {
    const box = new InputBox(this);
    box.title = options.title;
    box.prompt = options.prompt;
    box.placeholder = options.placeHolder;
    box.value = options.value ?? '';
    box.password = options.password === true;
    box.show();
    return new Promise((resolve) => {
      let isOver = false;
      const end = (value: string | undefined) => {
        if (isOver) return;
        isOver = true;
        box.hide();
        resolve(value);
      };
      box.onDidHide(() => end(undefined));
      token?.onCancellationRequested(() => end(undefined));
      box.onDidAccept(() => {
        const { value } = box;
        void Promise.resolve(options.validateInput?.(value)).then((problem) => {
          box.validationMessage = problem;
          if (problem === undefined || problem === null || problem === '') end(value);
        });
      });
    });
  }
}

function untilAnswered(list: QuickPick, answer: () => unknown, token: Token | undefined): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (value: unknown) => {
      resolve(value);
      list.hide();
    };
    // It may have been closed while its entries were on their way.
    if (!list.isShown || token?.isCancellationRequested === true) end(undefined);
    list.onDidHide(() => resolve(undefined));
    token?.onCancellationRequested(() => end(undefined));
    list.onDidAccept(() => end(answer()));
  });
}

/** Waits until a list that moved takes choices; resolves to whether it had to. */
async function look(list: QuickPick): Promise<boolean> {
  const left = list.movedAt + lookMs - performance.now();
  if (list.title !== 'Sessions' || left <= 0) return false;
  await new Promise((resolve) => setTimeout(resolve, left));
  return true;
}

/** The text of a row as it is drawn: a `$(name)` that is escaped is text. */
function textOf({ label, description = '', detail = '' }: Item): string {
  return [label, description, detail]
    .filter((text) => text !== '')
    .join(' ')
    .replaceAll('\\$(', '$(');
}
