/** What of the chat page is meant: an element by its role and name, by a selector, or by its text. */
export interface Target {
  readonly role?: string;
  /** A part of the accessible name, or all of it when `exact`. */
  readonly name?: string;
  readonly exact?: boolean;
  readonly css?: string;
  readonly text?: string;
  /** What the element must contain. */
  readonly hasText?: string;
  /** In the page in the editor's tab, not in the chat. */
  readonly place?: 'editor';
}

/** The chat page, as a person sees and uses it. In a window, the runner outside is its eyes and hands. */
export class Page {
  /** Resolves when the element is in sight. */
  async sees(target: Target): Promise<void> {
    await call('see', target);
  }

  /** Resolves when no such element is there. */
  async misses(target: Target): Promise<void> {
    await call('miss', target);
  }

  async click(target: Target): Promise<void> {
    await call('click', target);
  }

  /** Opens the menu of the element, by the pointer. */
  async opensMenu(target: Target): Promise<void> {
    await call('menu', target);
  }

  /** Texts of all such elements, in their order. */
  async texts(target: Target): Promise<readonly string[]> {
    return (await call('texts', target)) as string[];
  }

  /** The value of an attribute of the first such element. */
  async attribute(target: Target, attribute: string): Promise<string | null> {
    return (await call('attribute', { ...target, attribute })) as string | null;
  }

  /** Chooses an option of the permission request whose name begins with `title`, as soon as it takes answers. */
  async answer(title: string, option: string): Promise<void> {
    await call('answer', { title, option });
  }

  /** The agent of the session has crashed: it starts by itself, or by the user's click, as after the third time in ten minutes. */
  async startsAgain(): Promise<void> {
    await call('startAgain', {});
  }

  /** Writes into the field of a form with this label; `form` names one of several. */
  async fill(label: string, value: string, form: Pick<Target, 'name' | 'place'> = {}): Promise<void> {
    const { name, ...where } = form;
    await call('fill', { name: label, value, ...(name === undefined ? {} : { title: name }), ...where });
  }

  /** Presses a button of the agent's form with this name, as soon as it takes answers. */
  async answerForm(form: string, button: string): Promise<void> {
    await call('answerForm', { title: form, option: button });
  }

  /** Addresses of the pages that were opened in the browser beside the editor since this was last asked; they are closed. */
  async opened(): Promise<readonly string[]> {
    return (await call('opened', {})) as string[];
  }

  /** Types a message into the composer and sends it. */
  async send(text: string): Promise<void> {
    await call('send', { text });
  }

  /** Types into a field, in place of what is there. */
  async type(target: Target, text: string): Promise<void> {
    await call('type', { ...target, value: text });
  }

  /** Chooses an option of the drop-down list with this name, wherever a narrow page keeps it. */
  async choose(list: string, option: string): Promise<void> {
    await call('choose', { name: list, option });
  }

  /** The value of the drop-down list with this name. */
  async value(list: string): Promise<unknown> {
    return call('value', { name: list });
  }

  /** Turns the switch with this name over. */
  async turnOver(name: string): Promise<void> {
    await call('turnOver', { name });
  }

  /** Resolves when the setting with this name is in sight, wherever a narrow page keeps it. */
  async reveals(name: string): Promise<void> {
    await call('reveal', { name });
  }

  /** The values of an attribute of all such elements that are in sight, in their order. */
  async attributes(target: Target, attribute: string): Promise<readonly (string | null)[]> {
    return (await call('attributes', { ...target, attribute })) as (string | null)[];
  }

  /** Types into the composer and sends nothing. */
  async write(text: string): Promise<void> {
    await call('write', { text });
  }

  /** Unfolds the tool call that holds this text, unless it is open. */
  async opens(text: string): Promise<void> {
    await call('open', { hasText: text });
  }

  /** Answers the editor's own input box that says `hasText`; resolves to its type: `password` when what is typed is masked. */
  async answersInputBox(hasText: string, text: string): Promise<unknown> {
    return call('inputBox', { text: hasText, value: text });
  }

  /** Chooses the first entry with this text of the editor's own list; nothing happens when none opens. */
  async acceptsQuickPick(text: string): Promise<void> {
    await call('quickPick', { text });
  }
}

let latest = 'nothing';
let served: (action: string, params: object) => Promise<unknown> = () => Promise.reject(new Error('There is no page.'));

/** What the page was last asked to do, and whether it has. */
export function lastCall(): string {
  return latest;
}

/** Sets who looks at the page and uses it: the runner outside, or the desk. */
export function serveCallsBy(serves: (action: string, params: object) => Promise<unknown>): void {
  served = serves;
}

/** Has something done in the window. */
export async function call(action: string, params: object): Promise<unknown> {
  const wish = `${action} ${JSON.stringify(params)}`;
  latest = `${wish}, not done`;
  const value = await served(action, params);
  latest = `${wish}, done`;
  return value;
}
