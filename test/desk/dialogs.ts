// The dialogs of the system: those that open files and folders, and those that save one.
import { Changes } from './changes';

type Kind = 'open' | 'save';

interface Dialog {
  readonly kind: Kind;
  readonly options: unknown;
  readonly answer: (chosen: unknown) => void;
}

/** The dialogs of a window. They stay until they are answered. */
export class Dialogs {
  private readonly changes = new Changes();
  private open: readonly Dialog[] = [];

  /** The members of `vscode.window` that open them. */
  readonly api = {
    showOpenDialog: (options: unknown) => this.show('open', options),
    showSaveDialog: (options: unknown) => this.show('save', options),
  };

  /** Answers the next dialog of this kind: with a list of URIs, a URI, or undefined to cancel it. Resolves to what it was asked. */
  async answers(kind: Kind, chosen: unknown): Promise<unknown> {
    const found = await this.changes.until(
      () => this.open.find((one) => one.kind === kind),
      () => `There is no dialog that would ${kind}.`,
    );
    this.open = this.open.filter((one) => one !== found);
    found.answer(chosen);
    return found.options;
  }

  private show(kind: Kind, options: unknown): Promise<unknown> {
    return new Promise((answer) => {
      this.open = [...this.open, { kind, options, answer }];
      this.changes.note();
    });
  }
}
