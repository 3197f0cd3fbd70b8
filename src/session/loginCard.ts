import * as l10n from '@vscode/l10n';
import { compact } from '../shared/values/decodeValue';
import type { AuthMethod } from '../acp/decode/decodeAuth';
import type { LoginChoice, LoginEntry, LoginProgress } from '../shared/transcript/login';
import { singleEntryId } from './update/entryIds';
import type { TranscriptStore } from './transcript/transcriptStore';

/** The login card in a session's transcript. The card becomes a line when the login is settled. */
export class LoginCard {
  private readonly store: TranscriptStore;
  private entry: LoginEntry | undefined;
  /** The login succeeded, and the session is being opened. */
  private isThrough = false;

  constructor(store: TranscriptStore) {
    this.store = store;
    const { order, entries } = store.transcript;
    for (const id of order) {
      const entry = entries.get(id);
      if (entry?.kind === 'login') this.entry = entry;
    }
  }

  /** Whether the agent is waiting for a login. */
  get isAsked(): boolean {
    return this.entry !== undefined && this.entry.progress.state !== 'done';
  }

  get isRunning(): boolean {
    return this.entry?.progress.state === 'running' && !this.isThrough;
  }

  /** Whether a message was waiting for the login when last checked. */
  get waits(): boolean {
    return this.entry?.waits ?? false;
  }

  /** Shows the card as the last entry of the transcript, because the agent requires a login. */
  ask(methods: readonly AuthMethod[], place: { waits: boolean; isOpen: boolean; turn: number }): void {
    const news = { methods: choicesOf(methods), progress: { state: 'asked' }, ...place } as const;
    this.isThrough = false;
    if (this.entry && this.entry.id === this.store.transcript.order.at(-1)) {
      this.set({ ...this.entry, ...news });
      return;
    }
    this.settle(l10n.t('{0} asked you to log in', this.agentName));
    const id = singleEntryId('login', this.store.transcript.rev);
    this.entry = { kind: 'login', id, ...news };
    this.store.append(this.entry);
  }

  /** Shows the progress of the login; does nothing without a card. */
  show(progress: LoginProgress): void {
    this.isThrough = false;
    if (this.entry) this.set({ ...this.entry, progress });
  }

  /** The login succeeded. The card stays until the session is open or can't be opened. */
  through(): void {
    this.isThrough = true;
  }

  /** The session couldn't be opened. */
  notOpened(): void {
    if (this.isThrough) this.show({ state: 'asked' });
    if (this.entry?.isOpen === true) this.set({ ...this.entry, isOpen: false });
  }

  /** Whether the login has succeeded, and the session is being opened. */
  get isOpening(): boolean {
    return this.isAsked && this.isThrough;
  }

  /** Updates whether messages are waiting. A message that waits for the login has the card below it, because the page scrolls to it. */
  follow(waits: boolean, turn: number): void {
    const { entry } = this;
    if (!entry) return;
    if (this.isAsked && this.isAboveMessage(entry)) this.moveToEnd({ ...entry, waits, turn });
    else if (entry.waits !== waits) this.set({ ...entry, waits });
  }

  /** The agent can continue. Offers to send a waiting message again; otherwise the card becomes a line. */
  done(): void {
    const { entry } = this;
    if (!entry) return;
    if (!entry.waits) this.settle(l10n.t('Logged in to {0}', this.agentName));
    else this.set({ ...entry, progress: { state: 'done' }, isOpen: true });
  }

  /** A message was sent, so the card is no longer needed. */
  sent(): void {
    const isLoggedIn = this.entry?.progress.state === 'done' || this.isOpening;
    this.settle(
      isLoggedIn ? l10n.t('Logged in to {0}', this.agentName) : l10n.t('{0} asked you to log in', this.agentName),
    );
  }

  private get agentName(): string {
    return this.store.view.agentName;
  }

  private settle(title: string): void {
    const { entry } = this;
    this.entry = undefined;
    this.isThrough = false;
    if (!entry) return;
    const { id, turn } = entry;
    this.store.apply([{ op: 'replace', entry: { kind: 'notice', id, turn, severity: 'info', title } }]);
  }

  private isAboveMessage({ id }: LoginEntry): boolean {
    const { order, entries } = this.store.transcript;
    const at = order.indexOf(id);
    return at !== -1 && order.slice(at + 1).some((below) => entries.get(below)?.kind === 'user_message');
  }

  private moveToEnd(entry: LoginEntry): void {
    const { isThrough } = this;
    this.settle(l10n.t('{0} asked you to log in', this.agentName));
    this.isThrough = isThrough;
    this.entry = { ...entry, id: singleEntryId('login', this.store.transcript.rev) };
    this.store.append(this.entry);
  }

  private set(entry: LoginEntry): void {
    this.entry = entry;
    // A replay empties the transcript, but the card remains.
    if (this.store.transcript.entries.has(entry.id)) this.store.apply([{ op: 'replace', entry }]);
    else this.store.append(entry);
  }
}

/**
 * Returns login methods as the card shows them. Methods with equal names are distinguished by what a click does, or
 * else by id.
 */
export function choicesOf(methods: readonly AuthMethod[]): readonly LoginChoice[] {
  const choices = methods.map(choiceOf);
  const isTaken = (one: LoginChoice, key: (choice: LoginChoice) => string) =>
    choices.some((other) => other !== one && key(other) === key(one));
  return choices.map((one) => {
    if (!isTaken(one, nameOf)) return one;
    const more = isTaken(one, (choice) => `${choice.how} ${nameOf(choice)}`) ? one.methodId : howWords(one.how);
    return { ...one, name: `${one.name} (${more})` };
  });
}

function nameOf({ name }: LoginChoice): string {
  return name.toLowerCase();
}

function howWords(how: LoginChoice['how']): string {
  switch (how) {
    case 'agent':
      return l10n.t('in the browser');
    case 'terminal':
      return l10n.t('in a terminal');
    case 'variables':
    case 'apiKey':
      return l10n.t('with a key');
    case 'gateway':
      return l10n.t('with a gateway');
  }
}

function choiceOf(method: AuthMethod): LoginChoice {
  const { id, name, description } = method;
  const base = { methodId: id, name, ...compact({ description }) };
  switch (method.type) {
    case 'agent':
    case 'apiKey':
    case 'gateway':
      return { ...base, how: method.type };
    case 'terminal':
      // The agent's own program is known. Variables can change what it does.
      return { ...base, how: method.type, ...compact({ command: terminalLine('…', method) }) };
    case 'command':
      return { ...base, how: 'terminal', ...compact({ command: terminalLine(method.command, method) }) };
    case 'env_var':
      return { ...base, how: 'variables' };
  }
}

/** Returns what runs in the terminal, with the variables that the agent sets for it. */
function terminalLine(
  command: string,
  { args, env }: Pick<AuthMethod & { readonly type: 'terminal' }, 'args' | 'env'>,
): string | undefined {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return command === '…' && variables.length === 0 ? undefined : [...variables, command, ...args].join(' ');
}
