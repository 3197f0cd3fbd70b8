import { readWebAddress } from '../text/webAddress';

/** A header in the form. */
export interface HeaderDraft {
  readonly name: string;
  /** Absent if the value stored under this name stays. Stored values never reach the page. */
  readonly value?: string;
}

/** The user's input for a model provider. */
export interface ProviderDraft {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers: readonly HeaderDraft[];
}

/** A provider as the page shows it. Contains no secrets. */
export interface ProviderView {
  readonly providerId: string;
  /** API protocols that the agent supports for the provider. */
  readonly supported: readonly string[];
  readonly isRequired: boolean;
  /** False if the provider is stored but no longer listed by the agent. */
  readonly isListed: boolean;
  /** How the provider is currently reached; absent while it is off. */
  readonly current?: { readonly apiType: string; readonly baseUrl: string };
  /** The configuration sent to the agent at each start. */
  readonly stored: 'nothing' | 'config' | 'off';
  /** The initial values of the form. */
  readonly initial: { readonly apiType: string; readonly baseUrl: string; readonly headerNames: readonly string[] };
}

/** The contents of the page. A failure says what happened and what to do. */
export type ProvidersShown =
  | { readonly state: 'asking' }
  | { readonly state: 'ready'; readonly providers: readonly ProviderView[] }
  | { readonly state: 'failed'; readonly title: string; readonly next: string; readonly wantsLogin?: boolean };

/** The result of the user's action on a provider. */
export interface ProviderOutcome {
  readonly providerId: string;
  readonly isDone: boolean;
  readonly title: string;
  readonly next: string;
  /** The agent requires a login first. */
  readonly wantsLogin?: boolean;
}

/** One of the editor's tools, as the page lists it. */
export interface ToolView {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Whether agents get the tool unless the user decides otherwise. */
  readonly isDefault: boolean;
  readonly isOn: boolean;
}

/** The editor's tools and who can use them, by the user's settings. */
export interface ToolsShown {
  /** Whether the agent of the page is offered them. */
  readonly isOn: boolean;
  /** Whether the user turned them off for all agents. */
  readonly isOffForAll: boolean;
  /** False if the running agent doesn't support them. */
  readonly isSupported: boolean;
  /** The same for all agents. */
  readonly tools: readonly ToolView[];
}

/** Messages from the host to the model providers page. The first one decides what comes first on it. */
export type ToProvidersPage =
  | { readonly type: 'tools'; readonly agentName: string; readonly shown: ToolsShown; readonly problem?: string }
  | { readonly type: 'providers'; readonly agentName: string; readonly shown: ProvidersShown }
  | ({ readonly type: 'outcome' } & ProviderOutcome);

/** Messages from the model providers page to the host. */
export type FromProvidersPage =
  | { readonly type: 'ready' | 'askAgain' }
  /** Lets the user log in to the agent. */
  | { readonly type: 'logIn' }
  | { readonly type: 'save'; readonly draft: ProviderDraft }
  | { readonly type: 'turnOff' | 'forget'; readonly providerId: string }
  /** Lets the page's agent use the editor's tools, or not. */
  | { readonly type: 'setTools'; readonly isOn: boolean }
  | { readonly type: 'setTool'; readonly name: string; readonly isOn: boolean }
  | { readonly type: 'allowTools' | 'openToolSettings' };

/** The problem of a field in the form. */
export type ProviderProblem = 'missing' | 'notAddress' | 'credentials' | 'notName' | 'twice' | 'notValue' | 'noValue';

/** The problems of a draft. The draft is valid if every field is undefined. */
export interface ProviderProblems {
  readonly apiType: ProviderProblem | undefined;
  readonly baseUrl: ProviderProblem | undefined;
  /** In the order of the headers. */
  readonly headers: readonly {
    readonly name: ProviderProblem | undefined;
    readonly value: ProviderProblem | undefined;
  }[];
}

/** Validates a draft. `stored` contains the names of headers that already have a value. */
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

/** Returns whether a draft can be saved. */
export function isValid({ apiType, baseUrl, headers }: ProviderProblems): boolean {
  return [apiType, baseUrl, ...headers.flatMap(({ name, value }) => [name, value])].every((one) => one === undefined);
}

/** Returns whether others on the network can read what is sent to this URL, including headers. */
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
  // A request can't carry other characters in a value.
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : 'notValue';
}
