// The rows of the table: what a command, or a message of a page, does, and what it must not do.
import type { CommandId } from '../../src/host/base/feature';
import type { FromWebview } from '../../src/shared/pages/messages';
import type { FakePage } from '../unit-support/productWindow';
import type { Answer } from './desk';
import type { Harm, Scene, Stage } from './stage';
import type { WiringAgent } from './wiringAgent';

type Work = void | Promise<void>;

/**
 * What is played of a command or message. Only the main column may have these effects: in a folder that isn't trusted, without a session, and
 * with hostile arguments, nothing lasting happens, unless `may` says so.
 */
export interface Row {
  /** What is there before. Defaults to a session that has answered. */
  readonly scene?: Scene;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** How the agents of the main column behave. */
  readonly prepare?: (agent: WiringAgent) => void;
  /** What happens before it is run, in the main column. */
  readonly before?: (stage: Stage) => Work;
  /** The user's answers to the dialogs of the main column. */
  readonly answers?: readonly Answer[] | ((stage: Stage) => readonly Answer[]);
  /** Claims its effect. Fails if it isn't handled. */
  readonly does: (stage: Stage) => Work;
  /** What lasts nevertheless, by column. */
  readonly may?: Partial<Readonly<Record<Column, readonly Harm[]>>>;
  /** More claims of a column. */
  readonly untrusted?: (stage: Stage) => Work;
  readonly empty?: (stage: Stage) => Work;
  /** While the agent works; without it, the turn goes on. */
  readonly working?: (stage: Stage) => Work;
}

/** The columns in which a row has to do nothing, or to say what it does. */
export type Column = 'untrusted' | 'empty' | 'working' | 'hostile';

export interface CommandRow extends Row {
  /** Its arguments. Without them, it takes none. */
  readonly with?: (stage: Stage) => readonly unknown[];
}

export interface MessageRow<Message> extends Row {
  readonly message: (stage: Stage) => Message;
}

/** The messages of a page of its own. `opens` opens the page in the main column. */
export interface PageRow<Message> extends MessageRow<Message> {
  readonly opens?: (stage: Stage) => Promise<FakePage>;
}

/** The rows of the messages of a union, by type. */
export type MessageRows<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: MessageRow<Message & { readonly type: Type }>;
};
export type ChatRows<Type extends FromWebview['type']> = MessageRows<Extract<FromWebview, { readonly type: Type }>>;

/** A part of the table of commands. */
export function commandRows<Id extends CommandId>(rows: { readonly [Key in Id]: CommandRow }): {
  readonly [Key in Id]: CommandRow;
} {
  return rows;
}
