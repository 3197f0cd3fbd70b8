import type { RequestKey, ToolCallId } from './ids';
import type { WebAddress } from './webAddress';

/** One of the answers that a field offers. */
export interface FormChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

/** One field of a form. Nothing of what an agent sent is in it that Parley does not understand. */
export type FormField = {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
} & (
  | {
      readonly type: 'text';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: string;
      readonly format?: TextFormat;
      /** It looks like a secret: typed unseen, kept nowhere, not repeated in the transcript. */
      readonly isSecret: boolean;
      readonly initial: string;
    }
  | { readonly type: 'choice'; readonly choices: readonly FormChoice[]; readonly initial: string }
  | {
      readonly type: 'choices';
      readonly choices: readonly FormChoice[];
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly initial: readonly string[];
    }
  | {
      readonly type: 'number' | 'integer';
      readonly minimum?: number;
      readonly maximum?: number;
      readonly initial: string;
    }
  | { readonly type: 'boolean'; readonly initial: boolean }
  /** Of a kind that Parley does not know, named by `kind`: what the user writes is sent as text. */
  | { readonly type: 'unknown'; readonly kind: string; readonly initial: '' }
);

/** What an agent asks for (https://agentclientprotocol.com/protocol/elicitation). */
export type ElicitationAsk =
  | {
      readonly mode: 'form';
      readonly title?: string;
      readonly description?: string;
      readonly fields: readonly FormField[];
    }
  | { readonly mode: 'url'; readonly address: WebAddress };

/** What a field of a form holds when it is sent. */
export type ContentValue = string | number | boolean | readonly string[];

/** A submitted form as pairs of key and value: keys are the agent's, `__proto__` among them. */
export type FormContent = readonly (readonly [key: string, value: ContentValue])[];

/** The user's answer: three different things, each its own button. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: FormContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A field of a submitted form in words. A secret is named without its value. */
export interface ShownAnswer {
  readonly label: string;
  readonly value: string;
}

/** How far a question is. */
export type ElicitationState =
  /** `problem` is why the last answer did not count. */
  | {
      readonly state: 'asked';
      readonly request: RequestKey;
      readonly ask: ElicitationAsk;
      readonly problem?: 'notOpened' | 'notValid';
    }
  | { readonly state: 'submitted'; readonly answers: readonly ShownAnswer[] }
  /** The user agreed to open an address; `isDone` once the agent says that what happened there is over. */
  | { readonly state: 'opened'; readonly host: string; readonly isDone: boolean }
  | { readonly state: 'declined' | 'dismissed' | 'withdrawn' | 'completed' };

/** What an elicitation says of itself, whatever becomes of it. */
export interface ElicitationText {
  readonly message: string;
  /** The tool call it belongs to. */
  readonly about?: ToolCallId;
}
