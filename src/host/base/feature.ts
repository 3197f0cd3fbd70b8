import type titles from '../../../package.nls.json';
import type { ActionName, Actions } from './actions';
import type { WorkPart } from './agentWork';
import type { ClosedSession } from './closedSessions';

type TitleKey = keyof typeof titles;

/** A command of package.json. Each has its title in package.nls.json. */
export type TitledCommand = TitleKey extends infer Key
  ? Key extends `command.${infer Name}`
    ? `parley.${Name}`
    : never
  : never;

/** A command without a title, for links and buttons of the editor, for keys of the user's own, and for scripts. */
export type UntitledCommand =
  | 'parley.sendPrompt'
  | 'parley.showSession'
  | 'parley.review.peekChange'
  | 'parley.review.showOrigin'
  | `parley.checkpoints.${'preview' | 'restore' | 'undo'}`;

export type CommandId = TitledCommand | UntitledCommand;

/** What commands do. Everyone can run a command, so its arguments can be anything. */
export type Commands<Id extends CommandId> = {
  readonly [Key in Id]: (...args: readonly unknown[]) => unknown;
};

/** A feature's commands. An id that isn't a `CommandId` is a type error. */
export function commandTable<Id extends CommandId>(commands: Commands<Id>): Commands<Id> {
  return commands;
}

/** What a feature does for others. A name that isn't an `ActionName` is a type error. */
export function actionTable<Name extends ActionName>(actions: Actions<Name>): Actions<Name> {
  return actions;
}

/** What a room of the host adds to the product. The next features take what it has besides. */
export interface Feature {
  /** The handlers of its messages from chat pages, by type. */
  readonly messages?: object;
  /** Its commands, by id. */
  readonly commands?: object;
  /** What it does for other features, by name. */
  readonly actions?: object;
  /** What it does around the work of agents. */
  readonly around?: WorkPart | readonly WorkPart[];
  /** Forgets what it has for a session that was closed. */
  forget?(session: ClosedSession): void;
  /**
   * Writes what the next window needs. What must not be lost is written before this returns, because the editor ends a window that reloads a
   * few milliseconds later, and the rest until the promise resolves.
   */
  flushNow?(): Promise<unknown> | void;
  /** Writes what came in the meantime, once all agents have exited. */
  flush?(): Promise<unknown>;
  dispose?(): void;
}

/** The keys that are in more than one of these tables. */
type Twice<Tables extends readonly unknown[]> = Tables extends readonly [infer First, ...infer Rest]
  ? (keyof First & KeysOf<Rest[number]>) | Twice<Rest>
  : never;
type KeysOf<Table> = Table extends unknown ? keyof Table : never;
type Both<Table> = (Table extends unknown ? (table: Table) => void : never) extends (both: infer All) => void
  ? All
  : never;

/** All entries of these tables, or a sentence with the entry that is there twice, which fits no table. */
export type Joined<Tables extends readonly unknown[]> = [Twice<Tables>] extends [never]
  ? Both<Tables[number]>
  : `${Twice<Tables> & string} is there twice`;

/** Joins tables. If two have the same entry, the result is a type error that shows the entry. */
export function joinTables<Tables extends readonly object[]>(...tables: Tables): Joined<Tables> {
  return Object.assign({}, ...tables) as Joined<Tables>;
}

type TablesOf<Features extends readonly Feature[], Name extends 'messages' | 'commands' | 'actions'> = {
  [Index in keyof Features]: Features[Index] extends { readonly [Key in Name]: infer Table } ? Table : object;
};

/** Joins all that features have. They write in their order, and are disposed of in the opposite one. */
export function joinFeatures<Features extends readonly Feature[]>(
  ...features: Features
): {
  readonly messages: Joined<TablesOf<Features, 'messages'>>;
  readonly commands: Joined<TablesOf<Features, 'commands'>>;
  readonly actions: Joined<TablesOf<Features, 'actions'>>;
  readonly around: readonly WorkPart[];
  forget(session: ClosedSession): void;
  flushNow(): Promise<void>;
  flush(): Promise<void>;
  dispose(): void;
} {
  return {
    messages: Object.assign({}, ...features.map(({ messages }) => messages)) as Joined<TablesOf<Features, 'messages'>>,
    commands: Object.assign({}, ...features.map(({ commands }) => commands)) as Joined<TablesOf<Features, 'commands'>>,
    actions: Object.assign({}, ...features.map(({ actions }) => actions)) as Joined<TablesOf<Features, 'actions'>>,
    around: features.flatMap(({ around }) => around ?? []),
    forget: (session) => features.forEach((feature) => feature.forget?.(session)),
    // Each begins before the first one ends, and also if another one fails.
    flushNow: async () => void (await Promise.all(features.map(async (feature) => feature.flushNow?.()))),
    flush: async () => void (await Promise.all(features.map(async (feature) => feature.flush?.()))),
    dispose: () => [...features].reverse().forEach((feature) => feature.dispose?.()),
  };
}
