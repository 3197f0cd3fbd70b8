// Plays the columns of a row.
import assert from 'node:assert/strict';
import type { FakePage } from '../unit-support/productWindow';
import { argumentLists, damaged } from './hostile';
import type { CommandRow, MessageRow, PageRow, Row } from './row';
import { Stage, type Harm, type Scene } from './stage';

/** A command, or a message of a page, that can be sent in any column. */
export interface Played {
  readonly name: string;
  readonly row: Row;
  /** What has to be open first, such as its page. */
  readonly open: (stage: Stage) => Promise<unknown>;
  readonly act: (stage: Stage) => Promise<void>;
  /** What is sent in its place by foreign code. */
  readonly attacks: (stage: Stage) => Iterable<() => unknown>;
  /** Takes it away from the product. */
  readonly mute: (stage: Stage) => void;
  /** Whether hostile arguments can make a difference to what it does. */
  readonly takes: boolean;
}

export function playedCommand(id: string, row: CommandRow): Played {
  return {
    name: id,
    row,
    open: () => Promise.resolve(),
    act: (stage) => stage.run(id, ...(row.with?.(stage) ?? [])),
    *attacks(stage) {
      for (const args of argumentLists()) yield () => stage.call(id, ...args);
    },
    mute: (stage) => stage.mute(id),
    takes: row.with !== undefined,
  };
}

type AnyMessage = Readonly<Record<string, unknown>> & { readonly type: string };

export function playedMessage(name: string, row: MessageRow<unknown>): Played {
  return playedOn(name, row, (stage) => Promise.resolve(stage.page));
}

/** `open` opens its page in a column without a page of its own. */
export function playedOn(name: string, row: PageRow<unknown>, open: (stage: Stage) => Promise<FakePage>): Played {
  const pages = new WeakMap<Stage, FakePage>();
  const pageOf = async (stage: Stage) => {
    const page = pages.get(stage) ?? (await (row.opens ?? open)(stage));
    pages.set(stage, page);
    return page;
  };
  return {
    name,
    row,
    open: pageOf,
    act: async (stage) => stage.sayOn(await pageOf(stage), row.message(stage) as AnyMessage),
    *attacks(stage) {
      const page = pages.get(stage) ?? stage.page;
      for (const message of damaged(row.message(stage) as AnyMessage)) yield () => page.say(message as never);
    },
    mute: (stage) => stage.mute((row.message(stage) as AnyMessage).type),
    takes: true,
  };
}

async function inScene(row: Row, scene: Scene, work: (stage: Stage) => Promise<void>): Promise<void> {
  const { settings = {}, prepare } = row;
  const stage = await Stage.open(scene, { settings, ...(prepare && { prepare }) });
  try {
    await work(stage);
  } finally {
    await stage.close();
  }
}

/** Its effect. `isMuted`: the product doesn't get it, so that the claim must fail. */
export function playMain({ row, open, act, mute }: Played, isMuted = false): Promise<void> {
  return inScene(row, row.scene ?? 'idle', async (stage) => {
    await row.before?.(stage);
    await open(stage);
    stage.mark();
    if (isMuted) mute(stage);
    const answers = typeof row.answers === 'function' ? row.answers(stage) : (row.answers ?? []);
    stage.desk.answers.push(...answers);
    await act(stage);
    await row.does(stage);
    if (!isMuted) assert.deepEqual(stage.desk.answers, [], 'the user wasn’t asked');
    else stage.desk.problems.length = 0;
  });
}

const harmless = (row: Row, column: keyof NonNullable<Row['may']>): readonly Harm[] => row.may?.[column] ?? [];

/** A window that several rows are played in, as long as they leave nothing behind. */
export class SharedStage {
  private readonly scene: Scene;
  private stage: Stage | undefined;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  async play(row: Row, work: (stage: Stage) => Promise<void>): Promise<void> {
    if (row.settings) await this.close();
    const stage = (this.stage ??= await Stage.open(this.scene, row.settings ? { settings: row.settings } : {}));
    let isSame = false;
    try {
      stage.mark();
      await work(stage);
      isSame = !row.settings && row.may?.[this.scene === 'untrusted' ? 'untrusted' : 'empty'] === undefined;
    } finally {
      if (!isSame) await this.close();
    }
  }

  async close(): Promise<void> {
    const { stage } = this;
    this.stage = undefined;
    await stage?.close();
  }
}

/** In a folder that isn't trusted, where the user agrees to everything that is asked. */
export function playUntrusted(shared: SharedStage, { row, open, act }: Played): Promise<void> {
  return shared.play(row, async (stage) => {
    await open(stage);
    stage.mark();
    const before = stage.harms();
    stage.desk.agreeToEverything();
    await act(stage);
    stage.unharmed(before, harmless(row, 'untrusted'));
    assert.equal(stage.window.pool.sessions.length, 0, 'a session was opened');
    await row.untrusted?.(stage);
  });
}

/** Without a session. The user dismisses what is asked. */
export function playEmpty(shared: SharedStage, { row, open, act }: Played): Promise<void> {
  return shared.play(row, async (stage) => {
    await open(stage);
    stage.mark();
    const before = stage.harms();
    await act(stage);
    stage.unharmed(before, harmless(row, 'empty'));
    await row.empty?.(stage);
  });
}

/** While the agent works. The user dismisses what is asked. */
export function playWorking({ row, open, act }: Played): Promise<void> {
  return inScene(row, 'working', async (stage) => {
    await open(stage);
    stage.mark();
    const before = stage.harms();
    await act(stage);
    if (row.working) {
      await row.working(stage);
      return;
    }
    stage.unharmed(before, harmless(row, 'working'));
    assert.equal(stage.session.transcript.view.activity.state, 'running', 'the turn doesn’t go on');
  });
}

/** With what foreign code passes. The user dismisses what is asked. */
export function playHostile(played: Played): Promise<void> {
  const { row, open, attacks, takes } = played;
  return inScene(row, 'idle', async (stage) => {
    if (row.scene !== 'empty' && !row.scene) await row.before?.(stage);
    await open(stage);
    stage.mark();
    const before = stage.harms();
    for (const attack of attacks(stage)) await stage.settle(attack);
    // What takes no arguments does what it always does.
    const except: readonly Harm[] = takes
      ? harmless(row, 'hostile')
      : ['agents', 'wire', 'settings', 'terminals', 'programs'];
    stage.unharmed(before, except);
    assert.equal(({} as Record<string, unknown>)['isPolluted'], undefined);
  });
}
