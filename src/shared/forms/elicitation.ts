import type { RequestKey, ToolCallId } from '../values/ids';
import type { WebAddress } from '../text/webAddress';

/** One of a field's choices. */
export interface FormChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

/** One field of a form. Contains only what Parley understands of the agent's message. */
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
      /** Probably a secret: its input is masked, not stored, and not repeated in the transcript. */
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
  /** An unsupported type, given by `kind`. The user's input is sent as text. */
  | { readonly type: 'unknown'; readonly kind: string; readonly initial: '' }
);

/** An agent's request for input (https://agentclientprotocol.com/protocol/elicitation). */
export type ElicitationAsk =
  | {
      readonly mode: 'form';
      readonly title?: string;
      readonly description?: string;
      readonly fields: readonly FormField[];
    }
  | { readonly mode: 'url'; readonly address: WebAddress };

/** The value of a form field when it is sent. */
export type ContentValue = string | number | boolean | readonly string[];

/** A submitted form as key-value pairs. The keys come from the agent and may include `__proto__`. */
export type FormContent = readonly (readonly [key: string, value: ContentValue])[];

/** The user's answer. Each of the three has its own button. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: FormContent }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A field of a submitted form for display. A secret has no value here. */
export interface ShownAnswer {
  readonly label: string;
  readonly value: string;
}

/** The state of a question. */
export type ElicitationState =
  /** `problem` is why the last answer was refused. */
  | {
      readonly state: 'asked';
      readonly request: RequestKey;
      readonly ask: ElicitationAsk;
      readonly problem?: 'notOpened' | 'notValid';
    }
  | { readonly state: 'submitted'; readonly answers: readonly ShownAnswer[] }
  /** The user agreed to open a URL. `isDone` is true once the agent reports that the action there is finished. */
  | { readonly state: 'opened'; readonly host: string; readonly isDone: boolean }
  | { readonly state: 'declined' | 'dismissed' | 'withdrawn' | 'completed' };

/** The texts of an elicitation, independent of its state. */
export interface ElicitationText {
  readonly message: string;
  /** The related tool call. */
  readonly about?: ToolCallId;
}
