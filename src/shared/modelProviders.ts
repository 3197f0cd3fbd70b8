import { readWebAddress } from './webAddress';

/** A header as it stands in the form. */
export interface HeaderDraft {
  readonly name: string;
  /** Absent when the value that is stored under this name stays; stored values never reach the page. */
  readonly value?: string;
}

/** How the user wants a provider of models to be reached, as they wrote it. */
export interface ProviderDraft {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers: readonly HeaderDraft[];
}

/** A provider as the page shows it. Nothing in it is secret. */
export interface ProviderView {
  readonly providerId: string;
  /** Protocols that the agent can speak to it. */
  readonly supported: readonly string[];
  readonly isRequired: boolean;
  /** False for one that is stored and that the agent does not list any more. */
  readonly isListed: boolean;
  /** How it is reached now; absent while it is off. */
  readonly current?: { readonly apiType: string; readonly baseUrl: string };
  /** What the agent gets at each start. */
  readonly stored: 'nothing' | 'config' | 'off';
  /** What the form begins with. */
  readonly initial: { readonly apiType: string; readonly baseUrl: string; readonly headerNames: readonly string[] };
}

/** What the page shows; a failure says what happened and what to do. */
export type ProvidersShown =
  | { readonly state: 'asking' }
  | { readonly state: 'ready'; readonly providers: readonly ProviderView[] }
  | { readonly state: 'failed'; readonly title: string; readonly next: string; readonly wantsLogin?: boolean };

/** What came of something that the user wanted with a provider. */
export interface ProviderOutcome {
  readonly providerId: string;
  readonly isDone: boolean;
  readonly title: string;
  readonly next: string;
  /** The agent does it after a login. */
  readonly wantsLogin?: boolean;
}

/** From the host to the page of an agent's providers. */
export type ToProvidersPage =
  | { readonly type: 'providers'; readonly agentName: string; readonly shown: ProvidersShown }
  | ({ readonly type: 'outcome' } & ProviderOutcome);

/** From the page of an agent's providers to the host. */
export type FromProvidersPage =
  | { readonly type: 'ready' | 'askAgain' }
  /** Let the user log in to the agent. */
  | { readonly type: 'logIn' }
  | { readonly type: 'save'; readonly draft: ProviderDraft }
  | { readonly type: 'turnOff' | 'forget'; readonly providerId: string };

/** What is wrong with a field of the form. */
export type ProviderProblem = 'missing' | 'notAddress' | 'credentials' | 'notName' | 'twice' | 'notValue' | 'noValue';

/** What is wrong with a draft; nothing when every field is undefined. */
export interface ProviderProblems {
  readonly apiType: ProviderProblem | undefined;
  readonly baseUrl: ProviderProblem | undefined;
  /** By the places of the headers. */
  readonly headers: readonly {
    readonly name: ProviderProblem | undefined;
    readonly value: ProviderProblem | undefined;
  }[];
}

/** Reads a draft critically. `stored`: names of the headers that have a value already. */
export function problemsOf({ apiType, baseUrl, headers }: ProviderDraft, stored: readonly string[]): ProviderProblems {
  const names = headers.map(({ name }) => name.trim().toLowerCase());
  const known = new Set(stored.map((name) => name.toLowerCase()));
  return {
    apiType: apiType.trim() === '' ? 'missing' : undefined,
    baseUrl: addressProblem(baseUrl.trim()),
    headers: headers.map(({ value }, at) => {
      const name = names[at] ?? '';
      return { name: nameProblem(name, names.indexOf(name) < at), value: valueProblem(value, known.has(name)) };
    }),
  };
}

/** Whether a draft can be saved. */
export function isValid({ apiType, baseUrl, headers }: ProviderProblems): boolean {
  return [apiType, baseUrl, ...headers.flatMap(({ name, value }) => [name, value])].every((one) => one === undefined);
}

/** Whether what is sent to this address can be read on its way, headers included. */
export function isUnencrypted(baseUrl: string): boolean {
  return readWebAddress(baseUrl.trim())?.warnings.includes('notEncrypted') ?? false;
}

function addressProblem(text: string): ProviderProblem | undefined {
  if (text === '') return 'missing';
  const address = readWebAddress(text);
  if (!address) return 'notAddress';
  return address.warnings.includes('credentials') ? 'credentials' : undefined;
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-field-names */
function nameProblem(name: string, isTwice: boolean): ProviderProblem | undefined {
  if (name === '') return 'missing';
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'notName';
  return isTwice ? 'twice' : undefined;
}

function valueProblem(value: string | undefined, isStored: boolean): ProviderProblem | undefined {
  if (value === undefined) return isStored ? undefined : 'noValue';
  if (value.trim() === '') return 'noValue';
  // What else is in a value, no request can carry.
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : 'notValue';
}
